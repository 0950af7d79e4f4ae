import {
  badRequest,
  DomainError,
  inTransaction,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import type { Capture } from '../coverage/index.ts';
import { lockNames } from '../meaning/index.ts';
import { requestClosed, type ChangeStatus, type SecretApproval } from './approval.ts';
import { committerGone, presentCommitter } from './committer.ts';
import { requireOpen } from './merge.ts';
import { areSamePlaces } from './places.ts';
import { changeNamed } from './proposable.ts';
import { dryRunChange } from './dry-run.ts';
import {
  eventData,
  findRequest,
  inputOf,
  lockRequest,
  otherVersion,
  storedChanges,
  toApproval,
  type RequestRow,
} from './row.ts';
import { isCommitter, lockForParty, requireParty, reviewStateOf } from './review-state.ts';
import { locationOf, renew } from './submit.ts';

const CLOSE = statement(
  'secret_approvals.close',
  `update secret_approval_requests set status = 'close', status_changed_by_user_id = $2, updated_at = $3 where id = $1`,
);

/**
 * Closes a request, or reopens a closed one: it is then compared with the present secrets under the present policies,
 * and needs new approvals. Only the committer reopens a request that copies or moves secrets, or whose names refer to something
 * else now.
 *
 * @throws DomainError 400 if nothing changes or it was merged, and for every reason for which the operation would be
 * refused; 403 for callers who are not involved.
 */
export const changeStatus = (ctx: Context, { id, status }: ChangeStatus): Promise<SecretApproval> =>
  status === 'close' ? close(ctx, id) : reopen(ctx, id);

function close(ctx: Context, id: string): Promise<SecretApproval> {
  return inTransaction(ctx, async (tx) => {
    const { row } = await lockForParty(tx, id, 'edit');
    requireOpen(row);
    const by = tx.actor.type === 'user' ? tx.actor.id : null;
    await tx.sql(CLOSE, [id, by, tx.now()]);
    record(tx, requestClosed, eventData(row), { projectId: row.projectId });
    return toApproval({
      ...row,
      status: 'close',
      statusChangedByUserId: by,
      updatedAt: tx.now().toISOString(),
    });
  });
}

async function reopen(ctx: Context, id: string): Promise<SecretApproval> {
  const row = await findRequest(ctx, id);
  await requireParty(ctx, row, await reviewStateOf(ctx, row), 'edit');
  requireClosed(row);
  const input = await inputOf(ctx, row);
  const committer = await presentCommitter(ctx, row);
  if (!committer) throw committerGone();
  const capture = await dryRunChange(ctx, changeNamed(row.operation), input, committer).catch((error: unknown) => {
    throw isCommitter(ctx, row) ? error : withoutItsWords(error);
  });
  if (capture.hits.size === 0)
    throw badRequest('secret_approval.uncovered', 'No policy covers this change any more: make the change directly');
  return inTransaction(ctx, async (tx) => {
    const place = await locationOf(tx, capture);
    const now = await lockRequest(tx, id);
    await requireParty(tx, now, await reviewStateOf(tx, now), 'edit');
    requireClosed(now);
    if (now.contentVersion !== row.contentVersion) throw otherVersion(now);
    if (!isCommitter(tx, now)) {
      requireNoSource(capture);
      await requireSamePlaces(tx, now);
    }
    return renew(tx, now, { operation: row.operation, input, capture }, place);
  });
}

/** What is copied or moved is read anew, with the rights of the committer: nobody else may have that done. */
function requireNoSource({ reads }: Capture): void {
  if (reads.length === 0) return;
  throw badRequest(
    'secret_approval.source',
    'This request copies or moves secrets, which would be read anew. Its committer can reopen it; a user with these rights can create a new one',
  );
}

/** Only the committer may have the values of a request go to what has its names now, and to the readers of that. */
async function requireSamePlaces(tx: Transaction, row: RequestRow): Promise<void> {
  await lockNames(tx, 'exclusive', row);
  const stored = await storedChanges(tx, row);
  if (stored.every(({ folderId }) => folderId !== null) && (await areSamePlaces(tx, row, stored))) return;
  throw badRequest(
    'secret_approval.renamed',
    'An environment, folder or tag that this request names is another one now. Its committer can reopen it; a user with these rights can create a new one',
  );
}

/** The committer gets the exact error; others do not, because it discloses the committer's rights and names. */
const withoutItsWords = (error: unknown): unknown =>
  error instanceof DomainError && error.kind !== 'unavailable'
    ? badRequest(
        'secret_approval.refused',
        'The committer of this change request no longer has the rights for it. A user with these rights can create a new one',
        { reason: error.code },
        error,
      )
    : error;

function requireClosed(row: RequestRow): void {
  if (row.hasMerged) throw badRequest('secret_approval.merged', 'This request is already merged');
  if (row.status === 'open') throw badRequest('secret_approval.open', 'This request is open');
}
