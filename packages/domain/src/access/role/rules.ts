import { LockMode } from '@mikro-orm/core';
import { notFound, type Context, type Rule } from '../../kernel/index.ts';
import { builtInRole } from '../built-in-roles.ts';
import type { Place } from '../grants.ts';
import { spanOfWindow, type TimeWindow } from '../temporary.ts';
import { RoleEntity } from './role.entity.ts';
import { rulesOfRoles } from './stored-rules.ts';

/** A role by its slug, alone (it does not end) or with the time window for which memberships are given it. */
export type AssignedRole = string | ({ readonly role: string } & TimeWindow);

export const slugOf = (role: AssignedRole): string => (typeof role === 'string' ? role : role.role);

/** When a role ends that is assigned so; milliseconds. */
export const endOfRole = (role: AssignedRole): number =>
  typeof role === 'string' || !role.isTemporary ? Infinity : spanOfWindow(role).end;

/** When the last of some roles that allow anything ends; `-Infinity` if none does. */
export const lastEndOf = (roles: readonly AssignedRole[]): number =>
  Math.max(...roles.filter((role) => slugOf(role) !== 'no-access').map(endOfRole));

/**
 * The rules of some roles of a place, in order. Within a transaction they are locked until its end, so that no one
 * edits them between an assignment's check and its commit.
 *
 * @throws DomainError 404 for a role that the place does not have.
 */
export async function roleRules(
  ctx: Context,
  { organizationId, projectId }: Place,
  roles: readonly AssignedRole[],
): Promise<(readonly Rule[])[]> {
  const scope = projectId ? 'project' : 'organization';
  const slugs = [...new Set(roles.map(slugOf))];
  const customSlugs = slugs.filter((slug) => !builtInRole(scope, slug));
  const where = { organizationId, projectId: projectId ?? null, slug: { $in: customSlugs } };
  const only = { fields: ['slug'], orderBy: { id: 'asc' }, disableIdentityMap: true } as const;
  const lock = ctx.outbox && ({ lockMode: LockMode.PESSIMISTIC_READ } as const);
  const custom = customSlugs.length > 0 ? await ctx.em.find(RoleEntity, where, { ...only, ...lock }) : [];
  const rulesOf = await rulesOfRoles(
    ctx,
    organizationId,
    custom.map(({ id }) => id),
  );
  return roles.map(slugOf).map((slug) => {
    const rules = builtInRole(scope, slug)?.rules ?? rulesOf.get(custom.find((one) => one.slug === slug)?.id ?? '');
    if (!rules) throw notFound('role', { slug });
    return rules;
  });
}
