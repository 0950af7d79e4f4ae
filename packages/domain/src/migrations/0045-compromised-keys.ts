import { migration } from './migration.ts';

/**
 * A claim that a key is compromised counts in one project; null: in the whole organization, as what was proved and what
 * earlier releases kept.
 */
export const m0045CompromisedKeys = migration(
  '0045-compromised-keys',
  `
alter table compromised_keys add column project_id uuid;
alter table compromised_keys drop constraint compromised_keys_pkey,
  add constraint compromised_keys_unique unique nulls not distinct (organization_id, spki_hash, project_id);
`,
);
