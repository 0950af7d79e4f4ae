import type { RemoteSession } from '../../family/index.ts';
import { DONE, retry, type Claim } from '../../jobs/index.ts';
import { conflict, DomainError, inTransaction, notFound, record, statement, type Context } from '../../kernel/index.ts';
import { beginWork, restAccount } from '../connection/index.ts';
import { ClaimLost } from './credentials.ts';
import { eventData, rotationById, type RotationRow } from './find.ts';
import { notifyOfFailure } from './notify.ts';
import { rotate, type HowRotated } from './rotate.ts';
import { rotationFailed } from './secret-rotation.ts';
import { rotationWork } from './work.ts';

/** What an attempt came to, where it failed. */
export interface Failure {
  /** With a message that is redacted. */
  readonly error: DomainError;
  /** Whether anything may have reached the other system. */
  readonly isTouched: boolean;
}

const BEGIN = statement(
  'secret_rotation.begin',
  `update secret_rotations set last_attempted_at = $3, last_job_id = $4 where id = $1 and claim_id = $2`,
);
const FAULT = 'Coffer failed at this rotation; the log of the server says why';

/**
 * Rotates a claimed rotation, stores the outcome, and releases the claim.
 *
 * @returns Why it failed; it is tried again then.
 * @throws an internal error; DomainError 404 where it was deleted meanwhile, 400 `secret_rotation.running` where another
 * worker has it.
 */
export async function perform(ctx: Context, claim: Claim, how: HowRotated): Promise<Failure | undefined> {
  const row = await rotationById(ctx, claim.organizationId, claim.id);
  if (!row) {
    await rotationWork.settle(ctx, claim, DONE);
    throw notFound('secret rotation');
  }
  await ctx.sql(BEGIN, [claim.id, claim.claimId, ctx.now(), ctx.request.id]);
  using session = beginWork(ctx);
  try {
    await rotate(ctx, claim, row, session, how);
    return undefined;
  } catch (error) {
    if (error instanceof ClaimLost) throw isRunning();
    const failure = await failureOf(error, session);
    await settleFailure(ctx, claim, row, how, failure);
    if (!(error instanceof DomainError)) throw error;
    return { error: failure, isTouched: session.isTouched };
  }
}

export const isRunning = () => conflict('secret_rotation.running', 'The rotation is under way: ask again in a moment');

async function failureOf(error: unknown, session: RemoteSession): Promise<DomainError> {
  if (!(error instanceof DomainError)) return new DomainError('bad_request', 'secret_rotation.failed', FAULT);
  return session.redacted(error);
}

const NOTE = statement(
  'secret_rotation.note_failure',
  `update secret_rotations set status = 'failed', last_message = $2, is_last_manual = $3 where id = $1`,
);

/** Stores a failure and when it is tried again. People hear of the first one that nobody has waited for. */
async function settleFailure(
  ctx: Context,
  claim: Claim,
  row: RotationRow,
  { isManual }: HowRotated,
  { code, message, retryAfter }: DomainError,
): Promise<void> {
  const { projectId } = row;
  const next = retry(claim.failures, ctx.now(), { retryAfterMs: (retryAfter ?? 0) * 1000 });
  const isNew = row.status !== 'failed' || row.isLastManual;
  await inTransaction(ctx, async (tx) => {
    await restAccount(tx, row.connectionId, retryAfter);
    if (!(await rotationWork.settle(tx, claim, next))) return;
    await tx.sql(NOTE, [row.id, message, isManual]);
    if (isManual || isNew) record(tx, rotationFailed, { ...eventData(row), isManual, code }, { projectId });
    if (isNew && !isManual) await notifyOfFailure(tx, row, message);
  });
  ctx.log.warn({ rotationId: row.id, type: row.type, failures: next.failures, reason: message }, 'A rotation failed');
}
