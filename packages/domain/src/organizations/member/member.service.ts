import { isDeepStrictEqual } from 'node:util';
import {
  authorize,
  FOREVER,
  grant,
  organizationPermissions,
  requireAuthorityOverHolders,
  requireHoldingsWithin,
  requireMayChangeFacts,
  requireNoEscalation,
} from '../../access/index.ts';
import { requireMayLetIn } from '../../access/approval-policy/index.ts';
import {
  keepingOrganizationAdmins,
  MembershipEntity,
  notingAbandoned,
  removeUsers,
  replaceRoles,
} from '../../access/membership/index.ts';
import {
  givenFields,
  invalidate,
  inTransaction,
  isId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { deleteUninvitedUsers } from '../../users/user/index.ts';
import { ownOrganization } from '../organization/index.ts';
import { loadMembership, publishMemberships } from './list.ts';
import {
  memberRemoved,
  memberUpdated,
  type OrganizationMembership,
  type RemoveMembers,
  type UpdateMember,
} from './member.ts';

const members = organizationPermissions('member');

/**
 * Changes the role of a member, or deactivates or reactivates it.
 *
 * @throws DomainError 403 if the caller would grant more than it holds, also by a reactivation, or the member holds
 * more than the caller, and if service tokens of a reactivated user can bypass a change policy that the caller may not
 * edit; 400 if the organization would have no administrator; 404 for an unknown role.
 */
export async function updateMember(ctx: Context, input: UpdateMember): Promise<OrganizationMembership> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  await authorize(ctx, members.edit);
  const { role, isActive, metadata } = input;
  return inTransaction(ctx, (tx) =>
    keepingOrganizationAdmins(tx, [organizationId], async () => {
      if (role !== undefined) await requireNoEscalation(tx, { organizationId, until: FOREVER, roles: [role] });
      const membership = await loadMembership(tx, organizationId, input.membershipId);
      await requireAuthorityToUpdate(tx, membership, input);
      const isLetBackIn = isActive === true && !membership.isActive;
      if (isActive !== undefined) await setActive(tx, membership, isActive);
      if (metadata !== undefined) {
        await requireMayChangeFacts(tx, organizationId, membership.userId!, ['metadata']);
        membership.metadata = metadata;
      }
      membership.updatedAt = tx.now();
      if (role !== undefined) await replaceRoles(tx, membership, [{ role, isTemporary: false }]);
      await tx.em.flush();
      // With its new role it has its grants in projects again.
      if (isLetBackIn) {
        await requireHoldingsWithin(tx, organizationId, membership.userId!, FOREVER);
        await requireMayLetIn(tx, { holderIds: [membership.userId!], until: FOREVER });
      }
      noteChange(tx, membership);
      record(tx, memberUpdated, {
        membershipId: membership.id,
        userId: membership.userId!,
        changed: givenFields({ role, isActive, metadata }),
        ...(role !== undefined && { role }),
        ...(isActive !== undefined && { isActive }),
      });
      const [published] = await publishMemberships(tx, [membership]);
      return published!;
    }),
  );
}

/** A role counts in the organization; a reactivation, and metadata in rules, also in its projects. */
async function requireAuthorityToUpdate(
  tx: Transaction,
  { organizationId, userId, ...known }: MembershipEntity,
  { role, isActive = known.isActive, metadata = known.metadata }: UpdateMember,
): Promise<void> {
  const isEverywhere = isActive !== known.isActive || !isDeepStrictEqual(metadata, known.metadata);
  if (role === undefined && !isEverywhere) return;
  await requireAuthorityOverHolders(tx, {
    organizationId,
    holderIds: [userId!],
    ...(!isEverywhere && { places: [null] }),
  });
}

/** Deactivated members have no access to projects either. */
const setActive = (tx: Transaction, membership: MembershipEntity, isActive: boolean): Promise<void> =>
  notingAbandoned(tx, [membership.organizationId], [membership.userId!], async () => {
    membership.isActive = isActive;
  });

const OWN = statement(
  'memberships.own',
  'select id from memberships where organization_id = $1 and user_id = $2 and project_id is null',
);

/** Whether the caller only wants to leave, which needs no permission. */
async function isLeaving(ctx: Context, organizationId: string, membershipIds: readonly string[]): Promise<boolean> {
  // An API key cannot remove its own user.
  if (ctx.actor.type !== 'user' || ctx.actor.sessionId === undefined) return false;
  const [own] = await ctx.sql<{ id: string }>(OWN, [organizationId, ctx.actor.id]);
  return own !== undefined && membershipIds.every((id) => id === own.id);
}

/**
 * Removes users from the organization and all its projects, all or none. Everybody may leave.
 *
 * @throws DomainError 404 if one of them is not a member, 403 `PermissionBoundaryError` if one of them holds more than
 * the caller in the organization or a project, 400 if no administrator would be left.
 */
export async function removeMembers(ctx: Context, input: RemoveMembers): Promise<OrganizationMembership[]> {
  const organizationId = ownOrganization(ctx, input.organizationId);
  const ids = [...new Set(input.membershipIds)];
  if (await isLeaving(ctx, organizationId, ids)) grant(ctx, members.delete);
  else await authorize(ctx, members.delete);
  return inTransaction(ctx, (tx) =>
    keepingOrganizationAdmins(tx, [organizationId], async () => {
      const rows = ids.every(isId)
        ? await tx.em.find(
            MembershipEntity,
            { id: { $in: ids }, organizationId, projectId: null, userId: { $ne: null } },
            { orderBy: { createdAt: 'asc', id: 'asc' } },
          )
        : [];
      if (rows.length < ids.length) throw notFound('membership');
      const published = await publishMemberships(tx, rows);
      const userIds = rows.map(({ userId }) => userId!);
      await requireAuthorityOverHolders(tx, { organizationId, holderIds: userIds });
      await notingAbandoned(tx, [organizationId], userIds, () => removeUsers(tx, organizationId, userIds));
      await deleteUninvitedUsers(tx, userIds);
      for (const row of rows) {
        noteChange(tx, row);
        record(tx, memberRemoved, { membershipId: row.id, userId: row.userId! });
      }
      tx.em.clear();
      return published;
    }),
  );
}

const noteChange = (tx: Transaction, { userId }: MembershipEntity): void => invalidate(tx, `actor:${userId}`);
