import { isId, notFound, type Context } from '../../kernel/index.ts';
import { organizationOf, type Target } from '../access.ts';
import { MembershipEntity } from '../membership/index.ts';
import type { IdentityOfProject, PrivilegeHolder, UserOfProject } from './privilege.ts';

/** A membership of a project, of the kind that the operation is about. */
export interface Membership {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly kind: PrivilegeHolder;
  readonly holderId: string;
}

/** @throws DomainError 404 for an identity without an own membership of the project. */
export async function identityMembership(
  ctx: Context,
  { identityId, projectId }: IdentityOfProject,
): Promise<Membership> {
  const organizationId = organizationOf(ctx);
  const row = isId(identityId)
    ? await ctx.em.findOne(MembershipEntity, { organizationId, projectId, identityId })
    : null;
  const membership = toMembership(row);
  if (!membership) throw notFound('membership');
  return membership;
}

/** @throws DomainError 404 for every ID but that of a user's membership of a project. */
export async function userMembership(ctx: Context, { projectMembershipId: id }: UserOfProject): Promise<Membership> {
  const organizationId = organizationOf(ctx);
  const membership = toMembership(isId(id) ? await ctx.em.findOne(MembershipEntity, { organizationId, id }) : null);
  if (membership?.kind !== 'user') throw notFound('membership');
  return membership;
}

/** `undefined` for a membership of an organization, and for that of a group. */
export function toMembership(row: MembershipEntity | null): Membership | undefined {
  const holderId = row?.userId ?? row?.identityId;
  if (!row?.projectId || !holderId) return undefined;
  const { id, organizationId, projectId, userId } = row;
  return { id, organizationId, projectId, kind: userId ? 'user' : 'identity', holderId };
}

/** The place of the member. */
export const locationOf = ({ organizationId, projectId }: Membership) => ({ organizationId, projectId });

/** The fields of the member that rules use. */
export const targetOf = ({ projectId, kind, holderId }: Membership): Target =>
  kind === 'identity' ? { projectId, identityId: holderId } : { projectId };
