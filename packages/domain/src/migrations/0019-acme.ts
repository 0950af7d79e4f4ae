import { migration } from './migration.ts';

/** The ACME server of certificate profiles: accounts, orders, authorizations with their challenges, used nonces. */
export const m0019Acme = migration(
  '0019-acme',
  `
-- The key by which clients bind their accounts to a profile; its id is the profile's.
create table acme_external_keys (
  profile_id uuid primary key references certificate_profiles on delete cascade,
  organization_id uuid not null,
  project_id uuid not null,
  -- Base64url of 32 bytes, sealed.
  secret bytea not null,
  created_at timestamptz(3) not null default now()
);

create table acme_accounts (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  profile_id uuid not null references certificate_profiles on delete cascade,
  status text not null default 'valid',
  jwk jsonb not null,
  -- RFC 7638, with SHA-256.
  thumbprint text not null,
  contacts jsonb not null default '[]',
  -- What bound it to the profile, as the client sent it; absent where the profile asks for nothing.
  external_binding jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint acme_accounts_key_unique unique (profile_id, thumbprint),
  constraint acme_accounts_status check (status in ('valid', 'deactivated', 'revoked'))
);
create index acme_accounts_organization on acme_accounts (organization_id);
create index acme_accounts_project on acme_accounts (project_id);

create table acme_orders (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  profile_id uuid not null,
  account_id uuid not null references acme_accounts on delete cascade,
  status text not null,
  -- DNS names in lower case, those of wildcards with their asterisk.
  identifiers text[] not null,
  not_before timestamptz(3),
  not_after timestamptz(3),
  expires_at timestamptz(3) not null,
  error jsonb,
  certificate_id uuid references certificates on delete set null,
  -- RFC 9773: the certificate that this one comes in the place of.
  replaces text,
  replaces_certificate_id uuid references certificates on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint acme_orders_status check (status in ('pending', 'ready', 'valid', 'invalid')),
  constraint acme_orders_issued check (status = 'valid' or certificate_id is null)
);
create index acme_orders_account on acme_orders (account_id, id);
create index acme_orders_open on acme_orders (account_id) where status in ('pending', 'ready');
create index acme_orders_certificate on acme_orders (certificate_id) where certificate_id is not null;
create index acme_orders_ends on acme_orders (expires_at) where status <> 'valid';
-- A certificate is replaced once.
create unique index acme_orders_replaces_unique on acme_orders (replaces_certificate_id)
  where replaces_certificate_id is not null and status <> 'invalid';

create table acme_authorizations (
  id uuid primary key,
  organization_id uuid not null,
  account_id uuid not null references acme_accounts on delete cascade,
  order_id uuid not null references acme_orders on delete cascade,
  status text not null default 'pending',
  -- A DNS name without the asterisk of a wildcard.
  identifier text not null,
  is_wildcard boolean not null default false,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  constraint acme_authorizations_status check (status in ('pending', 'valid', 'invalid', 'deactivated', 'revoked')),
  constraint acme_authorizations_identifier_unique unique (order_id, identifier, is_wildcard)
);
create index acme_authorizations_account on acme_authorizations (account_id, identifier) where status = 'valid';

create table acme_challenges (
  id uuid primary key,
  organization_id uuid not null,
  authorization_id uuid not null references acme_authorizations on delete cascade,
  type text not null,
  token text not null,
  status text not null default 'pending',
  -- Looks at what the client has put up, so far.
  attempts integer not null default 0,
  validated_at timestamptz(3),
  error jsonb,
  created_at timestamptz(3) not null default now(),
  constraint acme_challenges_status check (status in ('pending', 'processing', 'valid', 'invalid')),
  constraint acme_challenges_type_unique unique (authorization_id, type)
);

-- Nonces that were used, until they would not be taken any more.
create table acme_nonces (
  hash bytea primary key,
  organization_id uuid not null,
  expires_at timestamptz(3) not null
);
create index acme_nonces_ends on acme_nonces (expires_at);
`,
);
