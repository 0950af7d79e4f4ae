import { migration } from './migration.ts';

/**
 * Rotations of credentials in other systems, whose current values are secrets. Each credential is stored, sealed, before the
 * other system gets it.
 */
export const m0072SecretRotations = migration(
  '0072-secret-rotations',
  `
create table secret_rotations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  folder_id uuid not null,
  connection_id uuid not null,
  type text not null,
  name text not null,
  description text,
  parameters jsonb not null,
  secrets_mapping jsonb not null,
  -- The system that the connection reached when it was chosen, and the accounts there that only this rotation may change.
  target text not null,
  accounts text[] not null,
  is_auto_rotation_enabled boolean not null,
  rotation_interval integer not null,
  -- Minutes after midnight, UTC.
  rotate_at integer not null,
  active_index integer,
  status text,
  last_message text,
  last_attempted_at timestamptz(3),
  last_rotated_at timestamptz(3),
  last_job_id text,
  is_last_manual boolean not null default false,
  due_at timestamptz(3),
  failures integer not null default 0,
  claim_id uuid,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint secret_rotations_stand foreign key (folder_id) references folders,
  constraint secret_rotations_connection foreign key (connection_id) references app_connections,
  constraint secret_rotations_name_unique unique (folder_id, name),
  constraint secret_rotations_status check (status in ('success', 'failed'))
) with (fillfactor = 70);
create index secret_rotations_project on secret_rotations (project_id);
create index secret_rotations_target on secret_rotations (organization_id, target);
create index secret_rotations_by_connection on secret_rotations (connection_id);
create index secret_rotations_due on secret_rotations (due_at);

-- pending: meant, and perhaps known to the other system; active: what the secrets are; inactive: what they were before, which
-- works until the next rotation.
create table secret_rotation_credentials (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  rotation_id uuid not null references secret_rotations on delete cascade,
  slot integer not null,
  state text not null,
  sealed bytea not null,
  applied_at timestamptz(3),
  created_at timestamptz(3) not null,
  constraint secret_rotation_credentials_slot check (slot in (0, 1)),
  constraint secret_rotation_credentials_state check (state in ('pending', 'active', 'inactive'))
);
create index secret_rotation_credentials_rotation on secret_rotation_credentials (rotation_id);
create unique index secret_rotation_credentials_active on secret_rotation_credentials (rotation_id) where state = 'active';
create unique index secret_rotation_credentials_pending on secret_rotation_credentials (rotation_id) where state = 'pending';
create unique index secret_rotation_credentials_in_slot on secret_rotation_credentials (rotation_id, slot)
  where state <> 'pending';
create index secret_rotation_credentials_project on secret_rotation_credentials (project_id);

-- Its values are written by this rotation alone.
alter table secrets add column rotation_id uuid;
create index secrets_rotation on secrets (rotation_id) where rotation_id is not null;

-- What webhooks are notified of, where it is not a change, and what is said of it.
alter table webhook_deliveries
  add column event text not null default 'secrets.modified',
  add column details jsonb;
`,
);
