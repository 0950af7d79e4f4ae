import { migration } from './migration.ts';

/** Imports that copy what they import. */
export const m0014Replication = migration(
  '0014-replication',
  `
-- A replication has two rows: the one that people see, and one behind it (replicates, is_reserved) by which the copies are
-- imported from a folder of their own. That folder and that row go with the first one, wherever it goes.
-- replicated_by is who answers for it: whose right to read the source each copying asks for.
-- replication_due is when it copies next, for want of a job that does so earlier; replication_revision is the project's
-- that it has read at the last, and replication_digest is of the ids and versions of what was copied, or proposed.
alter table secret_imports
  add replicates uuid references secret_imports on delete cascade,
  add replicated_by jsonb,
  add replication_due timestamptz(3),
  add replication_failures integer not null default 0,
  add replication_revision bigint,
  add replication_digest text;
create unique index secret_imports_replicates on secret_imports (replicates) where replicates is not null;
create index secret_imports_replications on secret_imports (project_id) where replicated_by is not null;
alter table folders add replicates uuid references secret_imports on delete cascade;
create unique index folders_replicates on folders (replicates) where replicates is not null;
`,
);
