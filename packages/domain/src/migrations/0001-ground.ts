import { migration } from './migration.ts';

/** The instance, its key hierarchy and the audit log. */
export const m0001Ground = migration(
  '0001-ground',
  `
create table instance (
  id boolean primary key default true check (id),
  root_key_fingerprint text not null,
  audit_public_key text not null,
  audit_private_key bytea not null,
  allow_sign_up boolean not null default false,
  bootstrapped_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table organizations (
  id uuid primary key,
  name text not null,
  slug text not null constraint organizations_slug_unique unique,
  default_membership_role text not null default 'member',
  user_token_expiration text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table projects (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  slug text not null,
  type text not null,
  description text,
  auto_capitalization boolean not null default false,
  has_delete_protection boolean not null default false,
  pit_version_limit integer not null default 10,
  audit_logs_retention_days integer,
  secret_sharing boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint projects_slug_unique unique (organization_id, slug)
);

-- Data keys: an organization's are wrapped by the root key, a project's by its organization's newest key.
create table data_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid references projects on delete cascade,
  version integer not null,
  wrapped bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint data_keys_version_unique unique nulls not distinct (organization_id, project_id, version)
);

-- txid tells the sealer which events are settled: all below pg_snapshot_xmin are committed or gone.
create table audit_events (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid,
  type text not null,
  published text not null,
  actor_type text not null,
  actor_id uuid,
  actor jsonb not null,
  ip_address text,
  user_agent text,
  user_agent_type text not null,
  request_id text,
  data jsonb not null,
  created_at timestamptz(3) not null,
  txid xid8 not null default pg_current_xact_id(),
  primary key (id, created_at)
) partition by range (created_at);
create index audit_events_organization on audit_events (organization_id, created_at desc, id desc);
create index audit_events_project on audit_events (project_id, created_at desc) where project_id is not null;
create index audit_events_txid on audit_events (txid);
create table audit_events_default partition of audit_events default;

-- One link of an organization's chain: some events in order, the hash over them and the link before.
create table audit_blocks (
  organization_id uuid not null,
  sequence bigint not null,
  event_ids uuid[] not null,
  first_event_at timestamptz(3) not null,
  last_event_at timestamptz(3) not null,
  previous_hash bytea not null,
  hash bytea not null,
  signature bytea,
  sealed_at timestamptz(3) not null,
  primary key (organization_id, sequence)
);
create table audit_cursor (
  id boolean primary key default true check (id),
  next_txid xid8 not null,
  cluster text not null,
  not_before timestamptz(3)
);
`,
);
