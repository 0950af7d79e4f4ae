import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { inTransaction, newId, type Context } from '../kernel/index.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';
import { defineJob, enqueue as enqueueJob, turnsOf } from './job.ts';
import { startWorker } from './worker.ts';
import { lanes } from './lanes.ts';
import { DONE, reconcileJob, WorkTable } from './reconcile/index.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
  await test.owner.query(`
    create table calls (id uuid primary key, organization_id uuid not null, due_at timestamptz(3),
      failures integer not null default 0, claim_id uuid, claimed_until timestamptz(3));
    grant all on calls to public`);
});
beforeEach(() => test.owner.query('truncate calls; delete from graphile_worker._private_jobs'));
afterAll(() => test.close());

const calls = new WorkTable({
  table: 'calls',
  claimMs: 60_000,
  orphanedAfterMs: 60_000,
  job: { name: 'test.call', idName: 'callId', key: 'call', priority: 3, maxAttempts: 5, queueOf: lanes('calls', 1) },
});
const platform = (): Context => test.coffer.contextFor({ type: 'platform', organizationId: undefined });

/** Organizations whose IDs end in the same two digits, which decide about their queue. */
const neighbors = (): [string, string] => {
  const id = newId();
  return [id, newId().slice(0, -2) + id.slice(-2)];
};

async function enqueue(organizationId: string, count: number): Promise<void> {
  await inTransaction(platform(), async (tx) => {
    for (let n = 0; n < count; n++) {
      const id = newId();
      await test.owner.query('insert into calls values ($1, $2, now())', [id, organizationId]);
      calls.enqueue(tx, { id, organizationId });
    }
  });
}

/**
 * Begins to work; a call of a slow organization takes some time, which only then goes by. Returns whose calls were begun, in
 * their order.
 */
async function work(slow: string, forMs: number): Promise<string[]> {
  const begun: string[] = [];
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
  const job = reconcileJob(calls, {
    attempt: async (ctx, { claim }) => {
      begun.push(claim.organizationId);
      if (claim.organizationId === slow) time += forMs;
      await calls.settle(ctx, claim, DONE);
    },
  });
  const worker = await startWorker(test.coffer, [job], { pollInterval: 100 });
  onTestFinished(async () => {
    await worker.stop();
    clock.mockRestore();
  });
  return begun;
}

/** The same, where calls of the slow organization do not end. */
async function workInBackground(slow: string): Promise<string[]> {
  const begun: string[] = [];
  const ending = new AbortController();
  const job = reconcileJob(calls, {
    patienceMs: 10,
    attempt: async (ctx, { claim }) => {
      begun.push(claim.organizationId);
      if (claim.organizationId === slow) await sleep(86_400_000, undefined, ending).catch(() => undefined);
      await calls.settle(ctx, claim, DONE);
    },
  });
  const worker = await startWorker(test.coffer, [job], { pollInterval: 100 });
  onTestFinished(() => {
    ending.abort();
    return worker.stop();
  });
  return begun;
}

describe('calls of other systems for organizations that share a queue', () => {
  it('of one whose system is slow go behind those of others, which wait for one of them', async () => {
    const [slow, other] = neighbors();
    await enqueue(slow, 3);
    await enqueue(other, 2);
    const begun = await work(slow, 700);
    await expect.poll(() => begun.length).toBe(5);
    expect(begun).toEqual([slow, other, other, slow, slow]);
  });

  it('go behind also where each is short, and many are not', async () => {
    const [busy, other] = neighbors();
    await enqueue(busy, 8);
    await enqueue(other, 1);
    const begun = await work(busy, 200);
    await expect.poll(() => begun.length).toBe(9);
    expect(begun.indexOf(other)).toBeLessThanOrEqual(3);
  });

  it('go behind of one another in the order in which they came', async () => {
    const [one, other] = neighbors();
    const { owners } = platform().targets;
    for (const owner of [one, other]) owners.took(`test.call ${owner}`, 6_000);
    await enqueue(one, 2);
    await enqueue(other, 1);
    await enqueue(one, 2);
    const begun = await work(one, 0);
    await expect.poll(() => begun.length).toBe(5);
    expect(begun).toEqual([one, one, other, one, one]);
  });

  it('are in their order where none is slow', async () => {
    const [one, other] = neighbors();
    await enqueue(one, 3);
    await enqueue(other, 2);
    const begun = await work(one, 0);
    await expect.poll(() => begun.length).toBe(5);
    expect(begun).toEqual([one, one, one, other, other]);
  });

  it('go on beside the job, and one organization has sixteen of them at most', async () => {
    const [slow, other] = neighbors();
    await enqueue(slow, 40);
    const begun = await workInBackground(slow);
    await expect.poll(() => begun.length).toBe(16);
    await enqueue(other, 1);
    await expect.poll(() => begun.at(-1)).toBe(other);
    expect(begun).toHaveLength(17);
    expect(platform().targets.owners.running(slow)).toBe(16);
  });
});

