import { allowsNothing } from '../../access/index.ts';
import { kmsPermissions } from '../../kms/key/index.ts';
import { defineEnds } from '../kind.ts';

/** Deleted keys, which are destroyed then. */
export const kmsKeys = defineEnds({
  kind: 'kms-key',
  from: 'kms_keys k',
  where: 'k.organization_id = board.organization_id and k.project_id = board.project_id',
  id: 'k.id',
  endsAt: 'k.deletion_at',
  name: 'k.name',
  mayRead({ ability, projectId }) {
    if (allowsNothing(ability, kmsPermissions.read)) return undefined;
    return ({ name: keyName }) => ability.can(kmsPermissions.read, { projectId, keyName });
  },
});
