import { isDeepStrictEqual } from 'node:util';
import { definePermissions, forbidden, type Context, type Fields, type Permission } from '../kernel/index.ts';
import { authorizeById } from './access.ts';
import { subjectsOf } from './catalogue.ts';
import { gainsIn } from './gains.ts';

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

/**
 * Checks that the caller may change fields that rules use, such as the name or metadata of a resource. It needs the
 * right to edit the resource with the old and with the new values, and no actor may gain a right by the change that the
 * caller does not hold (see `Gains`): a change must not be a way around rules. Call it after locking the resource.
 *
 * @throws DomainError 404 if the caller is not a member of the project, 403.
 */
export async function authorizeChange(
  ctx: Context,
  edit: Permission,
  { projectId, before, after }: { readonly projectId: string; readonly before: Fields; readonly after: Fields },
): Promise<void> {
  await authorizeById(ctx, edit, { ...before, projectId });
  if (isDeepStrictEqual(before, after)) return;
  await authorizeById(ctx, edit, { ...after, projectId });
  const gains = await gainsIn(ctx, projectId);
  const gained = permissionsOnSubject(edit).find((one) => gains.gives(one, before, after));
  if (gained) throw gains.refusal(gained, gainByChange(gained), before);
}
