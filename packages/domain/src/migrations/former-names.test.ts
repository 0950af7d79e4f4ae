import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../kernel/index.ts';
import { makeOrganization, makeProject, testCoffer, type TestCoffer } from '../testing/index.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

it('the previous release reads and writes renamed tables under their former names', async () => {
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
