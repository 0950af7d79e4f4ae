import { describe, expect, it } from 'vitest';
import { checks } from '../../connections/app-connection/scheduled-check.ts';
import { rotationWork } from '../../connections/rotation/work.ts';
import { syncWork } from '../../connections/sync/work.ts';
import { newId } from '../../kernel/index.ts';
import { deliveries } from '../../pki/alert/deliver.ts';
import { orders } from '../../pki/certificate-order/work.ts';
import { webhooks } from '../../secrets/webhook/deliver.ts';

/** All work that calls other systems in jobs, except leases, which have the first turn. */
const CALLING = { checks, rotationWork, syncWork, orders, webhooks, deliveries };

describe('work that calls other systems', () => {
  it.each(Object.entries(CALLING))('has at most two queues for an organization: %s', (_name, { job }) => {
    const organizationId = newId();
    const due = (n: number) => ({ id: newId(), organizationId, queue: `host ${n}`, dueAt: n % 2 ? new Date() : null });
    const queues = new Set(Array.from({ length: 200 }, (_, n) => job.queueOf?.(due(n))));
    expect(queues).not.toContain(undefined);
    expect(queues.size).toBeLessThanOrEqual(2);
  });
});
