import { comparisonBudgetOf, projectIdBySlug, abilityIn, organizationOf, storeWindow } from '../access/index.ts';
import { isDeepStrictEqual } from 'node:util';
import { badRequest, inTransaction, newId, record, statement, type Context } from '../kernel/index.ts';
import { personOf } from '../users/session/index.ts';
import { findPolicies, lockPolicies } from '../access/approval-policy/index.ts';
import { accessRequested, type AccessRequest, type CreateAccessRequest } from './access-request.ts';
import { policiesForRequest } from './covering.ts';
import { notifyApprovers } from './mail.ts';
import { keepMeaning } from './meaning.ts';
import { COLUMNS, eventData, toRequest, windowOf, type RequestRow } from './row.ts';

const MEMBERSHIP = statement(
  'access_approvals.own_membership',
  `select membership_id as id from effective_memberships
   where organization_id = $1 and project_id = $2 and actor_id = $3 and group_id is null`,
);
const PENDING = statement(
  'access_approvals.pending',
  `select ${COLUMNS} from access_approval_requests r
   where r.project_id = $1 and r.requested_by_user_id = $2 and r.status = 'pending'`,
);
/** Of two concurrent equal requests of one user, the second waits and finds the first. */
const LOCK_MEMBERSHIP = statement(
  'access_approvals.lock_membership',
  'select id from memberships where id = $1 for update',
);
const INSERT = statement(
  'access_approvals.insert',
  `insert into access_approval_requests as r (id, organization_id, project_id, policy_id, membership_id, requested_by_user_id,
     permissions, is_temporary, temporary_range, note, created_at, updated_at, policy_ids)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12) returning ${COLUMNS}`,
);

/**
 * Requests permissions as a member of a project, temporary or permanent. They are granted once every policy that covers
 * some of them has its approvals, by approvers who hold them.
 *
 * @throws DomainError 400 if no policy covers the request, if an equal request is open, and for a user who is in the
 * project only by a group, and so has no membership for a privilege.
 */
export async function requestPrivilege(ctx: Context, input: CreateAccessRequest): Promise<AccessRequest> {
  const { projectSlug, permissions, isTemporary, temporaryRange, note } = input;
  const { id: userId } = personOf(ctx);
  const [organizationId, projectId] = [organizationOf(ctx), await projectIdBySlug(ctx, projectSlug)];
  await abilityIn(ctx, projectId);
  if (permissions.length === 0)
    throw badRequest('access_approval.nothing', '`permissions` is empty; request at least one permission');
  if (isTemporary && temporaryRange === undefined)
    throw badRequest('access_approval.no_range', '`temporaryRange` is required for temporary access');
  return inTransaction(ctx, async (tx) => {
    const [membership] = await tx.sql<{ id: string }>(MEMBERSHIP, [organizationId, projectId, userId]);
    if (!membership)
      throw badRequest(
        'access_approval.by_group',
        'You are in this project by a group; ask to be added as a member first',
      );
    const found = await findPolicies(tx, 'access', projectId);
    const policies = await policiesForRequest(found, permissions, comparisonBudgetOf(tx));
    const policyIds = policies.map(({ id }) => id);
    const policyId = policies[0].id;
    // A policy that is deleted concurrently would leave the request without approvers.
    if ((await lockPolicies(tx, 'access', policyIds)).get(policyId)?.deletedAt !== null)
      throw badRequest('access_approval.policy_gone', 'The policy was just deleted; try again');
    await tx.sql(LOCK_MEMBERSHIP, [membership.id]);
    const range = isTemporary ? temporaryRange! : null;
    // Refuses now what could not be given later.
    storeWindow(windowOf(range, tx.now()));
    const pending = await tx.sql<RequestRow>(PENDING, [projectId, userId]);
    const isSame = (row: RequestRow) =>
      row.temporaryRange === range && isDeepStrictEqual(row.permissions, JSON.parse(JSON.stringify(permissions)));
    if (pending.some(isSame)) throw badRequest('access_approval.pending', 'You have already requested the same access');
    const who = [newId(), organizationId, projectId, policyId, membership.id, userId];
    const what = [JSON.stringify(permissions), isTemporary, range, note || null, tx.now(), policyIds];
    const [row] = await tx.sql<RequestRow>(INSERT, [...who, ...what]);
    await keepMeaning(tx, row!, policies[0]);
    record(tx, accessRequested, eventData(row!), { projectId });
    notifyApprovers(tx, { organizationId, requestId: row!.id });
    return toRequest(row!);
  });
}
