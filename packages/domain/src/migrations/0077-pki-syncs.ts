import { migration } from './migration.ts';

/** Certificates that are kept up to date at other systems. */
export const m0077PkiSyncs = migration(
  '0077-pki-syncs',
  `
create table pki_syncs (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  connection_id uuid not null,
  -- Whose certificates it gets when they are issued.
  subscriber_id uuid references pki_subscribers on delete set null,
  destination text not null,
  name text not null,
  description text,
  is_auto_sync_enabled boolean not null,
  config jsonb not null,
  options jsonb not null,
  -- The actor that it runs as.
  run_as jsonb,
  is_synced boolean,
  sync_message text,
  last_synced_at timestamptz(3),
  last_sync_job_id text,
  remove_requested boolean not null default false,
  is_removed boolean,
  remove_message text,
  last_removed_at timestamptz(3),
  last_remove_job_id text,
  -- Whether no sync is due, but the removal that was requested.
  skips_sync boolean not null default false,
  due_at timestamptz(3),
  failures integer not null default 0,
  claim_id uuid,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint pki_syncs_name_unique unique (project_id, name),
  -- Looked at when the transaction ends: the deletion of a project deletes its connections first.
  constraint pki_syncs_connection foreign key (connection_id) references app_connections deferrable initially deferred
) with (fillfactor = 70);
create index pki_syncs_organization on pki_syncs (organization_id);
create index pki_syncs_connection_due on pki_syncs (connection_id, due_at);
create index pki_syncs_connection_claimed on pki_syncs (connection_id, claimed_until);
create index pki_syncs_subscriber on pki_syncs (subscriber_id) where subscriber_id is not null;
create index pki_syncs_due on pki_syncs (due_at) where due_at is not null;
create index pki_syncs_claimed on pki_syncs (claimed_until) where claimed_until is not null;

-- The certificates of a sync. A renewal joins, in the line of the certificate that was there first.
create table pki_sync_certificates (
  id uuid primary key,
  sync_id uuid not null references pki_syncs on delete cascade,
  organization_id uuid not null,
  certificate_id uuid not null references certificates on delete cascade,
  line_id uuid not null,
  -- null: it was not its turn yet.
  is_synced boolean,
  message text,
  last_synced_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint pki_sync_certificates_unique unique (sync_id, certificate_id)
);
create index pki_sync_certificates_certificate on pki_sync_certificates (certificate_id);

-- What a sync has written, or may have, at its destination. It outlives the certificates.
create table pki_sync_items (
  sync_id uuid not null references pki_syncs on delete cascade,
  organization_id uuid not null,
  name text not null,
  certificate_id uuid not null,
  line_id uuid not null,
  -- What the destination calls it, if it does not have the name.
  reference text,
  -- SHA-256 of the certificate that is certainly there, and of one that may be.
  fingerprint text,
  next_fingerprint text,
  -- SHA-256 of all that was written with it.
  content text,
  -- What was there before, to find it if the answer was lost.
  mark jsonb,
  primary key (sync_id, name)
);
`,
);
