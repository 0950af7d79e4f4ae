import { z } from 'zod';
import { defineJob, enqueueEach, firstInTurns, turnsOf, type Job } from '../../jobs/index.ts';
import { DomainError, statement, type Context } from '../../kernel/index.ts';

/** Something whose certificate ends soon. */
export interface Due {
  readonly id: string;
  readonly organizationId: string;
}

/** A type of resource with auto-renewal of its certificate. */
export interface Renewable {
  /** In the names of its jobs: `certificate`. */
  readonly name: string;
  readonly table: string;
  /** SQL: whether the row `t` is due at the time `$1`. */
  readonly isDue: string;
  /** SQL: the order within a project, if there are more than one batch. */
  readonly order: string;
  /** When due ones are searched, in UTC (`41 * * * *`). Failed ones are then retried. */
  readonly schedule: string;
  /**
   * Called for what is still due; of two concurrent calls, one renews. A conflict means a concurrent change: what is
   * still due is retried at once.
   */
  readonly renew: (ctx: Context, due: Due) => Promise<void>;
  /** Called with failures, before they are logged. */
  readonly failed?: (ctx: Context, due: Due, error: unknown) => Promise<void>;
}

export interface Renewal {
  /** Renews one if it is still due. */
  readonly renewJob: Job<{ organizationId: string; id: string }>;
  /** Searches for all due ones. */
  readonly findJob: Job<Record<string, never>>;
  /** Enqueues the renewal of due ones; returns their number. */
  readonly enqueueDue: (ctx: Context) => Promise<number>;
}

const AT_ONCE = 1_000;
const TRIES = 3;
/** A thousand may be due at once, long before it is urgent: interactive work has a higher priority. */
const PRIORITY = 15;
const turns = turnsOf('renewals');

/** Each has its own job: a failure does not affect others. */
export function defineRenewal({ name, table, isDue, order, schedule, renew, failed }: Renewable): Renewal {
  const due = `select t.id, t.organization_id as "organizationId" from ${table} t where ${isDue}`;
  const DUE = statement(`${name}.due`, firstInTurns({ table, isDue, order, most: AT_ONCE }));
  const STILL_DUE = statement(`${name}.still_due`, `${due} and t.organization_id = $2 and t.id = $3`);

  const renewJob = defineJob({
    name: `pki.renew_${name}`,
    payload: z.object({ organizationId: z.string(), id: z.string() }),
    turns,
    run: async (ctx, { organizationId, id }) => {
      const findDue = async () => (await ctx.sql<Due>(STILL_DUE, [ctx.now(), organizationId, id]))[0];
      for (let tries = 1, found = await findDue(); found; tries++, found = await findDue()) {
        try {
          return await renew(ctx, found);
        } catch (error) {
          if (error instanceof DomainError) {
            if (error.kind === 'conflict' && tries < TRIES) continue;
            // Renewed, disabled or deleted while this was at it.
            if (!(await findDue())) return;
          }
          await failed?.(ctx, found, error);
          if (!(error instanceof DomainError)) throw error;
          return ctx.log.warn({ [`${name}Id`]: id, code: error.code }, 'A certificate could not be renewed');
        }
      }
    },
  });

  async function enqueueDue(ctx: Context): Promise<number> {
    const rows = await ctx.sql<Due>(DUE, [ctx.now()]);
    const ids = rows.map(({ id, organizationId }) => ({ id, organizationId }));
    await enqueueEach(ctx, renewJob, ids, ({ id }) => ({
      key: `${name}-renewal:${id}`,
      maxAttempts: 3,
      priority: PRIORITY,
    }));
    return rows.length;
  }

  const findJob = defineJob({
    name: `pki.due_${name}`,
    payload: z.object({}),
    schedule,
    run: async (ctx) => void (await enqueueDue(ctx)),
  });
  return { renewJob, findJob, enqueueDue };
}
