import { isDeepStrictEqual } from 'node:util';
import { definePermissions, forbidden, type Context, type Fields, type Permission } from '../kernel/index.ts';
import { authorizeById } from './access.ts';
import { subjectsOf } from './catalogue.ts';
import { gainsIn } from './gains.ts';

/** Every permission on the subject of a permission. */
export const permissionsOnSubject = ({ scope, subject }: Permission): Permission[] =>
  Object.values(definePermissions(scope, subject, subjectsOf(scope)[subject]!.actions));

/** 403 `access.change_gains`: after the change somebody could do what the caller may not do now. */
export const gainByChange = ({ action, subject }: Permission) =>
  forbidden(
    'access.change_gains',
    `After this change, others could ${action} this ${subject}, which you are not permitted to do now`,
    { name: 'PermissionDenied' },
  );

/**
 * Asks whether the caller may change the fields of a thing that rules look at: its name, its metadata. It takes the right
 * to edit what the thing is now and what it becomes, and nobody may gain a right by it that the caller does not hold (see
 * `Gains`): a change is no way into what rules hide, nor out of what they forbid. Comes after the thing is locked.
 *
 * @throws DomainError 404 where the caller is no member of the project, 403.
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
