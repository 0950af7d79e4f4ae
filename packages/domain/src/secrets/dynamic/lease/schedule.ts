import type { Transaction } from '../../../kernel/index.ts';

export const LEASE_JOB = 'dynamic_secret.lease';

/** Asks for a look at a lease at a time, in place of the one that was asked for before. */
export function scheduleReap(tx: Transaction, lease: { id: string; organization_id: string }, runAt: Date): void {
  tx.outbox.jobs.push({
    name: LEASE_JOB,
    payload: { organizationId: lease.organization_id, leaseId: lease.id },
    options: { key: `lease:${lease.id}`, runAt, maxAttempts: 5, priority: 1 },
  });
}

/** The same in SQL, for rows of leases: when they are due. Has to be among what the statement answers. */
export const ASK_WHEN_DUE = `graphile_worker.add_job('${LEASE_JOB}',
  json_build_object('organizationId', l.organization_id, 'leaseId', l.id), run_at := l.due_at, max_attempts := 5,
  job_key := 'lease:' || l.id, priority := 1) is not null as is_asked`;
