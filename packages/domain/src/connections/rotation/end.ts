import { defineDeletionBlocker } from '../../projects/project/index.ts';

/** Rotations with the credentials that they have made at other systems, some of which are known to nobody else. */
export const activeRotations = defineDeletionBlocker({
  name: 'secret_rotations.stand',
  code: 'secret_rotation.stands',
  from: 'secret_rotations t',
  where: 'true',
  inProject:
    'The project contains secret rotations, whose credentials work at other systems: delete the rotations first, with or without revoking these',
  inOrganization:
    'These projects contain secret rotations, whose credentials work at other systems: delete the rotations first, with or without revoking these',
});
