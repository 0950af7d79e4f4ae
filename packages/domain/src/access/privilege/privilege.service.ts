import { LockMode, type FindOneOptions } from '@mikro-orm/core';
import {
  findInPortions,
  givenFields,
  explainConstraint,
  invalidate,
  inTransaction,
  isId,
  newId,
  notFound,
  randomSlug,
  record,
  statement,
  type Context,
  type Rule,
  type Transaction,
} from '../../kernel/index.ts';
import { authorize, authorizeById, organizationOf, unlessHidden } from '../access.ts';
import { requireMayGiveMachineRights } from '../approval-policy/index.ts';
import { requireAuthorityOverHolders } from '../authority.ts';
import { requireNoEscalation } from '../boundary.ts';
import { requireMayLiftFromMachines } from '../denials.ts';
import { keepingFewRules } from '../few-rules.ts';
import { timeOfPrivilege } from '../grant-time.ts';
import { keepingAnAdmin, MembershipEntity } from '../membership/index.ts';
import { MAX_RULES } from '../rule-limit.ts';
import { publishRules } from '../rule.ts';
import { publishWindow, recordedPeriod, spanOfWindow, storeWindow } from '../temporary.ts';
import { authorizeAssigning } from './authorize-assigning.ts';
import { identityMembership, locationOf, targetOf, toMembership, userMembership, type Membership } from './holder.ts';
import { PrivilegeEntity } from './privilege.entity.ts';
import {
  privilegeEvents,
  privilegePermissions,
  type CreatePrivilege,
  type HeldPrivilege,
  type IdentityOfProject,
  type PrivilegeHolder,
  type PrivilegeRef,
  type UpdatePrivilege,
  type UserOfProject,
} from './privilege.ts';
import { endOf, givenByUpdate, lastEndOfUpdate, nextWindow, stillForbidding } from './update.ts';

explainConstraint('additional_privileges_slug_unique', 'This member already has a privilege with this slug');

/** The privileges of a machine identity in a project, the oldest first, which is the order in which they count. */
export async function listIdentityPrivileges(ctx: Context, of: IdentityOfProject): Promise<HeldPrivilege[]> {
  await authorize(ctx, privilegePermissions.identity.read, of);
  return list(ctx, await identityMembership(ctx, of));
}

/** The privileges of a person in a project, the oldest first, which is the order in which they count. */
export async function listUserPrivileges(ctx: Context, of: UserOfProject): Promise<HeldPrivilege[]> {
  const membership = await userMembership(ctx, of);
  await unlessHidden('membership', authorizeById(ctx, privilegePermissions.user.read, targetOf(membership)));
  return list(ctx, membership);
}

/** @throws DomainError 404 also for a privilege of the other kind of member, and where the caller may not see the place. */
export async function getPrivilege(
  ctx: Context,
  kind: PrivilegeHolder,
  { privilegeId }: { privilegeId: string },
): Promise<HeldPrivilege> {
  const { row, membership } = await findById(ctx, kind, privilegeId);
  await unlessHidden('privilege', authorizeById(ctx, privilegePermissions[kind].read, targetOf(membership)));
  return toPrivilege(row, membership);
}

/** @throws DomainError 404 for a slug that no privilege of this member has. */
export async function getIdentityPrivilegeBySlug(
  ctx: Context,
  { privilegeSlug, ...of }: IdentityOfProject & { privilegeSlug: string },
): Promise<HeldPrivilege> {
  await authorize(ctx, privilegePermissions.identity.read, of);
  const membership = await identityMembership(ctx, of);
  return toPrivilege(await findBySlug(ctx, membership, privilegeSlug), membership);
}

/**
 * Grants a machine identity rules in addition to its roles.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if they allow more, or for longer, than the caller may do there, or
 * forbid something to an identity that may do more than the caller; 400 if the slug exists, and if it forbids something
 * to the last administrator of the project without forbidding rules; 404 for an identity without an own membership of
 * the project.
 */
export async function createIdentityPrivilege(
  ctx: Context,
  { identityId, projectId, ...input }: CreatePrivilege & IdentityOfProject,
): Promise<HeldPrivilege> {
  await authorizeAssigning(ctx, 'identity', { projectId, identityId });
  return create(ctx, await identityMembership(ctx, { projectId, identityId }), input);
}

/**
 * Grants a user rules in addition to its roles.
 *
 * @throws DomainError as for machine identities.
 */
export async function createUserPrivilege(
  ctx: Context,
  { projectMembershipId, ...input }: CreatePrivilege & UserOfProject,
): Promise<HeldPrivilege> {
  const membership = await userMembership(ctx, { projectMembershipId });
  await unlessHidden('membership', authorizeAssigning(ctx, 'user', targetOf(membership), { isById: true }));
  return create(ctx, membership, input);
}

