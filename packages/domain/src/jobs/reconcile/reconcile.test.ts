import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { inTransaction, newId, type Context } from '../../kernel/index.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { BACKOFF } from '../backoff.ts';
import type { WorkDescription } from './description.ts';
import { DONE, retry } from './next.ts';
import { orphanJob, reconcile, reconcileJob } from './reconcile-job.ts';
import { statementsOf } from './statements.ts';
import { WorkTable, type Claimed } from './work-table.ts';

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;

let test: TestCoffer;
let organizationId: string;
beforeAll(async () => {
  test = await testCoffer({ clock: 'standing' });
  ({ id: organizationId } = await makeOrganization(test.coffer));
  await test.owner.query(`
    create table errands (id uuid primary key, organization_id uuid not null, place text not null, is_active boolean not null,
      due_at timestamptz(3), failures integer not null default 0, claim_id uuid, claimed_until timestamptz(3));
    create index errands_due on errands (due_at) where due_at is not null;
    create index errands_claimed on errands (claimed_until) where claimed_until is not null;
    create index errands_place on errands (organization_id, place);
    create view repeated_errands as select * from errands;
    create view exclusive_errands as select * from errands;
    create view queued_errands as select * from errands;
    create view explained_errands as select * from errands;
    create view shared_errands as select * from errands;
    create table places (id text primary key, rests_until timestamptz(3));
    create index errands_due_of_place on errands (place, due_at) where due_at is not null;
    create index errands_claimed_of_place on errands (place, claimed_until) where claimed_until is not null;
    grant all on errands, repeated_errands, exclusive_errands, queued_errands, shared_errands, places to public`);
});
beforeEach(async () => {
  await test.owner.query('truncate errands, places; delete from graphile_worker._private_jobs');
});
afterAll(() => test.close());

const description: WorkDescription = {
  table: 'errands',
  where: 't.is_active',
  returning: 't.place',
  claimMs: MINUTE,
  orphanedAfterMs: 2 * MINUTE,
  job: { name: 'test.errand', idName: 'errandId', key: 'errand', priority: 3, maxAttempts: 5 },
};
interface Errand {
  place: string;
}
const once = new WorkTable<Errand>(description);
// The same rows with other column names: a table has only one description.
const repeated = new WorkTable<Errand>({ ...description, table: 'repeated_errands', isRepeated: true });
const exclusive = new WorkTable<Errand>({
  ...description,
  table: 'exclusive_errands',
  isRepeated: true,
  exclusiveBy: 'place',
});

const account = { by: 'place', table: 'places', most: 2 };
const shared = new WorkTable<Errand>({ ...description, table: 'shared_errands', isRepeated: true, account });

const queued = new WorkTable<Errand>({ ...description, table: 'queued_errands', queuedBy: 'place' });

const platform = (): Context => test.coffer.contextFor({ type: 'platform', organizationId: undefined });
const now = () => test.coffer.now();
const later = (ms: number) => new Date(now().getTime() + ms);

async function errand(dueAt: Date | null = now(), place = 'here') {
  const id = newId();
  await test.owner.query('insert into errands values ($1, $2, $3, true, $4)', [id, organizationId, place, dueAt]);
  return { id, organizationId };
}
const rowOf = async (id: string) => (await test.owner.query('select * from errands where id = $1', [id])).rows[0];
const ask = (id: string, dueAt = now()) =>
  test.owner.query('update errands set due_at = $2 where id = $1', [id, dueAt]);
const jobs = async () => {
  const { rows } = await test.owner.query<{ key: string; run_at: Date; priority: number; queue_name: string | null }>(
    'select key, run_at, priority, queue_name from graphile_worker.jobs order by key',
  );
  return rows;
};
const claimed = async (found: Promise<Claimed<Errand> | undefined>): Promise<Claimed<Errand>> => {
  const one = await found;
  if (!one) throw new Error('Nothing was claimed');
  return one;
};

