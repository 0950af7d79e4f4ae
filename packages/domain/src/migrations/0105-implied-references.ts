import { migration } from './migration.ts';

/**
 * A secret is in a folder, which is in a project and an organization and is deleted with them, and each secret with it. PostgreSQL looked
 * for all three for each new secret, and locked their rows.
 */
export const m0105ImpliedReferences = migration(
  '0105-implied-references',
  `
alter table secrets drop constraint secrets_organization_id_fkey;
alter table secrets drop constraint secrets_project_id_fkey;
`,
);
