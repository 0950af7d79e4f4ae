import type { Ability, Context, Fields, MaybePromise, Permission } from '../kernel/index.ts';
import { organizationOf } from './access.ts';
import { beyondBoundary } from './boundary.ts';
import { heldForever } from './held-forever.ts';

/** A permission on something, with its fields that rules use. */
export interface AskedRight {
  readonly permission: Permission;
  readonly fields: Fields;
}

/**
 * Checks that the caller has a right in a project, or in the organization (`undefined`), without an end: for what goes on by itself, or is used by others, after that
 * nobody asks for it again. Whether the caller has it now was checked. What goes on by itself asks it where it is created,
 * changed, enabled, and given another name; what runs once, when somebody requests it, does not.
 *
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
}
