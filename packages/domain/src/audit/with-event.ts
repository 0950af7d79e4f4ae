import {
  databaseFault,
  inTransaction,
  statement,
  type Context,
  type PendingEvent,
  type Statement,
} from '../kernel/index.ts';
import { eventRows, eventsJson, insertEvents } from './event-row.ts';

/**
 * A single write that is a complete change: with its event it is one statement, and so one commit, without begin and
 * end.
 */
export interface WriteWithEvent {
  readonly alone: Statement;
  readonly whole: Statement;
}

/** @param alone Returns a row if it has written something. `values`: its number of parameters. */
export function writeWithEvent(alone: Statement, values: number): WriteWithEvent {
  const event = `${insertEvents(`$${values + 1}`)} where exists (select from done)`;
  const text = `with done as (${alone.text}), recorded as (${event}) select * from done`;
  return { alone, whole: statement(`${alone.name}_with_event`, text) };
}

/**
 * Writes, and records the event if something was written: atomically, with a quarter of the round trips of a
 * transaction. Inside a transaction it joins. If the database rejects it, it is repeated in a transaction, which
 * explains errors of the caller and retries transient ones.
 *
 * @throws as `inTransaction` does.
 */
export async function runWithEvent<Row extends object>(
  ctx: Context,
  { alone, whole }: WriteWithEvent,
  values: readonly unknown[],
  event: PendingEvent,
): Promise<Row[]> {
  if (!ctx.outbox) {
    await ctx.takeAuditSpace(event, ctx);
    const rows = eventRows(ctx, event);
    try {
      return await ctx.sql<Row>(whole, [...values, eventsJson(rows)]);
    } catch (error) {
      if (!databaseFault(error)) throw error;
    }
  }
  return inTransaction(ctx, async (tx) => {
    const rows = await tx.sql<Row>(alone, values);
    if (rows.length > 0) tx.outbox.events.push(event);
    return rows;
  });
}
