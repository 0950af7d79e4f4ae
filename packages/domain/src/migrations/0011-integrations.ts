import { migration } from './migration.ts';

/** Secrets that are written to other services: with which credentials, from where to where, and what came of it. */
export const m0011Integrations = migration(
  '0011-integrations',
  `
create table integration_auths (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  integration text not null,
  team_id text,
  url text,
  namespace text,
  account_id text,
  metadata jsonb,
  -- The credentials, as JSON.
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index integration_auths_project on integration_auths (project_id, integration);
create index integration_auths_organization on integration_auths (organization_id);

create table integrations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  integration_auth_id uuid not null references integration_auths on delete cascade,
  integration text not null,
  is_active boolean not null,
  environment_id uuid not null references environments on delete cascade,
  -- Follows the folder where that is renamed; the path is what remains when it is deleted.
  folder_id uuid references folders on delete set null,
  secret_path text not null,
  -- Who answers for it: whose right to read the source each sync asks for.
  sponsor jsonb,
  url text,
  app text,
  app_id text,
  target_environment text,
  target_environment_id text,
  target_service text,
  target_service_id text,
  owner text,
  path text,
  region text,
  scope text,
  metadata jsonb not null,
  -- The key of the hashes below: whoever reads them alone cannot try values on them.
  sealed bytea not null,
  -- Where it writes, hashed. Of those with the same hash in an organization one writes at a time.
  target text not null,
  -- Whether the first sync has settled what was there before.
  is_initialized boolean not null default false,
  last_used timestamptz(3),
  is_synced boolean,
  sync_message text,
  last_sync_job_id text,
  -- Of what the last sync that succeeded wrote; null where the next one has to look.
  source_hash bytea,
  -- When the next sync is due; null where nothing is to be done.
  due_at timestamptz(3),
  -- Until when the other side has asked to be left alone; null where it has not.
  rests_until timestamptz(3),
  -- Since the last sync that succeeded.
  failures integer not null default 0,
  -- Whoever syncs it, until when at the latest.
  claim_id uuid,
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index integrations_project on integrations (project_id);
create index integrations_organization on integrations (organization_id, target);
create index integrations_auth on integrations (integration_auth_id);
create index integrations_environment on integrations (environment_id);
create index integrations_folder on integrations (folder_id);
create index integrations_due on integrations (due_at) where due_at is not null;
create index integrations_claimed on integrations (claimed_until) where claimed_until is not null;

-- What an integration has put at its target. Nothing else is ever removed there.
create table integration_entries (
  integration_id uuid not null references integrations on delete cascade,
  name text collate "C" not null,
  organization_id uuid not null,
  -- Of the value that was surely put, and of one that was about to be.
  hash bytea,
  next_hash bytea,
  primary key (integration_id, name)
);
`,
);
