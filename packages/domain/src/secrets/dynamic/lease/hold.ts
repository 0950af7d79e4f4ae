import { at, badRequest, statement, type Context } from '../../../kernel/index.ts';
import { LEASE_COLUMNS, type LeaseRow } from './row.ts';

/**
 * Longer than a call and one that takes it back take with all their waiting (15 and 10 seconds each), in milliseconds:
 * then whoever held a lease is gone.
 */
export const HOLD_TIME = 60_000;

const HOLD = statement(
  'lease.hold',
  `update dynamic_secret_leases l set held_until = $3
   where l.id = $1 and (l.held_until is null or l.held_until <= $2) returning ${LEASE_COLUMNS}`,
);
const RELEASE = statement(
  'lease.release',
  'update dynamic_secret_leases set held_until = null where id = $1 and held_until = $2',
);

/** Makes sure that one call at a time is at a lease in the other system, in all processes. `undefined` where one is. */
export async function hold(ctx: Context, leaseId: string): Promise<LeaseRow | undefined> {
  const now = ctx.now();
  const [row] = await ctx.sql<LeaseRow>(HOLD, [leaseId, now, holdUntil(now)]);
  return row;
}

export const holdUntil = (now: Date): Date => new Date(now.getTime() + HOLD_TIME);

export const release = async (ctx: Context, row: LeaseRow): Promise<void> =>
  void (await ctx.sql(RELEASE, [row.id, row.held_until && at(row.held_until)]));

export const isBusy = () => badRequest('lease.busy', 'The lease is being changed just now: try again');
