import {
  approvalPermissions,
  approversOf,
  countedApprovals,
  policiesById,
  type ApprovalPolicy,
  type Approvals,
  type PresentApprover,
} from '../../access/approval-policy/index.ts';
import { abilityIn, authorizeById, grant, unlessHidden } from '../../access/index.ts';
import type { Context } from '../../kernel/index.ts';
import { committerOf, usersBehind } from './committer.ts';
import { reviewedOf, type RequestRow } from './row.ts';

/** What counts for a request now. */
export interface ReviewState {
  /** The one that it was made under; it may be deleted. */
  readonly policy: ApprovalPolicy;
  /** All that it has to satisfy. */
  readonly policies: readonly ApprovalPolicy[];
  readonly approvers: readonly PresentApprover[];
  readonly approvals: Approvals;
  /** The users behind it: an approval of theirs counts where all policies allow self-approval. */
  readonly requesters: ReadonlySet<string>;
}

/** What counts for some requests of one project now, by their ids. */
export async function reviewStatesOf(
  ctx: Context,
  projectId: string,
  rows: readonly RequestRow[],
): Promise<Map<string, ReviewState>> {
  const ids = [...new Set(rows.flatMap((row) => [row.policy_id, ...row.policy_ids]))];
  const all = await policiesById(ctx, 'change', ids);
  const approvers = await approversOf(ctx, projectId, ids);
  const inForce = (row: RequestRow) =>
    row.policy_ids.flatMap((id) => {
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
        policy: all.get(row.policy_id)!,
        policies: inForce(row),
        approvers: approvers.filter(({ policyId }) => row.policy_ids.includes(policyId)),
        approvals: approvals.get(row.id)!,
        requesters: behind.get(row.id)!,
      },
    ]),
  );
}

export async function reviewStateOf(ctx: Context, row: RequestRow): Promise<ReviewState> {
  return (await reviewStatesOf(ctx, row.project_id, [row])).get(row.id)!;
}

export function isCommitter({ actor }: Context, row: RequestRow): boolean {
  const committer = committerOf(row);
  return committer !== undefined && actor.type === committer.type && actor.id === committer.id;
}

const isApprover = ({ actor }: Context, { approvers }: ReviewState): boolean =>
  actor.type === 'user' && approvers.some(({ userId }) => userId === actor.id);

/**
 * A request is for those who decide on it, for who made it, and for those who hold the right to see all of them (or, for
 * what changes it, to edit policies).
 *
 * @throws DomainError 404 where the caller is not in the project, 403 where it is none of these.
 */
export async function requireParty(
  ctx: Context,
  row: RequestRow,
  standing: ReviewState,
  action: 'read' | 'edit' = 'read',
): Promise<void> {
  const { project_id: projectId } = row;
  await unlessHidden('secret approval request', abilityIn(ctx, projectId));
  if (isCommitter(ctx, row) || isApprover(ctx, standing)) grant(ctx, approvalPermissions[action]);
  else await authorizeById(ctx, approvalPermissions[action], { projectId });
}
