import { migration } from './migration.ts';

/** Secrets are found by a part of their name, in all environments and folders of a project. */
export const m0086SecretNames = migration(
  '0086-secret-names',
  `
-- In the order of names in lower case, with all that a search reads of secrets that it does not find. Fragments of names (0066) would
-- find rare parts sooner, but cost each new version of a secret three quarters more: its row has another place, and all fragments again.
-- No name is empty: the condition keeps other statements from reading this index as a whole instead of rows by their ids.
create index secrets_name on secrets (project_id, (lower(key) collate "C"), id) include (key) where user_id is null and key <> '';
`,
);
