import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checks } from '../../connections/app-connection/scheduled-check.ts';
import { pkiSyncWork } from '../../connections/pki-sync/work.ts';
import { rotationWork } from '../../connections/rotation/work.ts';
import { syncWork } from '../../connections/sync/work.ts';
import { newId } from '../../kernel/index.ts';
import { deliveries } from '../../pki/alert/deliver.ts';
import { orders } from '../../pki/certificate-order/work.ts';
import { leases } from '../../secrets/dynamic/lease/work.ts';
import { webhooks } from '../../secrets/webhook/deliver.ts';

const CALLING = { checks, pkiSyncWork, rotationWork, syncWork, orders, leases, webhooks, deliveries };
/** Work that calls no other system. */
const WITHIN = ['replications'];

describe('work that calls other systems', () => {
  it('is each work table of the domain, or listed as calling none', () => {
    const cwd = new URL('../../', import.meta.url).pathname;
    const declared = globSync('**/*.ts', { cwd, exclude: ['**/*.test.ts'] }).flatMap((file) =>
      Array.from(
        readFileSync(cwd + file, 'utf8').matchAll(/^export const (\w+) = new WorkTable\b/gm),
        ([, name]) => name,
      ),
    );
    expect(new Set(declared)).toEqual(new Set([...Object.keys(CALLING), ...WITHIN]));
  });

  it.each(Object.entries(CALLING))('has at most two queues for an organization: %s', (_name, { job }) => {
    const organizationId = newId();
    const due = (n: number) => ({ id: newId(), organizationId, queue: `host ${n}`, dueAt: n % 2 ? new Date() : null });
    const queues = new Set(Array.from({ length: 200 }, (_, n) => job.queueOf?.(due(n))));
    expect(queues).not.toContain(undefined);
    expect(queues.size).toBeLessThanOrEqual(2);
  });
});
