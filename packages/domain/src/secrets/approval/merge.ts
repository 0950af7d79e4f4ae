import {
  decidingApprovals,
  lockPolicies,
  unsatisfied,
  type ApprovalPolicy,
  type Approvals,
} from '../../access/approval-policy/index.ts';
import {
  badRequest,
  databaseFault,
  DomainError,
  inTransaction,
  mapInTurns,
  record,
  statement,
  translate,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { describeCommit } from '../commit/index.ts';
import { captureInto, sizeOfChange, type Capture } from '../coverage/index.ts';
import { lockNames } from '../meaning/index.ts';
import { turnCost } from '../secret/index.ts';
import { requestMerged, type Conflict, type MergeRequest, type SecretApproval } from './approval.ts';
import { asCommitter, committerGone, usersBehind } from './committer.ts';
import { conflictsOf, MergeConflict } from './conflicts.ts';
import { notifyApprovers } from './mail.ts';
import { keepNamed } from './named-folders.ts';
import { areSamePlaces } from './places.ts';
import { changeNamed } from './proposable.ts';
import { fingerprint, settled } from './dry-run.ts';
import { eventData, inputOf, lockRequest, reviewedOf, storedChanges, toApproval, type RequestRow } from './row.ts';
import { lockForParty, type ReviewState } from './review-state.ts';

const MERGED = statement(
  'secret_approvals.merged',
  `update secret_approval_requests set status = 'close', has_merged = true, conflicts = null, bypass_reason = $2,
     status_changed_by_user_id = $3, updated_at = $4 where id = $1`,
);
const NOTE_CONFLICTS = statement(
  'secret_approvals.note_conflicts',
  `update secret_approval_requests set conflicts = $2, updated_at = $3
   where id = $1 and status = 'open' and content_version = $4`,
);
const NOTE_POLICIES = statement(
  'secret_approvals.note_policies',
  'update secret_approval_requests set policy_ids = $2::uuid[] where id = $1',
);

const lacking = ({ id, name, approvals: needed }: ApprovalPolicy, given: Approvals): string =>
  `It has ${given.get(id)?.size ?? 0} of ${needed} approvals that the policy "${name}" requires`;

/** Approvals are missing. */
class NotApproved extends DomainError {
  /** Every current policy that covers the request, including newer ones. */
  readonly policyIds: readonly string[];

  constructor(policyIds: readonly string[], missing: readonly ApprovalPolicy[], approvals: Approvals, isSoft: boolean) {
    super(
      'bad_request',
      'secret_approval.not_approved',
      `${missing.map((policy) => lacking(policy, approvals)).join('. ')}; ask the approvers${
        isSoft ? '. All policies that cover it are soft: it can be merged without them, with a bypassReason' : ''
      }`,
      {
        details: {
          missing: missing.map(({ id, approvals: needed }) => ({
            policyId: id,
            needed,
            given: approvals.get(id)?.size ?? 0,
          })),
        },
      },
    );
    this.policyIds = policyIds;
  }
}

/**
 * Merges a request, as its requester: the operation runs again with all checks, and must make exactly the approved
 * changes. Approvals are counted by the current state of all policies that cover the request.
 *
 * @throws DomainError 400 `secret_approval.not_approved`, unless all of its policies are soft and a reason is given;
 * 400 `secret_approval.conflict` with what has changed since, which the request then shows; 400
 * `secret_approval.committer` if the requester may not do it any more; 403 for callers who are not involved.
 */
export async function mergeRequest(ctx: Context, { id, bypassReason }: MergeRequest): Promise<SecretApproval> {
  let version = 0;
  try {
    return await inTransaction(ctx, async (tx) => {
      // In this order, as where a policy is deleted.
      const { row, standing } = await lockForParty(tx, id, 'edit', (_, { policyIds }) =>
        lockPolicies(tx, 'change', policyIds),
      );
      version = row.contentVersion;
      return merge(tx, row, standing, bypassReason || undefined);
    });
  } catch (error) {
    // The conflict is stored, although the attempt is rolled back.
    if (error instanceof MergeConflict)
      await inTransaction(ctx, (tx) =>
        tx.sql(NOTE_CONFLICTS, [id, JSON.stringify(error.conflicts), tx.now(), version]),
      );
    if (error instanceof NotApproved) await inTransaction(ctx, (tx) => notePolicies(tx, id, version, error.policyIds));
    throw error;
  }
}

async function merge(
  tx: Transaction,
  row: RequestRow,
  standing: ReviewState,
  bypassReason: string | undefined,
): Promise<SecretApproval> {
  requireOpen(row);
  if (standing.policy.deletedAt)
    throw badRequest('secret_approval.policy_deleted', 'The policy of this request was deleted');
  // A request without its approvals is not attempted, so that the caller learns nothing about the result.
  await requireApprovals(tx, row, row.policyIds, bypassReason);
  const capture = await carryOut(tx, row);
  const { approvals, missing } = await requireApprovals(
    tx,
    row,
    [...row.policyIds, ...capture.hits.keys()],
    bypassReason,
  );
  const isBypassed = missing.length > 0;
  const by = tx.actor.type === 'user' ? tx.actor.id : null;
  const reason = isBypassed ? bypassReason! : null;
  await tx.sql(MERGED, [row.id, reason, by, tx.now()]);
  const merged: RequestRow = {
    ...row,
    status: 'close',
    hasMerged: true,
    conflicts: null,
    bypassReason: reason,
    statusChangedByUserId: by,
    updatedAt: tx.now().toISOString(),
  };
  const { committerUserId, committerIdentityId, committerServiceTokenId } = toApproval(row);
  const data = {
    operation: row.operation,
    committerUserId,
    committerIdentityId,
    committerServiceTokenId,
    approvedBy: [...new Set([...approvals.values()].flatMap((users) => [...users]))],
    isBypassed,
    bypassReason: reason,
  };
  record(tx, requestMerged, { ...eventData(row), ...data }, { projectId: row.projectId });
  if (isBypassed) notifyApprovers(tx, merged, 'bypassed');
  return toApproval(merged);
}

/** Adds the policies that cover something of a request since it was made, so that their approvers can approve. */
async function notePolicies(tx: Transaction, id: string, version: number, policyIds: readonly string[]): Promise<void> {
  const row = await lockRequest(tx, id);
  if (row.status !== 'open' || row.contentVersion !== version) return;
  if (policyIds.every((one) => row.policyIds.includes(one))) return;
  await tx.sql(NOTE_POLICIES, [id, policyIds]);
  notifyApprovers(tx, row, 'opened');
}

export function requireOpen(row: RequestRow): void {
  if (row.hasMerged) throw badRequest('secret_approval.merged', 'This request is already merged');
  if (row.status !== 'open') throw badRequest('secret_approval.closed', 'This request is closed');
}

/** Counts the approvals under policies, which are locked, and returns those that lack some. */
async function requireApprovals(
  tx: Transaction,
  row: RequestRow,
  policyIds: readonly string[],
  bypassReason: string | undefined,
): Promise<{ approvals: Approvals; missing: readonly ApprovalPolicy[] }> {
  const ids = [...new Set(policyIds)];
  const locked = await lockPolicies(tx, 'change', ids);
  const policies = ids.flatMap((id) => {
    const policy = locked.get(id);
    return policy && !policy.deletedAt ? policy : [];
  });
  const approvals = await decidingApprovals(tx, 'change', row.projectId, async (ctx) => ({
    ...reviewedOf(row),
    policies,
    requesters: (await usersBehind(ctx, [row.id])).get(row.id)!,
  }));
  const missing = unsatisfied(policies, approvals);
  // One hard policy makes all of them hard.
  const isSoft = policies.every((one) => one.enforcementLevel === 'soft');
  const isBypassed = isSoft && bypassReason !== undefined;
  if (missing.length > 0 && !isBypassed) throw new NotApproved(ids, missing, approvals, isSoft);
  return { approvals, missing };
}

/** Does the operation of a request within the transaction that merges it. */
async function carryOut(tx: Transaction, row: RequestRow): Promise<Capture> {
  await lockNames(tx, 'exclusive', { projectId: row.projectId });
  const conflicts = await conflictsOf(tx, row);
  if (conflicts.length > 0) throw new MergeConflict(conflicts);
  const stored = await storedChanges(tx, row);
  if (!(await areSamePlaces(tx, row, stored))) throw new MergeConflict([other('renamed')]);
  const approved = stored.map(({ change }) => change);
  const as = await asCommitter(tx, row);
  const capture = captureInto(tx.outbox);
  const input = await inputOf(tx, row);
  try {
    await changeNamed(row.operation).run(as, input);
    await tx.em.flush();
  } catch (error) {
    throw refusalOf(error);
  }
  const done = settled(capture);
  const isSame =
    done.length === approved.length &&
    (await mapInTurns(
      done.keys(),
      (index) => 2 * turnCost(sizeOfChange(done[index]!) + sizeOfChange(approved[index]!)),
      (index) => fingerprint(done[index]!) === fingerprint(approved[index]!),
    ).then((same) => !same.includes(false)));
  if (!isSame) throw new MergeConflict([other('different')]);
  await keepNamed(tx, row, done);
  if (capture.scope) describeCommit(tx, capture.scope, `Change request ${row.slug}`);
  return capture;
}

const other = (reason: string): Conflict => ({ op: 'other', secretId: null, changeId: null, reason });

/** The errors of an outdated request: a resource was deleted, or the requester has lost a permission. */
function refusalOf(error: unknown): unknown {
  const sqlState = error instanceof DomainError ? undefined : databaseFault(error)?.sqlState;
  // The whole transaction is tried again.
  if (sqlState === '40P01' || sqlState === '40001') return error;
  const refusal = translate(error);
  if (!(refusal instanceof DomainError) || refusal.kind === 'unavailable') return error;
  return refusal.kind === 'forbidden' ? committerGone() : new MergeConflict([other(refusal.code)]);
}
