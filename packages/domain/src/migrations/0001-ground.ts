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
  instance_id uuid not null default gen_random_uuid(),
  allow_sign_up boolean not null default false,
  allowed_sign_up_domain text,
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
  audit_logs_retention_days integer,
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
  show_snapshots_legacy boolean not null default false,
  secret_detection_ignore_values jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint projects_slug_unique unique (organization_id, slug)
);

-- Data keys: an organization's are wrapped by the root key, a project's by a key of its organization. A staged version
-- opens but does not seal yet; a retired one opens what nobody should have sealed any more, until it is destroyed.
create table data_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid references projects on delete cascade,
  version integer not null,
  wrapped bytea not null,
  state text not null default 'active' check (state in ('staged', 'active', 'retired')),
  changed_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  constraint data_keys_version_unique unique nulls not distinct (organization_id, project_id, version)
);

-- txid tells the sealer which events are settled: all below pg_snapshot_xmin are committed or gone. epoch counts the
-- clusters that this database has lived in, since each counts its transactions anew.
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
  epoch smallint not null default 0,
  txid xid8 not null default pg_current_xact_id(),
  primary key (id, created_at)
) partition by range (created_at);
create index audit_events_organization on audit_events (organization_id, created_at desc, id desc);
create index audit_events_project on audit_events (project_id, created_at desc, id desc) where project_id is not null;
create index audit_events_txid on audit_events (txid);
create table audit_events_default partition of audit_events default;

-- An event as it is hashed and exported, format 1: one line of JSON that never changes for the same event.
create function audit_time(moment timestamptz) returns text language sql stable parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create function audit_event_line(e audit_events) returns text language sql stable parallel safe
return '{"event":{"id":"' || e.id || '","organizationId":"' || e.organization_id
  || '","projectId":' || coalesce('"' || e.project_id || '"', 'null')
  || ',"type":' || to_json(e.type) || ',"published":' || to_json(e.published)
  || ',"actorType":' || to_json(e.actor_type) || ',"actorId":' || coalesce('"' || e.actor_id || '"', 'null')
  || ',"actor":' || e.actor || ',"ipAddress":' || coalesce(to_json(e.ip_address)::text, 'null')
  || ',"userAgent":' || coalesce(to_json(e.user_agent)::text, 'null') || ',"userAgentType":' || to_json(e.user_agent_type)
  || ',"requestId":' || coalesce(to_json(e.request_id)::text, 'null') || ',"createdAt":"' || audit_time(e.created_at)
  || '","data":' || e.data || '}}';

create function audit_event_hash(e audit_events) returns bytea language sql stable parallel safe
return sha256(convert_to('coffer.audit.event.v1' || chr(10) || audit_event_line(e), 'UTF8'));

-- One link of an organization's chain: some events in order, or the statement that some have expired. What events were
-- sealed is kept until all of them have expired; the link itself stays.
create table audit_blocks (
  organization_id uuid not null,
  sequence bigint not null,
  kind text not null check (kind in ('events', 'expiry')),
  events integer not null,
  event_ids uuid[],
  event_hashes bytea,
  content_hash bytea,
  first_event_at timestamptz(3),
  last_event_at timestamptz(3),
  expiry jsonb,
  previous_hash bytea not null,
  hash bytea not null,
  signature bytea not null,
  sealed_at timestamptz(3) not null,
  primary key (organization_id, sequence),
  check (kind = 'expiry' or num_nulls(content_hash, first_event_at, last_event_at) = 0),
  check (kind = 'events' or expiry is not null)
);
create index audit_blocks_time on audit_blocks (organization_id, first_event_at) where kind = 'events';
create index audit_blocks_expiry on audit_blocks (organization_id, sequence) where kind = 'expiry';

-- How far each epoch is sealed: every event before (next_txid, after_id]. Epochs without a row are sealed to their end.
create table audit_cursor (
  epoch smallint primary key,
  cluster text not null,
  next_txid xid8 not null,
  after_id uuid not null,
  sealed_at timestamptz(3) not null
);
insert into audit_cursor values (0, '', '0', '00000000-0000-0000-0000-000000000000', '-infinity');
`,
);
