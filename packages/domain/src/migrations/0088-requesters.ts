import { migration } from './migration.ts';

/** Who has requested an import or a removal of a sync, which another actor carries out: both need the rights then. */
export const m0088Requesters = migration(
  '0088-requesters',
  `
alter table secret_syncs add column import_requester jsonb, add column remove_requester jsonb;
`,
);
