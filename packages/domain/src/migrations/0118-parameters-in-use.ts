import { migration } from './migration.ts';

/** A rotation that is given other parameters still holds credentials of its former accounts, which stay its own until then. */
export const m0118ParametersInUse = migration(
  '0118-parameters-in-use',
  `
-- By which it was made, as in what is sealed. Absent in rows of earlier releases.
alter table secret_rotation_credentials add column parameters jsonb;
update secret_rotation_credentials c set parameters = r.parameters from secret_rotations r where r.id = c.rotation_id;
`,
);