async function create(ctx: Context, membership: Membership, input: CreatePrivilege): Promise<HeldPrivilege> {
  const { organizationId, projectId } = membership;
  const { permissions } = input;
  const until = spanOfWindow(input.type).end;
  await requireNoEscalation(ctx, { organizationId, projectId, until, rules: permissions });
  await requireMayGiveMachineRights(ctx, { projectIds: [projectId], holderIds: [membership.holderId], until });
  return inTransaction(ctx, (tx) =>
    guarded(tx, membership, permissions, async () => {
      if (permissions.some(({ inverted }) => inverted)) await requireAuthorityOverMember(tx, membership);
      return give(tx, membership, input);
    }),
  );
}

/** Deleting a privilege removes rights, and so does creating one that forbids. Any update may. */
const requireAuthorityOverMember = (tx: Transaction, { organizationId, projectId, holderId }: Membership) =>
  requireAuthorityOverHolders(tx, { organizationId, holderIds: [holderId], places: [projectId] });

/** Makes a change of the privileges of a member, who then has few rules. */
async function keepingFew<T>(
  tx: Transaction,
  { id, organizationId, projectId, holderId }: Membership,
  change: () => Promise<T>,
): Promise<T> {
  const result = await keepingFewRules(tx, { organizationId, places: [projectId], actorIds: [holderId] }, change);
  await tx.sql(REMOVE_ENDED, [id, tx.now(), MAX_RULES]);
  return result;
}

/**
 * Those that have ended are kept as a record, newest first, as long as they have no more rules than a member may have. The end
 * is compared for each row that is removed, too: an update may have given it another one meanwhile.
 */
const REMOVE_ENDED = statement(
  'privileges.remove_ended',
  `with ended as (
     select p.id, sum(greatest(coalesce(p.rules_size, 1), 1)) over (order by p.updated_at desc, p.id) as size
     from additional_privileges p where p.membership_id = $1 and p.temporary_access_end_time <= $2
   )
   delete from additional_privileges p using ended e where p.id = e.id and e.size > $3
     and p.temporary_access_end_time <= $2`,
);

async function give(tx: Transaction, membership: Membership, input: CreatePrivilege): Promise<HeldPrivilege> {
  const { id: membershipId, organizationId, projectId, kind } = membership;
  const { permissions, type } = input;
  const slug = input.slug ?? randomSlug();
  const time = await timeOfPrivilege(tx, membershipId);
  const row = tx.em.create(PrivilegeEntity, {
    id: newId(),
    organizationId,
    projectId,
    membershipId,
    slug,
    permissions,
    ...storeWindow(type),
    createdAt: time,
    updatedAt: time,
  });
  await keepingFew(tx, membership, () => tx.em.persist(row).flush());
  invalidate(tx, `actor:${membership.holderId}`);
  const given = { permissions: publishRules(permissions), ...recordedPeriod(row) };
  record(tx, privilegeEvents[kind].created, { ...eventData(row, membership), ...given }, { projectId });
  return toPrivilege(row, membership);
}

/**
 * Grants a privilege that others have approved to a user: without forbidding rules. The rights of the caller are not
 * checked, because those of the approvers were.
 */
export async function giveApproved(
  tx: Transaction,
  { projectMembershipId }: UserOfProject,
  input: CreatePrivilege,
): Promise<HeldPrivilege> {
  return give(tx, await userMembership(tx, { projectMembershipId }), input);
}

/** Forbidding rules must not affect the last administrator of the project without such rules: 400. */
const guarded = <T>(
  tx: Transaction,
  { organizationId, projectId }: Membership,
  rules: readonly Rule[],
  change: () => Promise<T>,
): Promise<T> =>
  rules.some(({ inverted }) => inverted) ? keepingAnAdmin(tx, organizationId, projectId, change) : change();

/**
 * Updates the given fields of a privilege; it applies from the member's next request on.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if it would allow more, or for longer, than the caller may do, if
 * the member may do more there than the caller, or if it would no longer forbid what the caller may not do either; 400
 * if the slug exists, and if it forbids something to the last administrator without forbidding rules.
 */
