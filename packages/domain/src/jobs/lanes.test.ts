import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checks } from '../connections/app-connection/scheduled-check.ts';
import { pkiSyncWork } from '../connections/pki-sync/work.ts';
import { rotationWork } from '../connections/rotation/work.ts';
import { syncWork } from '../connections/sync/work.ts';
import { newId } from '../kernel/index.ts';
import { deliveries } from '../pki/alert/deliver.ts';
import { orders } from '../pki/certificate-order/work.ts';
import { leases } from '../secrets/dynamic/lease/work.ts';
import { replications } from '../secrets/import/replication/queue.ts';
import { webhooks } from '../secrets/webhook/deliver.ts';

const WORK = { checks, pkiSyncWork, rotationWork, syncWork, orders, leases, webhooks, deliveries, replications };

describe('work of organizations', () => {
  it('is each work table of the domain', () => {
    const cwd = new URL('../', import.meta.url).pathname;
    const declared = globSync('**/*.ts', { cwd, exclude: ['**/*.test.ts'] }).flatMap((file) =>
      Array.from(
        readFileSync(cwd + file, 'utf8').matchAll(/^export const (\w+) = new WorkTable\b/gm),
        ([, name]) => name,
      ),
    );
    expect(new Set(declared)).toEqual(new Set(Object.keys(WORK)));
  });

  it.each(Object.entries(WORK))('has at most two queues for an organization: %s', (_name, { job }) => {
    const organizationId = newId();
    for (const queue of ['host', null]) {
      const due = (n: number) => ({ id: newId(), organizationId, queue, dueAt: n % 2 ? new Date() : null });
      const queues = new Set(Array.from({ length: 200 }, (_, n) => job.queueOf?.(due(n))));
      expect(queues).not.toContain(undefined);
      expect(queues.size).toBeLessThanOrEqual(2);
    }
  });
});
