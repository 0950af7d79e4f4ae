import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { badRequest, inTransaction, type Log } from '../kernel/index.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../testing/index.ts';
import { failureOf } from './failure.ts';
import { defineJob, enqueue, type AnyJob } from './job.ts';
import { watchOrphans } from './orphan.ts';
import { scheduled } from './queue.ts';
import { JOBS_MIGRATION } from './schema.ts';
import { startWorker, type Worker } from './worker.ts';

const lines: { level: string; details: object; message: string }[] = [];
const keep = (level: string) => (details: object, message: string) => void lines.push({ level, details, message });
const log: Log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };

let test: TestCoffer;
let worker: Worker | undefined;
beforeAll(async () => {
  test = await testCoffer({ log });
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await test.coffer.pool.query(`delete from graphile_worker._private_jobs`);
  lines.length = 0;
});
afterAll(() => test.close());

const start = async (...jobs: AnyJob[]) => (worker = await startWorker(test.coffer, jobs, { pollInterval: 100 }));
const platform = () => test.coffer.contextFor({ type: 'platform', organizationId: undefined });
const waiting = async (): Promise<number> => {
  const { rows } = await test.coffer.pool.query<{ n: number }>('select count(*)::int as n from graphile_worker.jobs');
  return rows[0]!.n;
};

