import {
  badRequest,
  beforeLock,
  forbidden,
  inTransaction,
  isId,
  notFound,
  record,
  slugFrom,
  statement,
  type Context,
  type Transaction,
} from '../kernel/index.ts';
import { sessionOf } from '../users/session/index.ts';
import { abilityIn, comparisonBudgetOf, type ComparisonBudget, organizationOf, unlessHidden } from '../access/index.ts';
import {
  decidingApprovals,
  deletePolicy,
  findPolicies,
  holdAccessPolicies,
  lockPolicies,
  requireApprover,
  saveReview,
  unsatisfied,
  type ApprovalPolicy,
} from '../access/approval-policy/index.ts';
import { giveApproved } from '../access/privilege/index.ts';
import {
  accessGranted,
  accessRejected,
  accessReviewed,
  type AccessReview,
  type ReviewAccessRequest,
} from './access-request.ts';
import { policiesOver, requireCovered } from './covering.ts';
import { holds, requireHolds } from './holding.ts';
import { notifyApprovers } from './mail.ts';
import { requireSameMeaning } from './meaning.ts';
import { COLUMNS, eventData, reviewedOf, windowOf, type RequestRow } from './row.ts';

const BY_ID = statement(
  'access_approvals.by_id',
  `select ${COLUMNS} from access_approval_requests r where r.organization_id = $1 and r.id = $2`,
);
const LOCK = statement(
  'access_approvals.lock',
  `select ${COLUMNS} from access_approval_requests r where r.organization_id = $1 and r.id = $2 for update`,
);
const LOCK_MEMBERSHIP = statement(
  'access_approvals.keep_membership',
  'select id from memberships where id = $1 for key share',
);
const END = statement(
  'access_approvals.end',
  `update access_approval_requests set status = $2, privilege_id = $3, updated_at = $4 where id = $1`,
);

/**
 * Approves or rejects a request, as an approver of one of its policies. One rejection closes it. When all policies have
 * their approvals, the privilege is granted from then on; an approval counts while the approver holds what it allows.
 *
 * @throws DomainError 403 for callers who are not approvers, for self-approval unless the policy allows it, and
 * `PermissionBoundaryError` for callers who do not hold what the request would grant; 400 if it is already decided, and
 * for an approval of a request that the policy no longer covers, or whose names mean something else now.
 */
export function reviewAccessRequest(ctx: Context, { requestId, status }: ReviewAccessRequest): Promise<AccessReview> {
  const { id: userId } = sessionOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const budget = comparisonBudgetOf(tx);
    const { row, policies } = await lock(tx, requestId, userId, budget);
    await requireApprover(tx, userId, row.projectId, policies);
    if (row.status !== 'pending') throw badRequest('access_approval.decided', `This request is already ${row.status}`);
    const isOwn = row.requestedByUserId === userId;
    if (isOwn && status === 'approved' && !policies.every((policy) => policy.allowedSelfApprovals))
      throw forbidden('approval.own', 'The policies do not allow you to approve your own request', {
        name: 'ForbiddenError',
      });
    if (status === 'approved') {
      await requireCovered(policies[0], row.permissions, budget);
      await requireSameMeaning(tx, row, policies[0]);
      await requireHolds(tx, row);
    }
    const review = await saveReview(tx, reviewedOf(row), { userId, status });
    record(tx, accessReviewed, { ...eventData(row), status }, { projectId: row.projectId });
    if (status === 'rejected') await reject(tx, row);
    else await grantIfApproved(tx, row, policies);
    const { comment: _, ...published } = review;
    return { ...published, member: null };
  });
}

const NOTE_POLICIES = statement(
  'access_approvals.note_policies',
  'update access_approval_requests set policy_ids = $2::uuid[] where id = $1',
);

/**
 * A request with the policies that it must satisfy, locked: the one that it was made under, and all that cover some of
 * it, including newer ones. They are locked in the order of cascading deletions: deleting a policy or the requester's
 * membership deletes the request. Whoever may not approve it locks nothing.
 */
