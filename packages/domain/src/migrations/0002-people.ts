import { migration } from './migration.ts';

/** Users, sessions, machine identities and their login methods, memberships and roles. */
export const m0002People = migration(
  '0002-people',
  `
create table users (
  id uuid primary key,
  username text not null constraint users_username_unique unique,
  email text constraint users_email_unique unique,
  first_name text,
  last_name text,
  password_hash text,
  is_accepted boolean not null default false,
  is_email_verified boolean not null default false,
  is_super_admin boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  refresh_hash bytea not null constraint user_sessions_refresh_unique unique,
  organization_id uuid references organizations on delete set null,
  ip_address text not null,
  user_agent text not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index user_sessions_user on user_sessions (user_id);

create table user_access_tokens (
  hash bytea primary key,
  session_id uuid not null references user_sessions on delete cascade,
  user_id uuid not null references users on delete cascade,
  organization_id uuid references organizations on delete cascade,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now()
);
create index user_access_tokens_session on user_access_tokens (session_id);
create index user_access_tokens_user on user_access_tokens (user_id);

-- Guesses against one canonical subject, over all ways of logging in as it.
create table lockouts (
  subject text primary key,
  failures integer not null,
  last_failure_at timestamptz(3) not null,
  locked_until timestamptz(3)
);
create index lockouts_last_failure on lockouts (last_failure_at);

create table identities (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  metadata jsonb not null default '[]',
  has_delete_protection boolean not null default false,
  is_super_admin boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index identities_organization on identities (organization_id, name);

create table roles (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid references projects on delete cascade,
  slug text not null,
  name text not null,
  description text,
  permissions jsonb not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint roles_slug_unique unique nulls not distinct (organization_id, project_id, slug)
);
create index roles_project on roles (project_id) where project_id is not null;

-- Who belongs where: a user or an identity, in an organization (project_id null) or in one of its projects.
create table memberships (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid references projects on delete cascade,
  user_id uuid references users on delete cascade,
  identity_id uuid references identities on delete cascade,
  status text not null default 'accepted' check (status in ('invited', 'accepted')),
  is_active boolean not null default true,
  invite_email text,
  invite_hash bytea,
  invite_expires_at timestamptz(3),
  metadata jsonb not null default '[]',
  project_favorites jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint memberships_one_actor check (num_nonnulls(user_id, identity_id) = 1)
);
create unique index memberships_user_unique on memberships (user_id, organization_id, project_id) nulls not distinct where user_id is not null;
create unique index memberships_identity_unique on memberships (identity_id, organization_id, project_id) nulls not distinct where identity_id is not null;
create index memberships_organization on memberships (organization_id) where project_id is null;
create index memberships_project on memberships (project_id) where project_id is not null;

create table membership_roles (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  membership_id uuid not null references memberships on delete cascade,
  role text not null,
  custom_role_id uuid constraint membership_roles_custom_role_in_use references roles on delete restrict,
  is_temporary boolean not null default false,
  temporary_mode text,
  temporary_range text,
  temporary_access_start_time timestamptz(3),
  temporary_access_end_time timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check ((role = 'custom') = (custom_role_id is not null))
);
create index membership_roles_membership on membership_roles (membership_id);
create index membership_roles_custom_role on membership_roles (custom_role_id) where custom_role_id is not null;

-- One row for each login method that an identity has; what only one kind knows is in config, its secrets in sealed.
create table identity_auth_methods (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  identity_id uuid not null references identities on delete cascade,
  kind text not null,
  access_token_ttl integer not null,
  access_token_max_ttl integer not null,
  access_token_num_uses_limit integer not null,
  access_token_period integer not null default 0,
  access_token_trusted_ips jsonb not null,
  config jsonb not null default '{}',
  sealed bytea,
  client_id uuid generated always as ((config ->> 'clientId')::uuid) stored constraint identity_auth_methods_client_id_unique unique,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint identity_auth_methods_kind_unique unique (identity_id, kind),
  constraint identity_auth_methods_ttl check (access_token_max_ttl = 0 or access_token_ttl <= access_token_max_ttl)
);

-- Client secrets and tokens hang on the login method alone, which hangs on the identity and the organization: each
-- further reference would cost every login a lock on a row that all logins share.
create table client_secrets (
  id uuid primary key,
  organization_id uuid not null,
  auth_method_id uuid not null references identity_auth_methods on delete cascade,
  identity_id uuid not null,
  hash bytea not null,
  prefix text not null,
  description text not null default '',
  num_uses bigint not null default 0,
  num_uses_limit integer not null default 0,
  ttl integer not null default 0,
  is_revoked boolean not null default false,
  -- When somebody revoked it, which ends its tokens; a secret that expired or was used up is revoked without it.
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint client_secrets_hash_unique unique (auth_method_id, hash)
);

create table incident_contacts (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  email text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint incident_contacts_email_unique unique (organization_id, email)
);

create table identity_access_tokens (
  id uuid primary key,
  organization_id uuid not null,
  identity_id uuid not null,
  auth_method_id uuid not null references identity_auth_methods on delete cascade,
  auth_method text not null,
  client_secret_id uuid,
  hash bytea not null constraint identity_access_tokens_hash_unique unique,
  previous_hash bytea,
  previous_expires_at timestamptz(3),
  name text,
  ttl integer not null,
  max_ttl integer not null,
  period integer not null default 0,
  num_uses bigint not null default 0,
  num_uses_limit integer not null default 0,
  is_revoked boolean not null default false,
  claims jsonb,
  last_used_at timestamptz(3),
  last_renewed_at timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index identity_access_tokens_previous_unique on identity_access_tokens (previous_hash) where previous_hash is not null;
create index identity_access_tokens_auth_method on identity_access_tokens (auth_method_id, updated_at desc, id desc);
`,
);