describe('a job', () => {
  it('runs if, and only if, the transaction that enqueued it commits', async () => {
    const ran: string[] = [];
    const job = defineJob({
      name: 'test.note',
      payload: z.object({ name: z.string() }),
      run: async (_ctx, { name }) => void ran.push(name),
    });
    await start(job);
    const failed = inTransaction(platform(), async (tx) => {
      enqueue(tx, job, { name: 'rolled back' });
      await tx.em.flush();
      throw badRequest('test.stop', 'Stop');
    });
    await expect(failed).rejects.toMatchObject({ code: 'test.stop' });
    await inTransaction(platform(), async (tx) => enqueue(tx, job, { name: 'committed' }));
    await expect.poll(() => ran).toEqual(['committed']);
    await expect.poll(waiting).toBe(0);
  });

  it.each([true, false])('begins while its run before goes on, unless it is to be alone: %s', async (isAlone) => {
    const held: (() => void)[] = [];
    const run = () => new Promise<void>((resolve) => held.push(resolve));
    const long = defineJob({ name: 'test.long', payload: z.object({}), schedule: '* * * * *', isAlone, run });
    const ran: string[] = [];
    const other = defineJob({ name: 'test.other', payload: z.object({}), run: async () => void ran.push('other') });
    await start(long, other);
    const [item] = scheduled([long]);
    const values = [item!.options?.queueName ?? null, item!.options?.jobKey];
    const add = () =>
      test.coffer.pool.query(
        `select graphile_worker.add_job('test.long', '{}', queue_name := $1, job_key := $2, job_key_mode := 'preserve_run_at')`,
        values,
      );
    await add();
    await expect.poll(() => held.length).toBe(1);
    await add();
    await inTransaction(platform(), async (tx) => enqueue(tx, other, {}));
    await expect.poll(() => ran).toEqual(['other']);
    if (isAlone) for (const end of held.splice(0)) end();
    await expect.poll(() => held.length).toBe(isAlone ? 1 : 2);
    for (const end of held) end();
    await expect.poll(waiting).toBe(0);
  });

  it('runs when an earlier release has queued it under its former name', async () => {
    const ran: string[] = [];
    const former = defineJob({
      name: 'test.former',
      payload: z.object({ name: z.string() }),
      run: () => Promise.reject(new Error('The earlier release is gone')),
    });
    const renamed = defineJob({
      ...former,
      name: 'test.renamed',
      formerNames: ['test.former'],
      run: async (_ctx, { name }) => void ran.push(name),
    });
    await inTransaction(platform(), async (tx) => enqueue(tx, former, { name: 'queued before' }));
    await start(renamed);
    await expect.poll(() => ran).toEqual(['queued before']);
    await expect.poll(waiting).toBe(0);
  });

  it('waits for a later worker, and for its time', async () => {
    const ran: string[] = [];
    const job = defineJob({
      name: 'test.later',
      payload: z.object({ name: z.string() }),
      run: async (_ctx, { name }) => void ran.push(name),
    });
    await inTransaction(platform(), async (tx) => {
      enqueue(tx, job, { name: 'tomorrow' }, { runAt: new Date(Date.now() + 86_400_000) });
      enqueue(tx, job, { name: 'soon' }, { runAt: new Date(Date.now() + 300) });
      enqueue(tx, job, { name: 'replaced' }, { key: 'one', runAt: new Date(Date.now() + 86_400_000) });
    });
    await inTransaction(platform(), async (tx) => enqueue(tx, job, { name: 'replacing' }, { key: 'one' }));
    await start(job);
    await expect.poll(() => ran.toSorted()).toEqual(['replacing', 'soon']);
    await expect.poll(waiting).toBe(1);
  });

  it('acts in the organization that its payload names', async () => {
    const { id: organizationId } = await makeOrganization(test.coffer);
    const actors: object[] = [];
    const job = defineJob({
      name: 'test.actor',
      payload: z.object({ organizationId: z.string() }),
      run: async (ctx) => void actors.push(ctx.actor),
    });
    await start(job);
    await inTransaction(platform(), async (tx) => enqueue(tx, job, { organizationId }));
    await expect.poll(() => actors).toEqual([{ type: 'platform', organizationId }]);
  });

  it('is retried after a failure, and neither log nor queue contains its payload', async () => {
    let attempts = 0;
    const job = defineJob({
      name: 'test.fails',
      payload: z.object({ url: z.string() }),
      run: async (_ctx, { url }) => {
        attempts++;
        throw new Error(`connect ECONNREFUSED ${url}`);
      },
    });
    await start(job);
    await inTransaction(platform(), async (tx) =>
      enqueue(tx, job, { url: 'https://hooks.example/canary-4711' }, { maxAttempts: 2 }),
    );
    await expect.poll(() => attempts).toBe(1);
    await test.coffer.pool.query('update graphile_worker._private_jobs set run_at = now()');
    await expect.poll(() => lines.filter(({ level }) => level === 'error').length).toBe(1);
    expect(attempts).toBe(2);
    expect(lines).toMatchObject([
      {
        level: 'warn',
        details: { job: 'test.fails', attempt: 1, attempts: 2, failure: { message: 'connect ECONNREFUSED [payload]' } },
      },
      { level: 'error', details: { job: 'test.fails', attempt: 2 } },
    ]);
    const { rows } = await test.coffer.pool.query<{ last_error: string }>(
      'select last_error from graphile_worker.jobs',
    );
    expect(JSON.stringify([lines, rows])).not.toContain('canary');
  });

  it('fails with an invalid payload', async () => {
    const job = defineJob({ name: 'test.strict', payload: z.object({ id: z.uuid() }), run: async () => undefined });
    await start(job);
    await test.coffer.pool.query(
      `select graphile_worker.add_job('test.strict', '{"id": "canary-4711"}'::json, max_attempts := 1)`,
    );
    await expect.poll(() => lines.length).toBe(1);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('is finished before the worker stops', async () => {
    let state = 'waiting';
    const job = defineJob({
      name: 'test.slow',
      payload: z.object({}),
      run: async () => {
        state = 'running';
        await sleep(400);
        state = 'done';
      },
    });
    const running = await start(job);
    await inTransaction(platform(), async (tx) => enqueue(tx, job, {}));
    await expect.poll(() => state).toBe('running');
    worker = undefined;
    await running.stop();
    expect(state).toBe('done');
    expect(await waiting()).toBe(0);
  });
});

describe('a job that does not end', () => {
  it('is given to another process when the worker stops', async () => {
    let starts = 0;
    let end = (): void => undefined;
    const job = defineJob({
      name: 'test.endless',
      payload: z.object({}),
      run: async () => {
        starts++;
        if (starts === 1) await new Promise<void>((resolve) => (end = resolve));
      },
    });
    const impatient = await startWorker(test.coffer, [job], { pollInterval: 100, patience: 200 });
    await inTransaction(platform(), async (tx) => enqueue(tx, job, {}));
    await expect.poll(() => starts).toBe(1);
    await impatient.stop();
    await start(job);
    await expect.poll(() => starts).toBe(2);
    await expect.poll(waiting).toBe(0);
    end();
  });
});

describe('a job whose process was killed', () => {
  /** As if a worker had it for some time. */
  const age = (workerId: string) =>
    test.coffer.pool.query(
      `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '2 minutes', attempts = 1`,
      [workerId],
    );

  it('is taken up by another process', async () => {
    const ran: string[] = [];
    const job = defineJob({ name: 'test.orphan', payload: z.object({}), run: async () => void ran.push('done') });
    await inTransaction(platform(), async (tx) => enqueue(tx, job, {}));
    await age('a worker that is no more');
    await start(job);
    await expect.poll(() => ran).toEqual(['done']);
    await expect.poll(waiting).toBe(0);
  });

  it('is distinguished from a slow one', async () => {
    let starts = 0;
    let end = (): void => undefined;
    const job = defineJob({
      name: 'test.long',
      payload: z.object({}),
      run: async () => {
        starts++;
        await new Promise<void>((resolve) => (end = resolve));
      },
    });
    await start(job);
    await inTransaction(platform(), async (tx) => enqueue(tx, job, {}));
    await expect.poll(() => starts).toBe(1);
    const { rows } = await test.coffer.pool.query<{ locked_by: string }>('select locked_by from graphile_worker.jobs');
    await age(rows[0]!.locked_by);
    const other = await startWorker(test.coffer, [job], { pollInterval: 100 });
    const again = await test.coffer.pool.query<{ locked_by: string }>('select locked_by from graphile_worker.jobs');
    expect(again.rows).toEqual(rows);
    end();
    await expect.poll(waiting).toBe(0);
    await other.stop();
    expect(starts).toBe(1);
  });
});

describe('a job whose process has lost a connection', () => {
  it('is left to it, unless the process does not come back before the next look', async () => {
    const pool = new Pool({ connectionString: test.servingUrl, max: 2 });
    const job = defineJob({ name: 'test.lost', payload: z.object({}), run: async () => undefined });
    await inTransaction(platform(), async (tx) => enqueue(tx, job, {}));
    await test.coffer.pool.query(`update graphile_worker._private_jobs set locked_by = 'pool-lost', locked_at = now()`);
    const lockedBy = async () =>
      (await test.owner.query<{ locked_by: string | null }>('select locked_by from graphile_worker.jobs')).rows;
    const looks = vi.spyOn(pool, 'query');
    const end = await watchOrphans(pool, ['pool-looking'], log, { every: 500 });
    // Free at the first look.
    const back = new Client({ connectionString: test.servingUrl });
    await back.connect();
    await back.query(`select pg_advisory_lock(hashtextextended('pool-lost', 0))`);
    const before = looks.mock.calls.length;
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(before + 2);
    expect(await lockedBy()).toEqual([{ locked_by: 'pool-lost' }]);
    await back.end();
    await expect.poll(lockedBy).toEqual([{ locked_by: null }]);
    end();
    await pool.end();
    await start(job);
    await expect.poll(waiting).toBe(0);
  });
});

describe('the connection by which others see that a worker is alive', () => {
  const isHeld = async (workerId: string) => {
    const free = 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free';
    return !(await test.owner.query<{ free: boolean }>(free, [workerId])).rows[0]!.free;
  };

  it('ends when the process does nothing any more, and not before', async () => {
    const SILENCE = 1_500;
    const pool = new Pool({ connectionString: test.servingUrl, max: 2 });
    pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
    const end = await watchOrphans(pool, ['pool-stopped'], log, { silence: SILENCE });
    // It says something in time.
    const said = `select from pg_stat_activity where datname = current_database() and query = 'select 1'
      and pid in (select pid from pg_locks where locktype = 'advisory' and database = (
        select oid from pg_database where datname = current_database()))`;
    await expect.poll(async () => (await test.owner.query(said)).rowCount).toBe(1);
    expect(await isHeld('pool-stopped')).toBe(true);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * SILENCE);
    expect(await isHeld('pool-stopped')).toBe(false);
    end();
    await pool.end();
  });

  it('is replaced at once when it is lost, and given back to the pool', async () => {
    const pool = new Pool({ connectionString: test.servingUrl, max: 2, application_name: 'test-orphans' });
    pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
    const end = await watchOrphans(pool, ['pool-test'], log, { every: 3_600_000 });
    expect(pool.totalCount).toBe(2);
    await test.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-orphans'`,
    );
    await expect.poll(async () => [await isHeld('pool-test'), pool.totalCount]).toEqual([true, 1]);
    expect((await pool.query('select 1')).rowCount).toBe(1);
    end();
    await pool.end();
  });
});

