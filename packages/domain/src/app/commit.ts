import { eventRows, eventsJson, INSERT_EVENTS, unaudited } from '../audit/index.ts';
import { INVALIDATE } from '../cache/index.ts';
import type { LastStatement, TransactionConnection } from '../database/transaction-connection.ts';
import { adding } from '../jobs/index.ts';
import type { Outbox, ProcessContext, Transaction } from '../kernel/index.ts';

interface Committing extends Pick<ProcessContext, 'now' | 'takeAuditSpace' | 'invalidate'> {
  invalidateEventually(tags: readonly string[]): void;
}

/** How some calls commit. */
interface Committed {
  /** Compares the rights of the calls, before anything can be committed. @throws if one has ended. */
  readonly check: () => Promise<void> | undefined;
  /** When the locks of the last statements are taken; default: `briefly`. See `LastLockHeld`. */
  readonly last?: 'briefly' | 'before the check' | 'unchecked';
  /** Gets an error after which it may be committed nevertheless. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Commits the work of some calls on a connection, with their events, what they write with the commit, jobs and
 * invalidations.
 */
export async function commitAll(
  coffer: Committing,
  connection: TransactionConnection,
  txs: readonly Transaction[],
  { check, last: taken = 'briefly', failed = () => undefined }: Committed,
): Promise<void> {
  const last = await lastStatements(coffer, txs);
  const isFirst = taken === 'before the check' && last.length > 0;
  const orFail = (error: unknown): never => {
    failed(error);
    throw error;
  };
  if (isFirst) await connection.prepareCommit(last).catch(orFail);
  const checked = check();
  if (checked) await checked;
  await connection.commit(isFirst ? [] : last, taken === 'briefly').catch(orFail);
  const invalidate = unionOf(txs, ({ invalidate: tags }) => tags);
  const eventually = unionOf(txs, ({ eventualInvalidations }) => eventualInvalidations);
  if (invalidate.length > 0) coffer.invalidate(invalidate);
  if (eventually.length > 0) coffer.invalidateEventually(eventually);
}

const unionOf = (txs: readonly Transaction[], tagsOf: (outbox: Outbox) => Iterable<string>): string[] => [
  ...new Set(txs.flatMap(({ outbox }) => [...tagsOf(outbox)])),
];

async function lastStatements(coffer: Committing, txs: readonly Transaction[]): Promise<LastStatement[]> {
  const last: LastStatement[] = [];
  for (const tx of txs) for (const event of tx.outbox.events) await coffer.takeAuditSpace(event, tx);
  for (const key of unionOf(txs, ({ withCommit }) => withCommit.keys())) {
    const writers = txs.filter(({ outbox }) => outbox.withCommit.has(key));
    last.push(await writers[0]!.outbox.withCommit.get(key)!.prepare(writers, coffer.now()));
  }
  const rows = txs.flatMap((tx) => tx.outbox.events.flatMap((event) => eventRows(tx, event)));
  if (rows.length > 0) last.unshift({ statement: INSERT_EVENTS, values: [eventsJson(rows)], explain: unaudited });
  const jobs = txs.flatMap(({ outbox }) => outbox.jobs);
  if (jobs.length > 0) last.push(adding(jobs));
  const invalidate = unionOf(txs, (outbox) => outbox.invalidate);
  if (invalidate.length > 0) last.push({ statement: INVALIDATE, values: [invalidate] });
  return last;
}
