import { z } from 'zod';
import { defineJob } from '../../../jobs/index.ts';
import { requeueOrphanedLeases, reapLease } from './reap.ts';
import { LEASE_JOB } from './schedule.ts';

/** Milliseconds that a job waits for what it began; a slow target goes on without keeping the worker from others. */
const PATIENCE = 2_000;

/** Revokes a lease whose time is over, or that was never confirmed. What fails is tried again by a later job. */
export const leaseJob = defineJob({
  name: LEASE_JOB,
  payload: z.object({ organizationId: z.string(), leaseId: z.string() }),
  run: async (ctx, { organizationId, leaseId }) => {
    const work = reapLease(ctx, organizationId, leaseId);
    ctx.targets.inBackground(work);
    work.catch((error: unknown) => ctx.log.error({ err: error, leaseId }, 'A lease could not be reaped'));
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE)));
    await Promise.race([work, patience]).finally(() => clearTimeout(timer));
  },
});

export const orphanedLeases = defineJob({
  name: 'dynamic_secret.forgotten_leases',
  payload: z.object({}),
  schedule: '* * * * *',
  run: async (ctx) => {
    const found = await requeueOrphanedLeases(ctx);
    if (found > 0) ctx.log.warn({ found }, 'Leases had lost their jobs and got new ones');
  },
});
