import { migration } from './migration.ts';

/** Dynamic secrets, and the leases on them. */
export const m0010DynamicSecrets = migration(
  '0010-dynamic-secrets',
  `
-- What its provider is told (host, credential, statements) is sealed as a whole under the project's key.
create table dynamic_secrets (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  folder_id uuid not null references folders on delete cascade,
  name text not null,
  type text not null,
  version integer not null default 1,
  default_ttl text not null,
  max_ttl text,
  username_template text,
  metadata jsonb not null default '[]',
  inputs bytea not null,
  -- How many there are of it: they are counted where they are made and removed, which nobody then does at the same time.
  leases integer not null default 0,
  status text,
  status_details text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint dynamic_secrets_name_unique unique (folder_id, name)
) with (fillfactor = 70);
create index dynamic_secrets_project on dynamic_secrets (project_id);

-- Each row is a login that exists, or may exist, in another system. It is committed before that is touched, and goes
-- only once nothing is left there: so nothing above it is deleted either, and it has no other reference.
create table dynamic_secret_leases (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  dynamic_secret_id uuid not null,
  version integer not null default 1,
  external_entity_id text not null,
  config jsonb not null default '{}',
  expire_at timestamptz(3) not null,
  -- issuing: meant, and not known to exist; standing; ending: to be revoked, whatever its time.
  phase text not null,
  status text,
  status_details text,
  -- When it is looked after next: revoked, or found never to have been confirmed.
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  -- Somebody is at it, in the other system, until this time at the most.
  held_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint dynamic_secret_leases_stand foreign key (dynamic_secret_id) references dynamic_secrets on delete restrict,
  constraint dynamic_secret_leases_phase check (phase in ('issuing', 'standing', 'ending'))
);
create index dynamic_secret_leases_secret on dynamic_secret_leases (dynamic_secret_id, created_at);
create index dynamic_secret_leases_due on dynamic_secret_leases (due_at);
create index dynamic_secret_leases_organization on dynamic_secret_leases (organization_id);
`,
);
