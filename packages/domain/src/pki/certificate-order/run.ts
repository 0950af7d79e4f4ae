import { beginWork } from '../../connections/connection/index.ts';
import { isRemote, type RemoteSession } from '../../family/index.ts';
import { DONE, orphanJob, reconcileJob, retry, type Claim } from '../../jobs/index.ts';
import { at, badRequest, DAY, DomainError, inTransaction, statement, type Context } from '../../kernel/index.ts';
import {
  externalAuthorityById,
  issuerOf,
  openAuthority,
  type Progress,
  type Step,
} from '../external-authority/index.ts';
import { requireStanding } from './standing.ts';
import { endOrder, storeIssued } from './store.ts';
import { isBegun, lockOrder, orderById, type OrderRow } from './stored.ts';
import { noteLeft, revokeUnwanted, type Answer } from './unwanted.ts';
import { orders } from './work.ts';

/** Milliseconds after which an order is given up. */
const LONGEST = 24 * 3_600_000;
/** Messages of authorities can be long. */
const LONGEST_MESSAGE = 1_000;
/** Steps of one attempt that follow each other immediately. */
const MAX_STEPS = 20;

/** Carries out a claimed order, as far as is possible now. */
export async function attemptOrder(ctx: Context, { claim }: { readonly claim: Claim }): Promise<void> {
  const order = await orderById(ctx, claim.organizationId, claim.id);
  if (!order) return;
  using session = beginWork(ctx);
  try {
    if (order.status === 'pending') await advance(ctx, claim, order, session);
    else await clean(ctx, claim, order, session);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await failed(ctx, claim, order, error, await session.redact(error.message));
  }
}

export const runOrder = reconcileJob(orders, { attempt: attemptOrder });

/** Requeues due orders that were lost with a process. */
export const orphanedOrders = orphanJob(orders, { name: 'pki.overdue_orders', schedule: '*/5 * * * *' });

const KEEP = statement(
  'certificate_orders.keep',
  'update certificate_orders set progress = $3, updated_at = $4 where id = $1 and claim_id = $2 returning id',
);
const WAIT = statement(
  'certificate_orders.wait',
  'update certificate_orders set message = $3, updated_at = $4 where id = $1 and claim_id = $2',
);

/** The progress of an order under a claim. */
class Kept {
  progress: Progress;
  readonly #ctx: Context;
  readonly #claim: Claim;

  constructor(ctx: Context, claim: Claim, progress: Progress) {
    this.#ctx = ctx;
    this.#claim = claim;
    this.progress = progress;
  }