describe('a row of durable work', () => {
  it('is claimed by one of two concurrent processes', async () => {
    const due = await errand();
    const found = await Promise.all(Array.from({ length: 8 }, () => once.claim(platform(), due)));
    const [winner, ...others] = found.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(winner).toMatchObject({ claim: { ...due, failures: 0 }, row: { place: 'here' } });
  });

  it('is claimed before it is due, or while it is disabled, only on demand', async () => {
    const due = await errand(later(1));
    const none = await errand();
    await test.owner.query('update errands set is_active = false where id = $1', [none.id]);
    expect([await once.claim(platform(), due), await once.claim(platform(), none)]).toEqual([undefined, undefined]);
    expect(await once.claim(platform(), due, { isAlways: true })).toBeDefined();
    expect(await once.claim(platform(), none, { isAlways: true })).toBeDefined();
  });

  it('is not found in another organization', async () => {
    const { id } = await errand();
    expect(await once.claim(platform(), { id, organizationId: newId() })).toBeUndefined();
  });

  it.each([
    ['once', once],
    ['repeated', repeated],
  ] as const)('is taken over from a process that was killed: %s', async (_name, work) => {
    const due = await errand();
    const first = await claimed(work.claim(platform(), due));
    await reconcile(platform(), work, due, { attempt: () => Promise.reject(new Error('It is claimed')) });
    const [waiting] = await jobs();
    expect(waiting).toMatchObject({ key: `errand:${due.id}`, run_at: later(MINUTE) });
    test.advance(MINUTE);
    const second = await claimed(work.claim(platform(), due));
    // After losing its claim, a worker writes nothing.
    expect(await work.settle(platform(), first.claim, DONE)).toBe(false);
    expect(await work.release(platform(), first.claim)).toBe(false);
    expect(await rowOf(due.id)).toMatchObject({ claim_id: second.claim.claimId });
    expect(await work.settle(platform(), second.claim, DONE)).toBe(true);
    expect(await rowOf(due.id)).toMatchObject({ claim_id: null, claimed_until: null, due_at: null });
  });

  it('that failed is retried with backoff, and not before the remote allows it', async () => {
    const due = await errand();
    const waits: number[] = [];
    for (let failures = 0; failures < 12; failures++) {
      const { claim } = await claimed(once.claim(platform(), due));
      expect(claim.failures).toBe(failures);
      await once.settle(platform(), claim, retry(failures, now()));
      const [job] = await jobs();
      const wait = job!.run_at.getTime() - now().getTime();
      waits.push(wait);
      test.advance(wait - 1);
      expect(await once.claim(platform(), due)).toBeUndefined();
      test.advance(1);
    }
    expect(waits[0]).toBeLessThanOrEqual(1.1 * BACKOFF.firstMs);
    expect(waits[3]! / waits[0]!).toBeGreaterThan(6);
    expect(waits.at(-1)).toBeGreaterThan(0.9 * BACKOFF.longestMs);
    expect(retry(0, now(), { retryAfterMs: 2 * BACKOFF.longestMs }).dueAt).toEqual(later(2 * BACKOFF.longestMs));
    expect(retry(3, now(), { maxRetries: 3 })).toEqual({ failures: 4, dueAt: null });
  });

  it('is processed again for work that arrived meanwhile, and only then', async () => {
    const due = await errand();
    for (const isAsked of [true, false]) {
      const { claim } = await claimed(repeated.claim(platform(), due));
      if (isAsked) await ask(due.id);
      await test.owner.query('delete from graphile_worker._private_jobs');
      await repeated.settle(platform(), claim, DONE);
      expect((await jobs()).map(({ key }) => key)).toEqual(isAsked ? [`errand:${due.id}`] : []);
    }
    expect(await rowOf(due.id)).toMatchObject({ due_at: null, failures: 0 });
  });

  it('that is due by the clock of the database, and not by that of its process, is not looked at again and again', async () => {
    test.advance(-WEEK);
    onTestFinished(() => test.advance(WEEK));
    const due = await errand(later(1));
    await reconcile(platform(), once, due, { attempt: () => Promise.reject(new Error('It is not due')) });
    const { rows } = await test.owner.query<{ waits: boolean }>(
      `select run_at > clock_timestamp() and run_at < clock_timestamp() + interval '1 second' as waits from graphile_worker.jobs`,
    );
    expect(rows).toEqual([{ waits: true }]);
  });

  it('whose claim is released is as due as before', async () => {
    const due = await errand();
    const { claim } = await claimed(once.claim(platform(), due));
    expect(await once.release(platform(), claim)).toBe(true);
    expect((await jobs()).length).toBe(1);
    expect(await once.claim(platform(), due)).toBeDefined();
  });

  it('is retried later if an attempt throws, and the job fails', async () => {
    const due = await errand();
    const job = reconcileJob(once, { attempt: () => Promise.reject(new Error('A fault')) });
    const run = job.run(platform(), { organizationId, errandId: due.id }, {} as never);
    await expect(run).rejects.toThrow('A fault');
    expect(await rowOf(due.id)).toMatchObject({ failures: 1, claim_id: null });
    expect((await rowOf(due.id)).due_at.getTime()).toBeGreaterThan(now().getTime());
  });

  it('does not block its job longer than the limit', async () => {
    const due = await errand();
    let finish = () => {};
    const job = reconcileJob(once, {
      patienceMs: 10,
      attempt: async (ctx, { claim }) => {
        await new Promise<void>((resolve) => (finish = resolve));
        await once.settle(ctx, claim, DONE);
      },
    });
    await job.run(platform(), { organizationId, errandId: due.id }, {} as never);
    await expect.poll(async () => (await rowOf(due.id)).claimed_until).toEqual(later(MINUTE));
    finish();
    await expect.poll(async () => (await rowOf(due.id)).claim_id).toBeNull();
  });

  it('gets a new job if its own is lost, or the process with its claim', async () => {
    const [lost, held, early] = [await errand(), await errand(), await errand(later(MINUTE))];
    await claimed(repeated.claim(platform(), held));
    test.advance(MINUTE - 1);
    await orphanJob(repeated, { name: 'test.orphaned', schedule: '* * * * *' }).run(platform(), {}, {} as never);
    expect(await jobs()).toEqual([]);
    test.advance(1);
    expect(await repeated.requeueOrphaned(platform())).toBe(1);
    expect((await jobs()).map(({ key }) => key)).toEqual([`errand:${held.id}`]);
    test.advance(MINUTE);
    await repeated.requeueOrphaned(platform());
    expect((await jobs()).map(({ key }) => key)).not.toContain(`errand:${early.id}`);
    expect((await jobs()).map(({ key }) => key)).toContain(`errand:${lost.id}`);
  });

  it('excludes others of its target, and wakes those that waited', async () => {
    const [first, second, elsewhere] = [await errand(), await errand(), await errand(now(), 'there')];
    const found = await Promise.all([first, second].map((due) => exclusive.claim(platform(), due)));
    const [held] = found.filter((one) => one !== undefined);
    expect(found.filter((one) => one === undefined)).toHaveLength(1);
    expect(await exclusive.claim(platform(), elsewhere)).toBeDefined();
    const waiting = held!.claim.id === first.id ? second : first;
    await exclusive.enqueueAgain(platform(), waiting);
    expect(await jobs()).toMatchObject([{ key: `errand:${waiting.id}`, run_at: later(MINUTE) }]);
    await test.owner.query('delete from graphile_worker._private_jobs');
    await exclusive.settle(platform(), held!.claim, DONE);
    expect((await jobs()).map(({ key }) => key)).toEqual([`errand:${waiting.id}`]);
    expect(await exclusive.claim(platform(), waiting)).toBeDefined();
  });

  it('is claimed only with so many others of its account, and one that ends starts another', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => errand()));
    const elsewhere = await errand(now(), 'there');
    const found = await Promise.all(all.map((due) => shared.claim(platform(), due)));
    const held = found.filter((one) => one !== undefined);
    expect(held).toHaveLength(2);
    expect(await shared.claim(platform(), elsewhere)).toBeDefined();
    const waiting = all.filter((_, index) => found[index] === undefined);
    await Promise.all(waiting.map((due) => shared.enqueueAgain(platform(), due)));
    expect((await jobs()).map(({ run_at: at }) => at)).toEqual(waiting.map(() => later(MINUTE)));
    // Somebody waits for it.
    expect(await shared.claim(platform(), waiting[0]!, { isAlways: true })).toBeDefined();
    await shared.settle(platform(), held[0]!.claim, DONE);
    const started = (await jobs()).filter(({ run_at: at }) => at < later(MINUTE));
    expect(started).toHaveLength(2);
    expect(await shared.claim(platform(), waiting[1]!)).toBeUndefined();
    await shared.settle(platform(), held[1]!.claim, DONE);
    expect(await shared.claim(platform(), waiting[1]!)).toBeDefined();
  });

  it('waits with all others while its account rests', async () => {
    const [one, other] = [await errand(), await errand()];
    const [elsewhere, urgent] = [await errand(now(), 'there'), await errand()];
    const first = await claimed(shared.claim(platform(), one));
    await test.owner.query(`insert into places values ('here', $1)`, [later(5 * MINUTE)]);
    expect(await shared.claim(platform(), other)).toBeUndefined();
    expect(await shared.claim(platform(), elsewhere)).toBeDefined();
    expect(await shared.claim(platform(), urgent, { isAlways: true })).toBeDefined();
    await shared.enqueueAgain(platform(), other);
    expect(await jobs()).toMatchObject([{ key: `errand:${other.id}`, run_at: later(5 * MINUTE) }]);
    await shared.settle(platform(), first.claim, DONE);
    expect(await jobs()).toMatchObject([{ key: `errand:${other.id}`, run_at: later(5 * MINUTE) }]);
    test.advance(3 * MINUTE);
    // What waits for the account is not lost.
    expect(await shared.requeueOrphaned(platform())).toBe(1);
    test.advance(2 * MINUTE);
    expect(await shared.claim(platform(), other)).toBeDefined();
  });

  it('has its jobs in the queue of the row', async () => {
    const due = await errand(now(), 'there');
    const queues: (string | null)[] = [];
    const requeue = async (by: (one: Claimed<Errand>) => Promise<unknown>) => {
      await by(await claimed(queued.claim(platform(), due)));
      queues.push(...(await jobs()).map(({ queue_name }) => queue_name));
      await test.owner.query('delete from graphile_worker._private_jobs');
    };
    await requeue(() => queued.enqueueAgain(platform(), due));
    test.advance(2 * MINUTE);
    await queued.requeueOrphaned(platform());
    await requeue(() => Promise.resolve());
    test.advance(MINUTE);
    await requeue(({ claim }) => queued.release(platform(), claim));
    await requeue(({ claim }) => queued.settle(platform(), claim, retry(0, now())));
    expect(queues).toEqual(['there', 'there', 'there', 'there']);
  });

  it('is written with its job, or not at all', async () => {
    const due = await errand(null);
    const broken = inTransaction(platform(), async (tx) => {
      once.enqueue(tx, { ...due, dueAt: later(MINUTE) });
      throw new Error('Rolled back');
    });
    await expect(broken).rejects.toThrow('Rolled back');
    expect(await jobs()).toEqual([]);
    await inTransaction(platform(), async (tx) => once.enqueue(tx, { ...due, dueAt: later(MINUTE) }));
    expect(await jobs()).toMatchObject([{ key: `errand:${due.id}`, run_at: later(MINUTE), priority: 3 }]);
  });
});

describe('the statements of a table of work', () => {
  const rows = 20_000;
  const fill = `insert into errands select gen_random_uuid(), $1, 'place ' || n % 100, true, now() + n * interval '1 second', 0, null,
    case when n % 3 = 0 then now() + n * interval '1 second' end from generate_series(1, ${rows}) n`;

  it.each(['of an empty table', 'of many rows'])(
    'read by indexes, whatever the statistics say: those %s',
    async (which) => {
      await test.owner.query('analyze errands');
      await test.owner.query(fill, [organizationId]);
      if (which === 'of many rows') await test.owner.query('analyze errands');
      const { claims, ...others } = statementsOf({
        ...description,
        table: 'explained_errands',
        isRepeated: true,
        exclusiveBy: 'place',
        account,
      });
      for (const statement of Object.values({ ...claims!, ...others })) {
        const { name, text } = statement!;
        const { rows: lines } = await test.owner.query(`explain (generic_plan) ${text}`);
        const plan = lines.map((line: { 'QUERY PLAN': string }) => line['QUERY PLAN']).join('\n');
        expect([name, plan]).toEqual([name, expect.not.stringContaining('Seq Scan')]);
      }
    },
  );
});
