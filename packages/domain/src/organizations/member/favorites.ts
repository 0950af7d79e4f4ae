import { z } from 'zod';
import { MembershipEntity } from '../../access/membership/index.ts';
import { defineEvent, Id, inTransaction, isId, notFound, record, type Context } from '../../kernel/index.ts';
import { personOf } from '../../users/session/index.ts';
import { ownOrganization } from '../organization/index.ts';

export const FavoritesRef = z.object({ orgId: Id });
export type FavoritesRef = z.output<typeof FavoritesRef>;
export const SetFavorites = FavoritesRef.extend({
  projectFavorites: z.array(Id).max(1000).describe('IDs of projects, in display order'),
});
export type SetFavorites = z.output<typeof SetFavorites>;

const favoritesSet = defineEvent(
  'organization_member.favorites_set',
  'update-project-favorites',
  z.object({ userId: z.string() }),
);

/** The caller's favorite projects. */
export async function getFavorites(ctx: Context, { orgId }: FavoritesRef): Promise<string[]> {
  const membership = await ownMembership(ctx, orgId);
  return membership.projectFavorites ?? [];
}

/** @throws DomainError 404 for a text that is no id of a project. */
export function setFavorites(ctx: Context, { orgId, projectFavorites }: SetFavorites): Promise<void> {
  if (!projectFavorites.every(isId)) throw notFound('project');
  return inTransaction(ctx, async (tx) => {
    const membership = await ownMembership(tx, orgId);
    membership.projectFavorites = [...new Set(projectFavorites)];
    record(tx, favoritesSet, { userId: membership.userId! });
  });
}

const ownMembership = (ctx: Context, orgId: string): Promise<MembershipEntity> =>
  ctx.em.findOneOrFail(
    MembershipEntity,
    { organizationId: ownOrganization(ctx, orgId), userId: personOf(ctx).id, projectId: null },
    { failHandler: () => notFound('organization') },
  );
