import { migration } from './migration.ts';

/** What changed when: revisions of projects, commits, and the versions of folders beside those of secrets. */
export const m0009History = migration(
  '0009-history',
  `
-- Counts the transactions that changed something that a read of secrets could show, in the order of their commits: it is
-- locked last. is_followed says that somebody wants to hear of changes.
create table project_revisions (
  project_id uuid primary key references projects on delete cascade,
  organization_id uuid not null,
  revision bigint not null default 1,
  is_followed boolean not null default false,
  changed_at timestamptz(3) not null
);
insert into project_revisions (project_id, organization_id, changed_at) select id, organization_id, now() from projects;

-- Of the project's times each is at or after the one before it.
create table commits (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null references projects on delete cascade,
  revision bigint not null,
  message text,
  actor jsonb not null,
  created_at timestamptz(3) not null,
  constraint commits_revision_unique unique (project_id, revision)
);
create index commits_time on commits (project_id, created_at, revision);

-- The folders in which a commit changed something. A folder may be gone.
create table commit_folders (
  id uuid primary key default gen_random_uuid(),
  commit_id uuid not null references commits on delete cascade,
  organization_id uuid not null,
  folder_id uuid not null,
  revision bigint not null,
  constraint commit_folders_unique unique (folder_id, revision)
);
create index commit_folders_commit on commit_folders (commit_id);

-- Which commit wrote a version, and which one replaced or deleted it. A version from before there were commits has none,
-- and neither has a personal value.
alter table secrets add commit_id uuid;
alter table secret_versions add commit_id uuid, add replaced_commit_id uuid;
create index secret_versions_folder on secret_versions (folder_id) where user_id is null;

-- Every version of a folder, the living one among them: that has not been replaced. Root folders have none.
create table folder_versions (
  folder_id uuid not null,
  version integer not null,
  organization_id uuid not null,
  project_id uuid not null references projects on delete cascade,
  environment_id uuid not null,
  parent_id uuid not null,
  name text not null,
  description text,
  commit_id uuid,
  replaced_commit_id uuid,
  is_replaced boolean not null default false,
  primary key (folder_id, version)
);
create index folder_versions_environment on folder_versions (environment_id);
create index folder_versions_project on folder_versions (project_id);
insert into folder_versions (folder_id, version, organization_id, project_id, environment_id, parent_id, name, description)
select id, version, organization_id, project_id, environment_id, parent_id, name, description from folders
where parent_id is not null and not is_reserved;
`,
);
