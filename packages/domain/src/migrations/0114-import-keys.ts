import { migration } from './migration.ts';

/** Import keys are of one caller: nobody else opens what was wrapped with them. Those of earlier releases were of a whole project. */
export const m0114ImportKeys = migration(
  '0114-import-keys',
  `
delete from kms_import_keys;
alter table kms_import_keys
  drop constraint kms_import_keys_project_id_key,
  -- A user, a machine identity or a service token.
  add column actor_id uuid not null,
  add constraint kms_import_keys_actor_unique unique (project_id, actor_id);
`,
);