  readonly keep = async (progress: Progress): Promise<void> => {
    const { id, claimId } = this.#claim;
    const values = [id, claimId, JSON.stringify(progress), this.#ctx.now()];
    const held = await inTransaction(this.#ctx, (tx) => tx.sql(KEEP, values));
    if (held.length === 0) throw badRequest('certificate_order.claim', 'Another process continues with the order');
    this.progress = progress;
  };
}

async function openFor(ctx: Context, order: OrderRow, session: RemoteSession) {
  const authority = await externalAuthorityById(ctx, order.externalCaId);
  if (!authority) throw badRequest('certificate_order.authority', 'The certificate authority was deleted');
  return openAuthority(ctx, authority, session);
}

const seenBy = ({ id, csr, subject, names, content, createdAt }: OrderRow) => ({
  ...{ id, csr, subject, altNames: names, keyAlgorithm: content.keyAlgorithm, ttl: content.ttl },
  createdAt: at(createdAt),
});

/** When an order is looked at again: as late as it or its authority wishes, and at its end at the latest, while it is pending. */
export function dueBy(order: Pick<OrderRow, 'status' | 'createdAt'>, wished: Date): Date {
  const end = at(order.createdAt).getTime() + LONGEST + 1;
  return order.status === 'pending' && !(wished.getTime() <= end) ? new Date(end) : wished;
}

async function advance(ctx: Context, claim: Claim, order: OrderRow, session: RemoteSession): Promise<void> {
  const authority = await openFor(ctx, order, session);
  const kept = new Kept(ctx, claim, order.progress);
  let step: Step | undefined;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { progress, keep } = kept;
    await inTransaction(ctx, (tx) => requireStanding(tx, order));
    step = await authority.advance({ order: seenBy(order), progress, keep });
    if (step.is === 'issued')
      return storeOrRevoke(ctx, claim, order, { authority, issued: step, progress: kept.progress });
    if (step.forMs > 0) break;
  }
  if (step?.is !== 'waiting') return;
  const { forMs, message } = step;
  await inTransaction(ctx, async (tx) => {
    const dueAt = dueBy(order, new Date(tx.now().getTime() + Math.max(forMs, 1)));
    await tx.sql(WAIT, [claim.id, claim.claimId, message, tx.now()]);
    if (tx.now().getTime() - at(order.createdAt).getTime() > LONGEST) {
      const row = await lockOrder(tx, order.organizationId, order.id);
      if (row?.status === 'pending') await endOrder(tx, row, 'failed', `Not issued within a day: ${message}`);
    }
    await orders.settle(tx, claim, { failures: 0, dueAt });
  });
}

/** What may not be stored is revoked: nobody has a certificate that is not. */
async function storeOrRevoke(ctx: Context, claim: Claim, order: OrderRow, answer: Answer): Promise<void> {
  try {
    await storeIssued(ctx, claim, order, answer.issued);
  } catch (error) {
    if (error instanceof DomainError && isFinal(error)) await revokeUnwanted(ctx, order, answer);
    throw error;
  }
}

/** So often in a row the authority of an order that has ended is asked in vain, within some hours. It may be gone for good. */
const WITHDRAWALS = 10;

/** So long it is tried to remove records in DNS that were made for an order, in milliseconds. */
const LONGEST_CLEANING = 30 * DAY;

/** Removes what was made for an order that has ended. Where nothing was begun, neither its authority nor a connection is needed. */
async function clean(ctx: Context, claim: Claim, order: OrderRow, session: RemoteSession): Promise<void> {
  const kept = new Kept(ctx, claim, order.progress);
  try {
    if (isBegun(order)) await withdraw(ctx, order, kept, session);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const message = await session.redact(error.message);
    const recordsIn = await recordsOf(ctx, order);
    const records = recordsIn(kept.progress);
    const age = ctx.now().getTime() - at(order.createdAt).getTime();
    // The failures to remove records are no tries to withdraw the order, which follow once these are removed.
    const areRemoved = records.length === 0 && recordsIn(order.progress).length > 0;
    const failures = areRemoved ? 0 : claim.failures;
    const isOver = records.length > 0 ? age > LONGEST_CLEANING : failures + 1 >= WITHDRAWALS;
    if (!isOver) return failed(ctx, { ...claim, failures }, order, error, message);
    await noteLeft(ctx, order, message.slice(0, LONGEST_MESSAGE), records);
  }
  await orders.settle(ctx, claim, DONE);
}

async function withdraw(ctx: Context, order: OrderRow, kept: Kept, session: RemoteSession): Promise<void> {
  const authority = await openFor(ctx, order, session);
  const attempt = () => ({ order: seenBy(order), progress: kept.progress, keep: kept.keep });
  await authority.clean?.(attempt());
  const issued = await authority.withdraw(attempt());
  if (issued === 'unknown') await noteLeft(ctx, order, 'The answer to the order was lost');
  else if (issued) await revokeUnwanted(ctx, order, { authority, issued, progress: kept.progress });
}

/** What reads the names of the records in DNS from the progress of an order. */
async function recordsOf(ctx: Context, { externalCaId }: OrderRow) {
  const authority = await externalAuthorityById(ctx, externalCaId);
  const issuer = authority && issuerOf(authority);
  return (progress: Progress): readonly string[] => issuer?.recordsIn?.(progress) ?? [];
}

/** What may pass is not final: another system or the database, or rights that have changed meanwhile (`RightsChanged`). */
const isFinal = (error: DomainError): boolean =>
  (error.kind !== 'unavailable' && !/^(?:remote|outbound|database)\.|\.claim$/.test(error.code)) ||
  isRemote(error, 'rejected');

/** Errors that may pass are tried again for a day; an order that is over, until everything is removed. */
async function failed(ctx: Context, claim: Claim, order: OrderRow, error: DomainError, message: string): Promise<void> {
  const { retryAfter = 0 } = error;
  const retryAfterMs = retryAfter * 1000;
  const why = message.slice(0, LONGEST_MESSAGE);
  await inTransaction(ctx, async (tx) => {
    const row = await lockOrder(tx, order.organizationId, order.id);
    const isOver = tx.now().getTime() - at(order.createdAt).getTime() > LONGEST;
    const isEnded = row?.status === 'pending' && (isFinal(error) || isOver);
    const again = retry(claim.failures, tx.now(), { retryAfterMs });
    // Also if it was cancelled meanwhile: what follows are the tries to withdraw it.
    const next =
      isEnded || row?.status !== order.status
        ? { failures: 0, dueAt: tx.now() }
        : { ...again, dueAt: again.dueAt && dueBy(order, again.dueAt) };
    await tx.sql(WAIT, [claim.id, claim.claimId, why, tx.now()]);
    if (await orders.settle(tx, claim, next)) if (isEnded) await endOrder(tx, row, 'failed', why);
  });
  ctx.log.warn({ certificateOrderId: order.id, reason: why }, 'A certificate order failed, or has to wait');
}
