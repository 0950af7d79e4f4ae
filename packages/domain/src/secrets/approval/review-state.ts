import {
  approvalPermissions,
  approversOf,
  countedApprovals,
  policiesById,
  type ApprovalPolicy,
  type Approvals,
  type Approvers,
} from '../../access/approval-policy/index.ts';
import { abilityIn, authorizeById, grant, passByRows, unlessHidden } from '../../access/index.ts';
import { beforeLock, type Context, type Transaction } from '../../kernel/index.ts';
import { committerOf, usersBehind } from './committer.ts';
import { findRequest, lockRequest, reviewedOf, type RequestRow } from './row.ts';

/** The current review state of a request. */
export interface ReviewState {
  /** The policy that it was made under; it may be deleted. */
  readonly policy: ApprovalPolicy;
  /** All that it has to satisfy. */
  readonly policies: readonly ApprovalPolicy[];
  readonly approvers: Approvers;
  readonly approvals: Approvals;
  /** The users behind the request: their approvals count if all policies allow self-approval. */
  readonly requesters: ReadonlySet<string>;
}

/** The current review states of some requests of one project, by their IDs. */
export async function reviewStatesOf(
  ctx: Context,
  projectId: string,
  rows: readonly RequestRow[],
): Promise<Map<string, ReviewState>> {
  const ids = [...new Set(rows.flatMap((row) => [row.policyId, ...row.policyIds]))];
  const all = await policiesById(ctx, 'change', ids);
  const approvers = await approversOf(ctx, projectId, ids);
  const inForce = (row: RequestRow) =>
    row.policyIds.flatMap((id) => {
      const policy = all.get(id);
      return policy && !policy.deletedAt ? policy : [];
    });
  const behind = await usersBehind(
    ctx,
    rows.map(({ id }) => id),
  );
  const approvals = await countedApprovals(
    ctx,
    'change',
    projectId,
    rows.map((row) => ({ ...reviewedOf(row), policies: inForce(row), requesters: behind.get(row.id)! })),
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        policy: all.get(row.policyId)!,
        policies: inForce(row),
        approvers,
        approvals: approvals.get(row.id)!,
        requesters: behind.get(row.id)!,
      },
    ]),
  );
}

export async function reviewStateOf(ctx: Context, row: RequestRow): Promise<ReviewState> {
  return (await reviewStatesOf(ctx, row.projectId, [row])).get(row.id)!;
}

export function isCommitter({ actor }: Context, row: RequestRow): boolean {
  const committer = committerOf(row);
  return committer !== undefined && actor.type === committer.type && actor.id === committer.id;
}

export const isApprover = ({ actor }: Context, { approvers }: ReviewState, { policyIds }: RequestRow): boolean =>
  actor.type === 'user' && approvers.includes(actor.id, policyIds);

/**
 * Access to a request: for its reviewers, its requester, and callers with the permission to see all (or, for changes of
 * it, to edit policies).
 *
 * @throws DomainError 404 if the caller is not in the project, 403 if it is none of these.
 */
export async function requireParty(
  ctx: Context,
  row: RequestRow,
  standing: ReviewState,
  action: 'read' | 'edit' = 'read',
): Promise<void> {
  const { projectId } = row;
  await unlessHidden('secret approval request', abilityIn(ctx, projectId));
  if (isCommitter(ctx, row) || isApprover(ctx, standing, row)) {
    grant(ctx, approvalPermissions[action]);
    passByRows(ctx, async (again) => requireParty(again, row, await reviewStateOf(again, row), action));
  } else await authorizeById(ctx, approvalPermissions[action], { projectId });
}

/**
 * A request, locked, for those with access to it (`requireParty`), who are asked for that before the lock, too.
 *
 * @param first What else is asked or locked before the request.
 * @throws DomainError 404, 403.
 */
export async function lockForParty(
  tx: Transaction,
  id: string,
  action: 'read' | 'edit',
  first?: (ahead: Transaction, known: RequestRow, standing: ReviewState) => Promise<unknown>,
): Promise<{ row: RequestRow; standing: ReviewState }> {
  const ahead = beforeLock(tx);
  const known = await findRequest(ahead, id);
  const before = await reviewStateOf(ahead, known);
  await requireParty(ahead, known, before, action);
  await first?.(ahead, known, before);
  const row = await lockRequest(tx, id);
  const standing = await reviewStateOf(tx, row);
  await requireParty(tx, row, standing, action);
  return { row, standing };
}
