import { isDeepStrictEqual } from 'node:util';
import { definePermissions, forbidden, type Context, type Permission } from '../kernel/index.ts';
import { abilityIn, authorizeById } from './access.ts';
import { subjectsOf } from './catalogue.ts';
import { gainsIn } from './gains.ts';
import { requireMayPlace, type Placement, type PlacingPermissions } from './placing.ts';

/** Every permission on the subject of a permission. */
export const permissionsOnSubject = ({ scope, subject }: Permission): Permission[] =>
  Object.values(definePermissions(scope, subject, subjectsOf(scope)[subject]!.actions));

/** 403 `access.change_gains`: after the change some actor could do what the caller may not do now. */
export const gainByChange = ({ action, subject }: Permission) =>
  forbidden(
    'access.change_gains',
    `After this change, others could ${action} this ${subject}, which you are not permitted to do now`,
    { name: 'PermissionDenied' },
  );

/** A change of a resource, with its name also where no rule can use it. */
export interface ResourceChange extends Placement {
  readonly projectId: string;
}

export interface SlugChange {
  readonly projectId: string | undefined;
  readonly before: string;
  /** Absent where it stays. */
  readonly after: string | undefined;
}

/**
 * Checks that no rule forbids the caller to create or delete resources of a kind before one gets another slug, by which
 * others refer to it. For kinds of which rules cannot tell one from another; the right to edit them was asked.
 *
 * @throws DomainError 403.
 */
export async function authorizeSlugChange(
  ctx: Context,
  permissions: PlacingPermissions,
  { projectId, before, after = before }: SlugChange,
): Promise<void> {
  const change = { before: { slug: before }, after: { slug: after } };
  if (after !== before) await requireMayPlace(await abilityIn(ctx, projectId), permissions, projectId, [change]);
}

/**
 * Checks that the caller may change fields that rules use, or by which others find a resource, such as its name or metadata.
 * It needs the right to edit the resource with the old and with the new values. No actor may gain a right by the change that
 * the caller does not hold (see `Gains`), and no rule may forbid the caller to create it with the new values, nor to delete
 * it where it leaves a name (see `requireMayPlace`): a change must not be a way around rules. Call it after locking the
 * resource.
 *
 * @throws DomainError 404 if the caller is not a member of the project, 403.
 */
export async function authorizeChange(
  ctx: Context,
  permissions: PlacingPermissions,
  { projectId, before, after }: ResourceChange,
): Promise<void> {
  const { edit } = permissions;
  await authorizeById(ctx, edit, { ...before, projectId });
  if (isDeepStrictEqual(before, after)) return;
  await authorizeById(ctx, edit, { ...after, projectId });
  const gains = await gainsIn(ctx, projectId);
  const asked = await gains.notHeld(permissionsOnSubject(edit), (held, one) => held.can(one, before));
  const gained = asked.find((one) => gains.gives(one, before, after));
  if (gained) throw gains.refusal(gained, gainByChange(gained), before);
  await requireMayPlace(await abilityIn(ctx, projectId), permissions, projectId, [{ before, after }]);
}
