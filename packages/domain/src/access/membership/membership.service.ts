import {
  badRequest,
  explainConstraint,
  invalidate,
  newId,
  notFound,
  statement,
  type Transaction,
} from '../../kernel/index.ts';
import { organizationOf } from '../access.ts';
import { builtInRole } from '../built-in-roles.ts';
import { keepingFewRules } from '../few-rules.ts';
import { lockMembership, timeOfGroupRoles } from '../grant-time.ts';
import { RoleEntity } from '../role/role.entity.ts';
import { storeWindow } from '../temporary.ts';
import { endTokensOfLeavers } from './leavers.ts';
import { MembershipEntity, MembershipRoleEntity } from './membership.entity.ts';
import type { RoleAssignment } from './membership.ts';

explainConstraint('memberships_user_unique', 'This user is already a member');
explainConstraint('memberships_identity_unique', 'This identity is already a member');
explainConstraint('memberships_group_unique', 'This group is already a member');

/** The holder of a membership: one of these. */
interface Holder {
  readonly userId?: string;
  readonly identityId?: string;
  readonly groupId?: string;
}

export interface NewMember extends Holder {
  readonly organizationId: string;
  readonly projectId?: string | null;
  readonly roles: readonly RoleAssignment[];
  readonly status?: 'invited' | 'accepted';
  readonly inviteEmail?: string | null;
}

const LOCK_ORGANIZATION = statement(
  'memberships.lock_organization',
  'select id from organizations where id = $1 for share',
);

/** Locks out the removal of users and groups from the organization while they are added to one of its projects. */
export const lockOrganization = async (tx: Transaction): Promise<void> =>
  void (await tx.sql(LOCK_ORGANIZATION, [organizationOf(tx)]));

const OWN = statement(
  'memberships.own_of_organization',
  `select membership_id as "membershipId"
   from effective_memberships where organization_id = $1 and project_id is null and actor_id = $2`,
);

/**
 * The same for callers who join a project themselves.
 *
 * @throws DomainError 404 if the caller was removed from the organization meanwhile.
 */
export async function lockOwnMembership(tx: Transaction): Promise<void> {
  await lockOrganization(tx);
  const { actor } = tx;
  if ('id' in actor && (await tx.sql(OWN, [organizationOf(tx), actor.id])).length === 0) throw notFound('organization');
}

/** Makes an actor or a group a member of an organization or project. The caller's right to do so was checked before. */
export async function addMember(tx: Transaction, member: NewMember): Promise<MembershipEntity> {
  const [added] = await addMembers(tx, member, [member]);
  return added!;
}

/** The same for several members with the same roles at one place. */
export async function addMembers(
  tx: Transaction,
  { organizationId, projectId = null, roles, status = 'accepted', inviteEmail = null }: Omit<NewMember, keyof Holder>,
  holders: readonly Holder[],
): Promise<MembershipEntity[]> {
  const found = await findRoles(tx, { organizationId, projectId }, roles);
  if (projectId !== null) await endTokensOfLeavers(tx, { organizationIds: [organizationId], projectIds: [projectId] });
  const memberships = holders.map(({ userId = null, identityId = null, groupId = null }) => {
    const of = { organizationId, projectId, userId, identityId, groupId };
    return tx.em.create(MembershipEntity, { id: newId(), ...of, status, inviteEmail });
  });
  tx.em.persist(memberships);
  const time = await timeOfRoles(tx, { organizationId, projectId }, memberships);
  await assigning(tx, memberships, found, () =>
    memberships.forEach((membership) => assign(tx, membership, found, time)),
  );
  return memberships;
}

