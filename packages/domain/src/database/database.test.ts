import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction, newId, dryRun, statement } from '../kernel/index.ts';
import { OrganizationEntity } from '../organizations/organization/organization.entity.ts';
import { testCoffer, type TestCoffer } from '../testing/index.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer({ poolSize: 2 });
});
afterAll(() => test.close());

const platform = () => test.coffer.contextFor({ type: 'platform', organizationId: undefined });
const DIE = statement('test.die', 'select pg_terminate_backend(pg_backend_pid())');
const COUNT = statement('test.count', 'select count(*)::integer as count from organizations where name = $1');

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
