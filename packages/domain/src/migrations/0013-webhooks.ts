import { migration } from './migration.ts';

/** Who is told of changes: webhooks and what they have yet to be told; and what following commits one by one takes. */
export const m0013Webhooks = migration(
  '0013-webhooks',
  `
create index secrets_commit on secrets (commit_id) where commit_id is not null;
create index secret_versions_commit on secret_versions (commit_id) where commit_id is not null;
create index secret_versions_replaced on secret_versions (replaced_commit_id) where replaced_commit_id is not null;
create index folder_versions_commit on folder_versions (commit_id) where commit_id is not null;
create index folder_versions_replaced on folder_versions (replaced_commit_id) where replaced_commit_id is not null;

-- Where the secrets were that went with their environment: its root folder is gone with it, and so is its slug.
create table departed_environments (
  environment_id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null references projects on delete cascade,
  root_folder_id uuid not null,
  slug text not null
);
create unique index departed_environments_root on departed_environments (root_folder_id);
create index departed_environments_project on departed_environments (project_id);

create table webhooks (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  environment_id uuid not null references environments on delete cascade,
  secret_path text not null,
  type text not null,
  -- Sealed: the address may be a secret itself.
  url bytea not null,
  secret_key bytea,
  is_disabled boolean not null default false,
  last_status text,
  last_run_error_message text,
  -- It hears of the commits after this revision.
  since bigint not null,
  -- Calls that failed, since the last one that did not.
  failures integer not null default 0,
  -- Not called before this time, but to be tested.
  rests_until timestamptz(3),
  -- Whoever calls it, until when at the latest.
  claim_id uuid,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index webhooks_project on webhooks (project_id);
create index webhooks_organization on webhooks (organization_id);
create index webhooks_environment on webhooks (environment_id);

-- Up to which revision the webhooks of a project have their deliveries.
create table webhook_cursors (
  project_id uuid primary key references projects on delete cascade,
  organization_id uuid not null,
  revision bigint not null
);

-- What a webhook has yet to be told, in the order of the commits. Of changes in one folder that wait, the last one is told.
create table webhook_deliveries (
  id uuid primary key,
  organization_id uuid not null,
  webhook_id uuid not null references webhooks on delete cascade,
  revision bigint not null,
  secret_path text not null,
  actor jsonb not null,
  is_tried boolean not null default false,
  created_at timestamptz(3) not null
);
create unique index webhook_deliveries_waiting on webhook_deliveries (webhook_id, secret_path) where not is_tried;
create index webhook_deliveries_order on webhook_deliveries (webhook_id, revision, secret_path);
`,
);
