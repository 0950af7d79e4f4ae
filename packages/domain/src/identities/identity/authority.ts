import { requireExemptionsWithin } from '../../access/approval-policy/index.ts';
import {
  FOREVER,
  requireHoldingsWithin,
  requireMayChangeFacts,
  type FactName,
  type Until,
} from '../../access/index.ts';
import { forbidden, isForbiddenError, isPermitted, type Context } from '../../kernel/index.ts';
import type { IdentityEntity } from './identity.entity.ts';
import { authorizeIdentity } from './permission.ts';

/**
 * Checks that the caller holds everything that an identity may do, before changing how the identity logs in or its
 * names in rules: for as long as the result allows acting as the identity (`until`). If a change policy exempts the
 * identity, the caller must also be able to edit it. An identity has this authority over itself. Facts in `changed`
 * that rules use must not give the caller more, nor for longer.
 *
 * @throws DomainError 403: `PermissionBoundaryError` with the missing rights, or, for an identity that administers the
 * instance, unless the caller does so, too.
 */
export async function requireAuthorityOver(
  ctx: Context,
  identity: IdentityEntity,
  until: Until,
  changed: readonly FactName[] = [],
): Promise<void> {
  const { actor } = ctx;
  const isSelf = actor.type === 'platform' || ('id' in actor && actor.id === identity.id);
  if (!isSelf && identity.isSuperAdmin && !('isSuperAdmin' in actor && actor.isSuperAdmin)) {
    throw forbidden(
      'identity.instance_admin',
      'Only an administrator of the instance may do this to an identity that administers the instance',
    );
  }
  await requireHoldingsWithin(ctx, identity.organizationId, identity.id, until);
  await requireExemptionsWithin(ctx, identity.organizationId, identity.id, until);
  if (isSelf || until !== FOREVER) await requireMayChangeFacts(ctx, identity.organizationId, identity.id, changed);
}

/**
 * Checks the right to change how an identity logs in: to attach a login method (`create`), or to update one.
 *
 * @throws DomainError 403.
 */
export async function requireMayConfigure(
  ctx: Context,
  right: 'create' | 'edit',
  identity: IdentityEntity,
): Promise<void> {
  await authorizeIdentity(ctx, right, identity);
  await requireAuthorityOver(ctx, identity, FOREVER, ['auth']);
}

/** Whether the caller may change the login methods of an identity, and so see the credentials in them. */
export const mayConfigure = (ctx: Context, identity: IdentityEntity): Promise<boolean> =>
  isPermitted(() => requireMayConfigure(ctx, 'edit', identity), isForbiddenError);
