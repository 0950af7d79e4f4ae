import { migration } from './migration.ts';

/** The names of a sync's items follow the slug that its environment had when it was saved. */
export const m0089KeyEnvironments = migration(
  '0089-key-environments',
  `
alter table secret_syncs add column key_environment text;
update secret_syncs s set key_environment = e.slug from environments e where e.id = s.environment_id;
`,
);
