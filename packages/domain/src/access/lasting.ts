import type { Ability, Context, Fields, Permission } from '../kernel/index.ts';
import { compile } from './ability.ts';
import { organizationOf } from './access.ts';
import { beyondBoundary } from './boundary.ts';
import { FOREVER, heldUntil } from './period.ts';

/** A permission on something, with its fields that rules use. */
export interface AskedRight {
  readonly permission: Permission;
  readonly fields: Fields;
}

/**
 * Checks that the caller has a right in a project without an end: for what goes on by itself, or is used by others, after that
 * nobody asks for it again. Whether the caller has it now was checked.
 *
 * @param holds Whether rights are enough; default: they give the permission.
 * @throws DomainError 403 `PermissionBoundaryError` with `details.heldUntil`.
 */
export async function requireLasting(
  ctx: Context,
  projectId: string,
  { permission, fields }: AskedRight,
  holds = (held: Ability): boolean => held.can(permission, fields),
): Promise<void> {
  if (ctx.actor.type === 'platform') return;
  const place = { organizationId: organizationOf(ctx), projectId };
  const end = (await heldUntil(ctx, place, FOREVER)).find(({ rules }) => !holds(compile(rules)));
  if (!end) return;
  const { action, subject } = permission;
  throw beyondBoundary([{ action, subject, conditions: { ...fields } }], new Date(end.from));
}
