import {
  databaseFault,
  inTransaction,
  statement,
  type Context,
  type PendingEvent,
  type Statement,
} from '../kernel/index.ts';
import { eventRow, eventsJson, insertEvents } from './event-row.ts';

/** A write that is all of a change: with its event it is one statement, and so one commit, without begin and end. */
export interface WriteWithEvent {
  readonly alone: Statement;
  readonly whole: Statement;
}

/** @param alone Answers a row where it has done something. `values`: how many it has. */
export function writeWithEvent(alone: Statement, values: number): WriteWithEvent {
  const event = `${insertEvents(`$${values + 1}`)} where exists (select from done)`;
  const text = `with done as (${alone.text}), recorded as (${event}) select * from done`;
  return { alone, whole: statement(`${alone.name}_with_event`, text) };
}

/**
 * Writes, and records the event where something was written: all of it or nothing, in a quarter of the turns that a
 * transaction takes. Inside a transaction it joins. What the database refuses is done once more in a transaction, by
 * which whoever is at fault is told, and what passes is tried again.
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
    const row = eventRow(ctx, event);
    try {
      return await ctx.sql<Row>(whole, [...values, eventsJson([row])]);
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
