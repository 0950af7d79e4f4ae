import { requireApprover, saveReview, type Review } from '../../access/approval-policy/index.ts';
import { badRequest, forbidden, inTransaction, record, type Context } from '../../kernel/index.ts';
import { sessionOf } from '../../users/session/index.ts';
import { requestReviewed, type ReviewRequest } from './approval.ts';
import { requireOpen } from './merge.ts';
import { eventData, otherVersion, reviewedOf, type RequestRow } from './row.ts';
import { lockForParty, type ReviewState } from './review-state.ts';

const OWN =
  'The policies do not allow self-approval: you made this request, or issued a credential to the machine that did';

/**
 * Stores an approver's review of an open request. The latest review counts, for the current version of the request. A
 * rejection is only a missing approval: it does not close the request.
 *
 * @throws DomainError 403 for callers who are not approvers now, and for self-approval unless all policies allow it;
 * 400 if the request has another `version` than the reviewed one.
 */
export function reviewRequest(ctx: Context, { id, status, comment, version }: ReviewRequest): Promise<Review> {
  const { id: userId } = sessionOf(ctx);
  const requireReviewable = async (asked: Context, row: RequestRow, { policy, policies }: ReviewState) => {
    requireOpen(row);
    if (version !== undefined && version !== row.contentVersion) throw otherVersion(row);
    if (policy.deletedAt) throw badRequest('secret_approval.policy_deleted', 'The policy of this request was deleted');
    await requireApprover(asked, userId, row.projectId, policies);
  };
  return inTransaction(ctx, async (tx) => {
    const { row, standing } = await lockForParty(tx, id, 'read', requireReviewable);
    await requireReviewable(tx, row, standing);
    const isOwn = standing.requesters.has(userId);
    if (isOwn && status === 'approved' && !standing.policies.every((policy) => policy.allowedSelfApprovals))
      throw forbidden('approval.own', OWN, {
        name: 'ForbiddenError',
      });
    const review = await saveReview(tx, reviewedOf(row), { userId, status, comment });
    record(tx, requestReviewed, { ...eventData(row), status }, { projectId: row.projectId });
    return review;
  });
}
