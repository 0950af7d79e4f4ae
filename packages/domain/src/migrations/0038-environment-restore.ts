import { migration } from './migration.ts';

/** What is needed to restore a deleted environment: rows from before this have none of it, and are not restored. */
export const m0038EnvironmentRestore = migration(
  '0038-environment-restore',
  `
-- revision is the last one at which the environment was whole. imports are [{folderId, environmentId, path}]: those in its
-- folders, and those of other folders that imported from it, in their order.
alter table departed_environments
  add name text,
  add deleted_at timestamptz(3),
  add revision bigint,
  add imports jsonb not null default '[]';
`,
);