describe('a queue whose database is lost while a job runs', () => {
  it('is started again: it finishes what is queued, and what is queued later', async () => {
    const ran: string[] = [];
    const name = new URL(test.databaseUrl).pathname.slice(1);
    const elsewhere = new Client({ connectionString: process.env['COFFER_TEST_DATABASE_URL'] });
    await elsewhere.connect();
    const allow = (isAllowed: boolean) => elsewhere.query(`alter database ${name} with allow_connections ${isAllowed}`);
    const job = defineJob({
      name: 'test.failover',
      payload: z.object({ name: z.string() }),
      run: async (_ctx, { name: said }) => {
        ran.push(said);
        if (said !== 'losing it') return;
        await allow(false);
        await elsewhere.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'coffer-jobs'`,
          [name],
        );
      },
    });
    await start(job);
    await inTransaction(platform(), async (tx) => enqueue(tx, job, { name: 'losing it' }));
    await expect.poll(() => lines.map(({ message }) => message).join()).toContain('The job queue has stopped');
    await inTransaction(platform(), async (tx) => enqueue(tx, job, { name: 'meanwhile' }));
    await allow(true);
    await elsewhere.end();
    await expect.poll(() => ran).toEqual(['losing it', 'meanwhile']);
    await inTransaction(platform(), async (tx) => enqueue(tx, job, { name: 'later' }));
    await expect.poll(() => ran).toEqual(['losing it', 'meanwhile', 'later']);
  });
});

describe('the schema of the queue', () => {
  it('is recorded under the release that is installed', () => {
    const manifest = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.resolve('graphile-worker')), 'utf8'),
    ) as { version: string };
    expect(JOBS_MIGRATION).toBe(`graphile-worker-${manifest.version}`);
  });
});

describe('failureOf', () => {
  it('keeps useful text and hides that of the payload', () => {
    const id = '2b8c7f5e-3f3e-4c57-9f0e-3a41d5a1d111';
    const failure = failureOf(badRequest('thing.bad', `secret-value of ${id} at nested-value`), {
      a: 'secret-value',
      b: [{ c: 'nested-value' }],
      id,
    });
    expect(failure).toMatchObject({
      name: 'DomainError',
      code: 'thing.bad',
      message: `[payload] of ${id} at [payload]`,
    });
    expect(failure.stack.every((line) => line.startsWith('    at '))).toBe(true);
    expect(failureOf('text', {}).message).toBe('A value that is not an error was thrown');
  });
});
