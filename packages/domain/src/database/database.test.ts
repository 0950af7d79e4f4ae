import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction, newId, dryRun, statement } from '../kernel/index.ts';
import { OrganizationEntity } from '../organizations/organization/organization.entity.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../testing/index.ts';

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

it('what others change again and again during a dry run is a 503, and no fault of ours', async () => {
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

it('the release before this one reads and writes renamed tables under their former names', async () => {
  const organization = await makeOrganization(test.coffer);
  const project = await makeProject(test.coffer, organization.id, organization.admin.actor);
  const pool = test.coffer.pool;
  const environment = newId();
  await pool.query(
    `insert into departed_environments (environment_id, organization_id, project_id, root_folder_id, slug)
     values ($1, $2, $3, $4, 'dev') on conflict do nothing`,
    [environment, organization.id, project.id, newId()],
  );
  const now = 'select slug, imports from deleted_environments where environment_id = $1';
  expect((await pool.query(now, [environment])).rows).toEqual([{ slug: 'dev', imports: [] }]);
  const before = 'select slug from departed_environments where environment_id = $1 for update';
  expect((await pool.query(before, [environment])).rows).toEqual([{ slug: 'dev' }]);
  await pool.query('delete from departed_environments where environment_id = $1', [environment]);
  expect((await pool.query(now, [environment])).rows).toEqual([]);

  const sent = `insert into pki_alert_tellings (alert_id, thing_id, about, organization_id)
    values ($1, $2, now(), $3) on conflict do nothing`;
  await expect(pool.query(sent, [newId(), newId(), organization.id])).rejects.toMatchObject({
    constraint: 'pki_alert_notifications_alert_id_fkey',
  });
});