export async function updatePrivilege(
  ctx: Context,
  kind: PrivilegeHolder,
  ref: PrivilegeRef,
  changes: UpdatePrivilege,
): Promise<HeldPrivilege> {
  return inTransaction(ctx, async (tx) => {
    const { row, membership } = await findToAssign(tx, kind, ref);
    const { projectId } = membership;
    const type = nextWindow(row, changes.type);
    const giving = givenByUpdate(row, { ...changes, type }, tx.now().getTime());
    if (giving) await requireNoEscalation(tx, { ...locationOf(membership), ...giving });
    // Also for another slug alone, by which others delete a privilege.
    await requireAuthorityOverMember(tx, membership);
    if (giving)
      await requireMayGiveMachineRights(tx, {
        projectIds: [projectId],
        holderIds: [membership.holderId],
        until: lastEndOfUpdate(giving),
      });
    const { slug, permissions } = changes;
    const next = { slug, permissions, ...(type && storeWindow(type)), updatedAt: tx.now() };
    await guarded(tx, membership, permissions ?? row.permissions, () =>
      keepingFew(tx, membership, async () => {
        tx.em.assign(row, next, { ignoreUndefined: true });
        await tx.em.flush();
      }),
    );
    invalidate(tx, `actor:${membership.holderId}`);
    const given = { ...(permissions && { permissions: publishRules(permissions) }), ...recordedPeriod(row) };
    const data = { ...eventData(row, membership), changed: givenFields(changes), ...given };
    record(tx, privilegeEvents[kind].updated, data, { projectId });
    return toPrivilege(row, membership);
  });
}

/**
 * Deletes a privilege.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if the member may do more in the project than the caller, or the
 * privilege forbids what the caller may not do either, or forbids it to a machine that is exempt from a change policy
 * which the caller may not edit.
 */
export async function deletePrivilege(ctx: Context, kind: PrivilegeHolder, ref: PrivilegeRef): Promise<HeldPrivilege> {
  return inTransaction(ctx, async (tx) => {
    const { row, membership } = await findToAssign(tx, kind, ref);
    const { projectId } = membership;
    await requireAuthorityOverMember(tx, membership);
    const until = endOf(row);
    const replaced = stillForbidding(row, tx.now().getTime());
    await requireNoEscalation(tx, { ...locationOf(membership), until, replaced });
    const holderIds = [membership.holderId];
    await requireMayLiftFromMachines(tx, { projectId, holderIds, before: replaced, after: [], until });
    const last = toPrivilege(row, membership);
    await tx.em.remove(row).flush();
    invalidate(tx, `actor:${membership.holderId}`);
    record(tx, privilegeEvents[kind].deleted, eventData(last, membership), { projectId });
    return last;
  });
}

/** Loads a privilege and locks it until the transaction ends; the caller's right to change it was checked before. */
async function findToAssign(tx: Transaction, kind: PrivilegeHolder, ref: PrivilegeRef) {
  if (!('privilegeId' in ref)) {
    const { privilegeSlug, ...of } = ref;
    await authorizeAssigning(tx, kind, of);
    const membership = await identityMembership(tx, of);
    return { row: await findBySlug(tx, membership, privilegeSlug, LOCKED), membership };
  }
  // A privilege stays with its membership.
  const { membership } = await findById(tx, kind, ref.privilegeId);
  await unlessHidden('privilege', authorizeAssigning(tx, kind, targetOf(membership), { isById: true }));
  return findById(tx, kind, ref.privilegeId, LOCKED);
}

/** Read again, too: it may have been changed before it was locked. */
const LOCKED: Finding = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true };
type Finding = Pick<FindOneOptions<PrivilegeEntity>, 'lockMode' | 'refresh'>;

async function findById(ctx: Context, kind: PrivilegeHolder, id: string, finding: Finding = {}) {
  const organizationId = organizationOf(ctx);
  const row = isId(id) ? await ctx.em.findOne(PrivilegeEntity, { id, organizationId }, finding) : null;
  const membership = row && toMembership(await ctx.em.findOne(MembershipEntity, { id: row.membershipId }));
  if (!row || membership?.kind !== kind) throw notFound('privilege');
  return { row, membership };
}

async function findBySlug(
  ctx: Context,
  { id: membershipId }: Membership,
  slug: string,
  finding: Finding = {},
): Promise<PrivilegeEntity> {
  const canExist = /^[a-z0-9-]{1,60}$/.test(slug);
  const row = canExist ? await ctx.em.findOne(PrivilegeEntity, { membershipId, slug }, finding) : null;
  if (!row) throw notFound('privilege');
  return row;
}

async function list(ctx: Context, membership: Membership): Promise<HeldPrivilege[]> {
  const oldestFirst = { createdAt: 'asc', id: 'asc' } as const;
  const rows = await findInPortions(ctx, PrivilegeEntity, { membershipId: membership.id }, oldestFirst);
  return rows.map((row) => toPrivilege(row, membership));
}

const toPrivilege = (row: PrivilegeEntity, { projectId, holderId }: Membership): HeldPrivilege => ({
  id: row.id,
  slug: row.slug,
  projectMembershipId: row.membershipId,
  ...publishWindow(row),
  permissions: publishRules(row.permissions),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  projectId,
  holderId,
});

const eventData = ({ id, slug }: { id: string; slug: string }, membership: Membership) => ({
  privilegeId: id,
  slug,
  membershipId: membership.id,
  holderId: membership.holderId,
});
