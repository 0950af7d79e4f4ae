import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  dryRun,
  inTransaction,
  invalidate,
  isDatabaseConnectionError,
  newId,
  statement,
  type Statement,
} from '../kernel/index.ts';
import { OrganizationEntity } from '../organizations/organization/organization.entity.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../testing/index.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer({ poolSize: 6 });
});
afterAll(() => test.close());

const platform = () => test.coffer.contextFor({ type: 'platform', organizationId: undefined });
const DIE = statement('test.die', 'select pg_terminate_backend(pg_backend_pid())');
const COUNT = statement('test.count', 'select count(*)::integer as count from organizations where name = $1');

/** Fails where there is one organization of the name. */
const DIVIDE = statement('test.divide', 'select 1 / (1 - count(*)) from organizations where name = $1');
const last = (one: Statement, values: readonly unknown[]) => ({
  prepare: () => Promise.resolve({ statement: one, values }),
});

const create = (name: string, then: (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) => Promise<unknown>) =>
  inTransaction(platform(), async (tx) => {
    await tx.em.persist(tx.em.create(OrganizationEntity, { id: newId(), name, slug: newId() })).flush();
    await then(tx);
  });
const counted = async (name: string) => (await platform().sql<{ count: number }>(COUNT, [name]))[0]!.count;

it('a connection that breaks in a transaction costs the pool nothing', async () => {
  for (let attempt = 0; attempt < 10; attempt++) {
    await expect(create('broken', (tx) => tx.sql(DIE, []))).rejects.toThrow(/terminat/);
  }
  await create('whole', () => Promise.resolve());
  expect([await counted('broken'), await counted('whole')]).toEqual([0, 1]);
  expect(test.coffer.pool.totalCount).toBeLessThanOrEqual(2);
});

const BROKEN = [expect.stringMatching(/ECONNRESET|terminated/), true];

it('an error of a connection is known as one of the database, of statements and of the entity manager', async () => {
  const breaks = async (ask: () => Promise<unknown>) => {
    const client = await test.coffer.pool.connect();
    client.release();
    const asked = ask().catch((error: unknown) => error as Error);
    await expect.poll(() => test.coffer.pool.idleCount).toBe(test.coffer.pool.totalCount - 1);
    client.connection.stream.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    const error = (await asked) as Error;
    return [error.message, isDatabaseConnectionError(error)];
  };
  expect(await breaks(() => platform().sql(statement('test.sleep', 'select pg_sleep(20)'), []))).toEqual(BROKEN);
  expect(await breaks(() => platform().em.execute('select pg_sleep(20)'))).toEqual(BROKEN);
});

it('entities and statements of a transaction see each other, and no other transaction sees them before its end', async () => {
  await create('shared', async (tx) => {
    expect((await tx.sql<{ count: number }>(COUNT, ['shared']))[0]!.count).toBe(1);
    expect(await counted('shared')).toBe(0);
  });
  expect(await counted('shared')).toBe(1);
});

it('what fails is undone as a whole', async () => {
  await expect(create('undone', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await counted('undone')).toBe(0);
});

it('concurrent changes during a dry run are a 503, and no internal error', async () => {
  await create('busy', () => Promise.resolve());
  const rename = statement('test.rename', 'update organizations set updated_at = now() where name = $1');
  let attempts = 0;
  const changing = dryRun(
    platform(),
    async (tx) => {
      attempts++;
      await tx.sql(COUNT, ['busy']);
      await platform().sql(rename, ['busy']);
      await tx.sql(rename, ['busy']);
    },
    () => Promise.resolve(),
  );
  await expect(changing).rejects.toMatchObject({ kind: 'unavailable', code: 'database.contended', retryAfter: 1 });
  expect(attempts).toBeGreaterThan(2);
});

it('a transaction with a statement that failed cannot be committed, whoever caught the error', async () => {
  const caught = create('caught', (tx) => tx.sql(DIVIDE, ['caught']).catch(() => undefined));
  await expect(caught).rejects.toThrow('Nothing was committed');
  expect(await counted('caught')).toBe(0);
});

it('a statement after the end of its transaction is refused, and reaches no other one', async () => {
  let ended: Parameters<Parameters<typeof inTransaction>[1]>[0] | undefined;
  await inTransaction(platform(), (tx) => Promise.resolve((ended = tx)));
  await expect(ended!.sql(COUNT, ['late'])).rejects.toThrow('after the end of its transaction');
  await create('after it', () => Promise.resolve());
  expect(await counted('after it')).toBe(1);
});

it('a transaction that does nothing sends nothing', async () => {
  expect(await packetsOf(() => inTransaction(platform(), () => Promise.resolve()))).toBe(0);
});

it('the statements of one turn are one packet, `begin` included, and so are the last ones and the commit', async () => {
  const packets = await packetsOf(() =>
    inTransaction(platform(), async (tx) => {
      await Promise.all([tx.sql(COUNT, ['a']), tx.sql(COUNT, ['b'])]);
      tx.outbox.withCommit.set('test', last(COUNT, ['c']));
      invalidate(tx, 'test');
    }),
  );
  expect(packets).toBe(2);
});

it('the first error of the last statements is the one that callers get, and nothing is committed', async () => {
  const refused = create('refused', (tx) => {
    tx.outbox.withCommit.set('a', last(DIVIDE, ['refused']));
    tx.outbox.withCommit.set('b', last(COUNT, ['refused']));
    return Promise.resolve();
  });
  await expect(refused).rejects.toMatchObject({ code: 'input.unstorable' });
  expect(await counted('refused')).toBe(0);
  await create('next', () => Promise.resolve());
});

/** How often something is written to the connections of the pool meanwhile. */
async function packetsOf(work: () => Promise<unknown>): Promise<number> {
  const clients = await Promise.all([test.coffer.pool.connect(), test.coffer.pool.connect()]);
  let count = 0;
  const streams = clients.map(({ connection: { stream } }) => stream);
  for (const stream of streams) {
    for (const name of ['_write', '_writev'] as const) {
      const write = (stream[name] as (...call: unknown[]) => void).bind(stream);
      Object.assign(stream, { [name]: (...call: unknown[]) => (count++, write(...call)) });
    }
  }
  for (const client of clients) client.release();
  await work();
  for (const stream of streams) for (const name of ['_write', '_writev']) Reflect.deleteProperty(stream, name);
  return count;
}

it('a place that is being deleted is what callers learn of, whatever is sent together with its lock', async () => {
  const other = await testCoffer({ poolSize: 2, lockTimeout: 50 });
  const { coffer, owner } = other;
  const { id, admin } = await makeOrganization(coffer);
  const client = await owner.connect();
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 60))', [id]);
    const ctx = coffer.contextFor(admin.actor, { id: 'req-test', ipAddress: '127.0.0.1', userAgent: '' });
    const read = inTransaction(ctx, (tx) => tx.sql(COUNT, ['any']));
    await expect(read).rejects.toMatchObject({ kind: 'unavailable', code: 'database.locked' });
  } finally {
    client.release(true);
    await other.close();
  }
});
