import { describe, expect, it } from 'vitest';
import { checks } from '../../connections/app-connection/scheduled-check.ts';
import { rotationWork } from '../../connections/rotation/work.ts';
import { syncWork } from '../../connections/sync/work.ts';
import { newId } from '../../kernel/index.ts';
import { orders } from '../../pki/certificate-order/work.ts';
import { webhooks } from '../../secrets/webhook/deliver.ts';

/** All work that calls other systems in jobs, except leases, which have the first turn, and alerts, which have a queue for each host. */
const CALLING = { checks, rotationWork, syncWork, orders, webhooks };

describe('work that calls other systems', () => {
  it.each(Object.entries(CALLING))('has at most two queues for an organization: %s', (_name, { job }) => {
    const organizationId = newId();
    const queues = new Set(Array.from({ length: 200 }, () => job.queueOf?.({ id: newId(), organizationId })));
    expect(queues).not.toContain(undefined);
    expect(queues.size).toBeLessThanOrEqual(2);
  });
});
