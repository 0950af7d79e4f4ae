import { requireApprover, saveReview, type Review } from '../../access/approval-policy/index.ts';
import { badRequest, forbidden, inTransaction, record, type Context } from '../../kernel/index.ts';
import { personOf } from '../../users/session/index.ts';
import { requestReviewed, type ReviewRequest } from './approval.ts';
import { requireOpen } from './merge.ts';
import { eventData, lockRequest, reviewedOf } from './row.ts';
import { requireParty, standingOf } from './standing.ts';

/**
 * Says of an open request, as one of its approvers, whether it is to be. The newest word counts, for what the request says
 * now. A rejection is no approval, and nothing more: it closes nothing.
 *
 * @throws DomainError 403 for who is no approver now, and for who asked for it where its policies do not let it approve;
 * 400 where it says something else than the `version` that was read.
 */
export function reviewRequest(ctx: Context, { id, status, comment, version }: ReviewRequest): Promise<Review> {
  const { id: userId } = personOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const row = await lockRequest(tx, id);
    const standing = await standingOf(tx, row);
    await requireParty(tx, row, standing);
    requireOpen(row);
    if (version !== undefined && version !== row.content_version)
      throw badRequest('secret_approval.other_version', 'It asks for something else by now. Read it again', {
        version: row.content_version,
      });
    if (standing.policy.deletedAt)
      throw badRequest('secret_approval.policy_deleted', 'The policy that this was asked for under is deleted');
    await requireApprover(tx, userId, row.project_id, standing.policies);
    const own = standing.approvers.filter((one) => one.userId === userId).map(({ policyId }) => policyId);
    const mayApproveItself = standing.policies.some((policy) => policy.allowedSelfApprovals && own.includes(policy.id));
    if (row.committer_user_id === userId && status === 'approved' && !mayApproveItself)
      throw forbidden('approval.own', 'The policy does not let you approve what you asked for yourself', {
        name: 'ForbiddenError',
      });
    const review = await saveReview(tx, reviewedOf(row), { userId, status, comment });
    record(tx, requestReviewed, { ...eventData(row), status }, { projectId: row.project_id });
    return review;
  });
}