/** Assigns roles to memberships of one place, whose holders then have few rules (see `keepingFewRules`). */
async function assigning<T>(
  tx: Transaction,
  memberships: readonly MembershipEntity[],
  roles: readonly FoundRole[],
  change: () => T | Promise<T>,
): Promise<T> {
  const [first] = memberships;
  // Built-in roles always count.
  if (!first || roles.every(({ customRoleId }) => customRoleId === null)) return change();
  return keepingFewRules(
    tx,
    {
      organizationId: first.organizationId,
      places: [first.projectId ?? null],
      actorIds: memberships.flatMap(({ userId, identityId }) => userId ?? identityId ?? []),
      groupIds: memberships.flatMap(({ groupId }) => groupId ?? []),
    },
    async () => change(),
  );
}

/** When roles are given to some memberships of a place. Those of one actor are replaced together, in their order. */
const timeOfRoles = async (
  tx: Transaction,
  { organizationId, projectId = null }: Pick<NewMember, 'organizationId' | 'projectId'>,
  memberships: readonly MembershipEntity[],
): Promise<Date> =>
  memberships.some(({ groupId }) => groupId)
    ? timeOfGroupRoles(tx, { organizationId, projectId: projectId ?? undefined })
    : tx.now();

/** Replaces the roles of a membership. Of two concurrent calls, the second waits and replaces the roles of the first. */
export async function replaceRoles(
  tx: Transaction,
  membership: MembershipEntity,
  roles: readonly RoleAssignment[],
): Promise<MembershipRoleEntity[]> {
  const found = await findRoles(tx, membership, roles);
  await lockMembership(tx, membership.id);
  const time = await timeOfRoles(tx, membership, [membership]);
  return assigning(tx, [membership], found, async () => {
    await tx.em.nativeDelete(MembershipRoleEntity, { membershipId: membership.id });
    return assign(tx, membership, found, time);
  });
}

/** An existing role, as it is assigned. */
interface FoundRole {
  readonly assignment: RoleAssignment;
  /** `null` for a built-in role. */
  readonly customRoleId: string | null;
}

/**
 * The roles of a place by their slugs.
 *
 * @throws DomainError 404 for an unknown one.
 */
async function findRoles(
  tx: Transaction,
  { organizationId, projectId = null }: Pick<NewMember, 'organizationId' | 'projectId'>,
  roles: readonly RoleAssignment[],
): Promise<FoundRole[]> {
  if (roles.length === 0) throw badRequest('membership.no_role', 'A member needs at least one role');
  const isBuiltIn = (slug: string) => builtInRole(projectId ? 'project' : 'organization', slug) !== undefined;
  const slugs = roles.map(({ role }) => role).filter((slug) => !isBuiltIn(slug));
  const only = { fields: ['slug'], disableIdentityMap: true } as const;
  const where = { organizationId, projectId, slug: { $in: slugs } };
  const custom = slugs.length ? await tx.em.find(RoleEntity, where, only) : [];
  return roles.map((assignment) => {
    const { role: slug } = assignment;
    if (isBuiltIn(slug)) return { assignment, customRoleId: null };
    const role = custom.find((one) => one.slug === slug);
    if (!role) throw notFound('role', { slug });
    return { assignment, customRoleId: role.id };
  });
}

function assign(
  tx: Transaction,
  membership: MembershipEntity,
  roles: readonly FoundRole[],
  time: Date,
): MembershipRoleEntity[] {
  const { id: membershipId, organizationId } = membership;
  const assigned = roles.map(({ assignment, customRoleId }) =>
    tx.em.create(MembershipRoleEntity, {
      id: newId(),
      organizationId,
      membershipId,
      role: customRoleId ? 'custom' : assignment.role,
      customRoleId,
      ...storeWindow(assignment),
      createdAt: time,
      updatedAt: time,
    }),
  );
  tx.em.persist(assigned);
  invalidateHolder(tx, membership);
  return assigned;
}

/**
 * Invalidates the cached permissions of the holder of a membership: one actor, or, for a group, all actors at its
 * place.
 */
export function invalidateHolder(
  tx: Transaction,
  { userId, identityId, organizationId, projectId }: MembershipEntity,
): void {
  const actorId = userId ?? identityId;
  invalidate(tx, actorId ? `actor:${actorId}` : `access:${projectId ?? organizationId}`);
}
