import { migration } from './migration.ts';

/** Environments, folders, tags, secrets with their history, references and imports. */
export const m0003Secrets = migration(
  '0003-secrets',
  `
create table environments (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  slug text not null,
  position integer not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint environments_slug_unique unique (project_id, slug)
);

-- The path is kept beside the parent, so that a secret is found with one look-up however deep it lies.
create table folders (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  environment_id uuid not null references environments on delete cascade,
  parent_id uuid references folders on delete cascade,
  name text not null,
  path text collate "C" not null,
  version integer not null default 1,
  description text,
  is_reserved boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint folders_path_unique unique (environment_id, path),
  constraint folders_path_length check (octet_length(path) <= 2048)
);
create index folders_parent on folders (parent_id);
create index folders_project on folders (project_id);

create table tags (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  slug text not null,
  color text,
  created_by uuid,
  created_by_actor_type text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint tags_slug_unique unique (project_id, slug)
);

-- The newest version of each secret. tag_ids is an array, since a read must not pay for a join that is nearly always
-- empty; deleting a tag takes it out of the arrays. Value and comment are sealed under the project's key.
create table secrets (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  folder_id uuid not null references folders on delete cascade,
  user_id uuid references users on delete cascade,
  key text not null,
  version integer not null,
  version_id uuid not null,
  value bytea not null,
  comment bytea,
  metadata jsonb not null default '[]',
  encrypted_metadata bytea,
  legacy_metadata jsonb,
  tag_ids uuid[] not null default '{}',
  skip_multiline_encoding boolean,
  reminder_note text,
  reminder_repeat_days integer,
  reminder_recipients jsonb,
  actor jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index secrets_key_unique on secrets (folder_id, key, user_id) nulls not distinct;
-- Without a condition, so that deleting a folder finds its secrets; with the time, for what changed last.
create index secrets_folder on secrets (folder_id, updated_at);
create index secrets_project on secrets (project_id, id);
create index secrets_tags on secrets using gin (tag_ids) where tag_ids <> '{}';

-- The versions that were replaced or deleted; the newest one of a living secret is its row in secrets.
create table secret_versions (
  id uuid not null,
  secret_id uuid not null,
  version integer not null,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  folder_id uuid not null,
  user_id uuid,
  key text not null,
  value bytea not null,
  comment bytea,
  metadata jsonb not null,
  encrypted_metadata bytea,
  legacy_metadata jsonb,
  tag_ids uuid[] not null,
  skip_multiline_encoding boolean,
  reminder_note text,
  reminder_repeat_days integer,
  reminder_recipients jsonb,
  actor jsonb not null,
  is_deleted boolean not null default false,
  secret_created_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  replaced_at timestamptz(3) not null,
  primary key (secret_id, version)
);
create index secret_versions_project on secret_versions (project_id, secret_id);
create index secret_versions_deleted on secret_versions (folder_id, replaced_at) where is_deleted;

-- What the values of secrets refer to, by name, so that a renaming or move can rewrite them.
create table secret_references (
  secret_id uuid not null references secrets on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  environment text not null,
  path text collate "C" not null,
  key text not null,
  primary key (secret_id, environment, path, key)
);
create index secret_references_target on secret_references (project_id, environment, path, key);

create table secret_imports (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  folder_id uuid not null references folders on delete cascade,
  import_environment_id uuid not null references environments on delete cascade,
  import_path text collate "C" not null,
  position integer not null,
  version integer not null default 1,
  is_replication boolean not null default false,
  is_replication_success boolean,
  replication_status text,
  last_replicated timestamptz(3),
  is_reserved boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint secret_imports_position_unique unique (folder_id, position) deferrable initially deferred
);
create index secret_imports_source on secret_imports (import_environment_id, import_path);
`,
);
