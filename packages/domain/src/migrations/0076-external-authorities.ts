import { migration } from './migration.ts';

/**
 * Certificate authorities elsewhere, and what is ordered from them. To the release before, their certificates are imported
 * ones, and their profiles and subscribers have no authority.
 */
export const m0076ExternalAuthorities = migration(
  '0076-external-authorities',
  `
create table external_authorities (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  -- As published: acme, aws-pca, digicert.
  type text not null,
  status text not null,
  enable_direct_issuance boolean not null,
  connection_id uuid not null,
  -- What is not secret of it, as the type's schema reads it.
  configuration jsonb not null,
  -- What is: also keys that were made for it.
  credentials bytea not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint external_authorities_name_unique unique (project_id, name),
  constraint external_authorities_status check (status in ('active', 'disabled')),
  -- Looked at when the transaction ends: the deletion of a project deletes its connections first.
  constraint external_authorities_connection foreign key (connection_id) references app_connections
    deferrable initially deferred
);
create index external_authorities_organization on external_authorities (organization_id);
create index external_authorities_connection on external_authorities (connection_id);

alter table certificates
  add column external_ca_id uuid references external_authorities on delete set null,
  -- What the external authority calls it, where that is not its serial number.
  add column external_reference text;
create index certificates_of_external_ca on certificates (external_ca_id) where external_ca_id is not null;

alter table certificate_profiles
  add column external_ca_id uuid references external_authorities on delete cascade,
  drop constraint certificate_profiles_issuer,
  add constraint certificate_profiles_issuer
    check (num_nonnulls(ca_id, external_ca_id) = case issuer_type when 'ca' then 1 else 0 end);
create index certificate_profiles_external_ca on certificate_profiles (external_ca_id) where external_ca_id is not null;

alter table pki_subscribers
  add column external_ca_id uuid references external_authorities on delete set null,
  add constraint pki_subscribers_issuer check (num_nonnulls(ca_id, external_ca_id) <= 1);
create index pki_subscribers_external_ca on pki_subscribers (external_ca_id) where external_ca_id is not null;

-- What is ordered from an external authority: work that lasts until the certificate is stored here, and until everything
-- that was made for it elsewhere is removed again.
create table certificate_orders (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  external_ca_id uuid not null references external_authorities on delete cascade,
  profile_id uuid references certificate_profiles on delete set null,
  pki_subscriber_id uuid references pki_subscribers on delete cascade,
  renewed_from_id uuid references certificates on delete set null,
  certificate_id uuid references certificates on delete cascade,
  status text not null,
  -- Of the certificate that is wanted; see certificates.
  common_name text not null,
  alt_names text,
  names jsonb not null,
  subject jsonb not null,
  friendly_name text not null,
  -- What else is wanted of it.
  content jsonb not null,
  -- PKCS #10.
  csr bytea not null,
  -- PKCS #8, sealed, until the certificate has it; absent where the key was made elsewhere.
  private_key bytea,
  -- What was begun at the authority, and what remains to be removed.
  progress jsonb not null default '{}',
  -- What it waits for, or why it failed.
  message text,
  due_at timestamptz(3),
  failures integer not null default 0,
  claim_id uuid,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint certificate_orders_status check (status in ('pending', 'issued', 'failed', 'cancelled'))
);
create index certificate_orders_project on certificate_orders (project_id);
create index certificate_orders_organization on certificate_orders (organization_id);
create index certificate_orders_external_ca on certificate_orders (external_ca_id);
create index certificate_orders_profile on certificate_orders (profile_id) where profile_id is not null;
create index certificate_orders_certificate on certificate_orders (certificate_id) where certificate_id is not null;
create index certificate_orders_subscriber on certificate_orders (pki_subscriber_id, created_at desc)
  where pki_subscriber_id is not null;
create index certificate_orders_renewed on certificate_orders (renewed_from_id, created_at desc)
  where renewed_from_id is not null;
create index certificate_orders_due on certificate_orders (due_at) where due_at is not null;
create index certificate_orders_claimed on certificate_orders (claimed_until) where claimed_until is not null;

-- A request has no certificate before its order has one, which has the same ID.
alter table certificate_requests alter column certificate_id drop not null;
`,
);
