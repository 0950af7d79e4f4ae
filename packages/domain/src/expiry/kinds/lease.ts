import { allowsNothing } from '../../access/index.ts';
import type { Metadata } from '../../kernel/index.ts';
import { dynamicSecretPermissions, isOwnLease } from '../../secrets/dynamic/index.ts';
import { defineEnds } from '../kind.ts';

interface LeaseFacts {
  readonly environment: string;
  readonly secretPath: string;
  readonly metadata: Metadata;
  readonly dynamicSecretName: string;
  readonly createdById: string | null;
  readonly createdByType: string | null;
}

const { 'read-root-credential': mayReadAll, lease: mayLease } = dynamicSecretPermissions;

/** Credentials of dynamic secrets: all for callers who may read the root credential, otherwise the caller's own. */
export const leases = defineEnds<LeaseFacts>({
  kind: 'lease',
  from: `dynamic_secrets d join dynamic_secret_leases t on t.dynamic_secret_id = d.id
    join folders f on f.id = d.folder_id and not f.is_reserved join environments e on e.id = f.environment_id`,
  where: `d.organization_id = board.organization_id and d.project_id = board.project_id and t.phase <> 'ending'`,
  id: 't.id',
  endsAt: 't.expire_at',
  name: 't.external_entity_id',
  of: 'd.name',
  columns: `e.slug as environment, f.path as "secretPath", d.metadata, d.name as "dynamicSecretName",
    t.created_by_id as "createdById", t.created_by_type as "createdByType"`,
  mayRead({ ctx, ability, projectId }) {
    if (allowsNothing(ability, mayReadAll) && allowsNothing(ability, mayLease)) return undefined;
    return (row) => {
      const { environment, secretPath, metadata } = row;
      const place = { projectId, environment, secretPath, metadata };
      return ability.can(mayReadAll, place) || (isOwnLease(ctx, row) && ability.can(mayLease, place));
    };
  },
  details: ({ environment, secretPath, dynamicSecretName }) => ({ environment, secretPath, dynamicSecretName }),
});