/** Sixteen calls of an owner that do not end before the test does. */
function occupy(owner: string): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = Array.from({ length: 16 }, () => platform().targets.owners.run(owner, () => promise));
  onTestFinished(async () => {
    resolve();
    await Promise.all(running);
  });
}

const priorities = async (): Promise<number[]> =>
  (await test.owner.query('select priority from graphile_worker.jobs')).rows.map(({ priority }) => priority);

describe('urgent work', () => {
  const urgent = new WorkTable({
    table: 'calls',
    claimMs: 60_000,
    orphanedAfterMs: 60_000,
    job: { ...calls.job, name: 'test.urgent', key: 'urgent', priority: 1, isUrgent: true },
  });
  /** Queues one piece of each, and runs them; returns which were begun. */
  async function workOn(organizationId: string, ...tables: readonly WorkTable[]): Promise<string[]> {
    const begun: string[] = [];
    await inTransaction(platform(), async (tx) => {
      for (const table of tables) {
        const id = newId();
        await test.owner.query('insert into calls values ($1, $2, now())', [id, organizationId]);
        table.enqueue(tx, { id, organizationId });
      }
    });
    const attempting = tables.map((table) =>
      reconcileJob(table, {
        attempt: async (ctx, { claim }) => {
          begun.push(table.job.name);
          await table.settle(ctx, claim, DONE);
        },
      }),
    );
    const worker = await startWorker(test.coffer, attempting, { pollInterval: 100 });
    onTestFinished(() => worker.stop());
    return begun;
  }

  it('waits for no other calls of its organization', async () => {
    const organizationId = newId();
    occupy(organizationId);
    const begun = await workOn(organizationId, calls, urgent);
    await expect.poll(() => begun).toEqual(['test.urgent']);
    await expect.poll(priorities).toEqual([103]);
  });

  it('has a limit of its own, and is then behind the work of others, but before what took much time', async () => {
    const organizationId = newId();
    occupy(`test.urgent ${organizationId}`);
    const begun = await workOn(organizationId, urgent);
    await expect.poll(priorities).toEqual([11]);
    expect(begun).toEqual([]);
  });
});

describe('jobs without rows', () => {
  it('go behind those of others once, also those that the previous release has queued without a queue', async () => {
    const [slow, other] = neighbors();
    const begun: string[] = [];
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    const job = defineJob({
      name: 'test.plain',
      payload: z.object({ organizationId: z.string(), label: z.string() }),
      turns: turnsOf('plain'),
      run: async (_ctx, { organizationId, label }) => {
        if (organizationId === slow) time += 700;
        begun.push(label);
      },
    });
    await inTransaction(platform(), async (tx) => {
      const add = (organizationId: string, label: string) =>
        enqueueJob(tx, job, { organizationId, label }, { key: label, maxAttempts: 7, priority: 4 });
      for (const label of ['slow 1', 'slow 2']) add(slow, label);
      add(other, 'other');
      // As the previous release queues it.
      const payload = { organizationId: slow, label: 'slow 3' };
      tx.outbox.jobs.push({ name: job.name, payload, options: { priority: 4 } });
    });
    const worker = await startWorker(test.coffer, [job], { pollInterval: 100, concurrency: 1 });
    onTestFinished(async () => {
      await worker.stop();
      clock.mockRestore();
    });
    await expect.poll(() => begun.length).toBe(4);
    expect(begun.slice(0, 2)).toEqual(['slow 1', 'other']);
    await expect.poll(priorities).toEqual([]);
  });

  it('that were tried stay the same job, however much time the attempt took', async () => {
    const organizationId = newId();
    const tried: unknown[] = [];
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    const job = defineJob({
      name: 'test.again',
      payload: z.object({ organizationId: z.string() }),
      turns: turnsOf('again'),
      run: async (ctx, _payload, { job: { attempts } }) => {
        tried.push([ctx.request.id, attempts]);
        time += 700;
        if (attempts === 1) throw new Error('The confirmation was lost');
      },
    });
    await inTransaction(platform(), async (tx) => enqueueJob(tx, job, { organizationId }, { priority: 5 }));
    const worker = await startWorker(test.coffer, [job], { pollInterval: 100 });
    onTestFinished(async () => {
      await worker.stop();
      clock.mockRestore();
    });
    await expect.poll(() => tried.length).toBe(1);
    const [{ id } = { id: '' }] = (await test.owner.query<{ id: string }>('select id from graphile_worker.jobs')).rows;
    await expect
      .poll(async () => {
        await test.owner.query('update graphile_worker._private_jobs set run_at = now()');
        return tried;
      })
      .toEqual([
        [`job-${id}`, 1],
        [`job-${id}`, 2],
      ]);
    await expect.poll(priorities).toEqual([]);
  });
});