async function lock(
  tx: Transaction,
  requestId: string,
  userId: string,
  budget: ComparisonBudget,
): Promise<{ row: RequestRow; policies: [ApprovalPolicy, ...ApprovalPolicy[]] }> {
  const key = [organizationOf(tx), requestId];
  const [found] = isId(requestId) ? await tx.sql<RequestRow>(BY_ID, key) : [];
  if (!found) throw notFound('access request');
  const { projectId, policyId } = found;
  await unlessHidden('access request', abilityIn(tx, projectId));
  const ahead = beforeLock(tx);
  const known = await policyIdsOf(ahead, found, comparisonBudgetOf(ahead));
  await requireApprover(
    ahead,
    userId,
    projectId,
    known.map((id) => ({ id })),
  );
  await holdAccessPolicies(tx, projectId, 'shared');
  const ids = await policyIdsOf(tx, found, budget);
  const locked = await lockPolicies(tx, 'access', ids);
  await tx.sql(LOCK_MEMBERSHIP, [found.membershipId]);
  const [row] = await tx.sql<RequestRow>(LOCK, key);
  const [first, ...others] = ids.map((id) => locked.get(id));
  if (!row || !first) throw notFound('access request');
  const noted = row.policyIds ?? [policyId];
  if (row.status === 'pending' && ids.some((id) => !noted.includes(id))) {
    await tx.sql(NOTE_POLICIES, [row.id, ids]);
    notifyApprovers(tx, { organizationId: organizationOf(tx), requestId: row.id });
  }
  return { row, policies: [first, ...others.flatMap((policy) => (policy && !policy.deletedAt ? policy : []))] };
}

/** The policy that a request was made under, and all that cover some of it now. */
async function policyIdsOf(
  ctx: Context,
  { projectId, policyId, permissions }: RequestRow,
  budget: ComparisonBudget,
): Promise<string[]> {
  const over = await policiesOver(await findPolicies(ctx, 'access', projectId), permissions, budget);
  return [policyId, ...over.flatMap(({ id }) => (id === policyId ? [] : id))];
}

async function grantIfApproved(tx: Transaction, row: RequestRow, policies: readonly ApprovalPolicy[]): Promise<void> {
  const asking = { ...reviewedOf(row), policies, requesters: new Set([row.requestedByUserId]) };
  const counted = await decidingApprovals(tx, 'access', row.projectId, () => asking);
  const holding = new Set<string>();
  for (const userId of new Set([...counted.values()].flatMap((users) => [...users])))
    if (await holds(tx, row, userId)) holding.add(userId);
  const approvals = new Map(
    Array.from(counted, ([id, users]) => [id, new Set([...users].filter((one) => holding.has(one)))]),
  );
  if (unsatisfied(policies, approvals).length > 0) return;
  const approvedBy = [...holding];
  const { id: requestId, projectId, membershipId: projectMembershipId, permissions } = row;
  const privilege = await giveApproved(
    tx,
    { projectMembershipId },
    {
      slug: slugFrom('requested', 32),
      permissions,
      type: windowOf(row.temporaryRange, tx.now()),
    },
  );
  await tx.sql(END, [requestId, 'approved', privilege.id, tx.now()]);
  record(tx, accessGranted, { ...eventData(row), privilegeId: privilege.id, approvedBy }, { projectId });
}

async function reject(tx: Transaction, row: RequestRow): Promise<void> {
  await tx.sql(END, [row.id, 'rejected', null, tx.now()]);
  record(tx, accessRejected, eventData(row), { projectId: row.projectId });
}

const PENDING_OF_POLICY = statement(
  'access_approvals.pending_of_policy',
  `select ${COLUMNS} from access_approval_requests r where r.policy_id = $1 and r.status = 'pending' order by r.id for update`,
);

/** Deletes an access policy. Open requests under it are rejected; granted privileges stay. */
export const deleteAccessPolicy = (ctx: Context, ref: { policyId: string }): Promise<ApprovalPolicy> =>
  deletePolicy(ctx, 'access', ref, async (tx, { id }) => {
    for (const row of await tx.sql<RequestRow>(PENDING_OF_POLICY, [id])) await reject(tx, row);
  });
