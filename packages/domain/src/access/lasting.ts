import type { Ability, Context, Fields, MaybePromise, Permission } from '../kernel/index.ts';
import { organizationOf, passByRules } from './access.ts';
import { beyondBoundary } from './boundary.ts';
import { heldForever } from './held-forever.ts';

/** A permission on something, with its fields that rules use. */
export interface AskedRight {
  readonly permission: Permission;
  readonly fields: Fields;
}

/**
 * Checks that the caller holds a right permanently: for what runs by itself or is used by others later, when the right is not
 * checked again. The caller has already checked that it holds the right now. What runs by itself calls this when it is
 * created, changed, enabled or renamed; what runs once on request does not.
 *
 * @param projectId Absent for a right in the organization.
 * @param holds Whether rights are enough; default: they give the permission.
 * @throws DomainError 403 `PermissionBoundaryError` with `details.heldUntil`.
 */
export async function requireLasting(
  ctx: Context,
  projectId: string | undefined,
  { permission, fields }: AskedRight,
  holds: (held: Ability) => MaybePromise<boolean> = (held) => held.can(permission, fields),
): Promise<void> {
  for (const { from, ability } of await heldForever(ctx, { organizationId: organizationOf(ctx), projectId })) {
    if (await holds(ability)) continue;
    const { action, subject } = permission;
    throw beyondBoundary([{ action, subject, conditions: { ...fields } }], new Date(from));
  }
  passByRules(ctx, (again) => requireLasting(again, projectId, { permission, fields }, holds));
}
