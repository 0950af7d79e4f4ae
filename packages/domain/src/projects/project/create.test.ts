import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../kernel/index.ts';
import { makeOrganization, makeUser, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { createProjectRow, type NewProject } from './create.ts';

let test: TestCoffer;
let organizationId: string;
beforeAll(async () => {
  test = await testCoffer();
  organizationId = (await makeOrganization(test.coffer)).id;
});
afterAll(() => test.close());

const project = (slug: string, more: Partial<NewProject> = {}): NewProject => ({
  organizationId,
  name: slug,
  slug,
  type: 'secret-manager',
  description: null,
  hasDeleteProtection: false,
  withEnvironments: true,
  ...more,
});
const query = async (text: string, id: string) =>
  (await test.owner.query<{ value: string }>(text, [id])).rows.map(({ value }) => value);
const environmentsOf = (id: string) =>
  query('select slug as value from environments where project_id = $1 order by position', id);

describe('a new project', () => {
  it('has the default environments, a data key, and its creator as its administrator', async () => {
    const { actor } = await makeUser(test.coffer, { organizationId });
    const { id } = await inTransaction(test.coffer.contextFor(actor), (tx) => createProjectRow(tx, project('one')));
    expect(await environmentsOf(id)).toEqual(['dev', 'staging', 'prod']);
    expect(await query('select version::text as value from data_keys where project_id = $1', id)).toHaveLength(1);
    expect(await query('select user_id::text as value from memberships where project_id = $1', id)).toEqual([actor.id]);
  });

  it('has the requested environments, in order, or none', async () => {
    const platform = test.coffer.contextFor({ type: 'platform', organizationId });
    const environments = ['qa', 'dev', 'live'].map((slug) => ({ name: slug, slug }));
    const contents = { environments, roles: [] };
    const own = await inTransaction(platform, (tx) => createProjectRow(tx, project('own', { contents })));
    expect(await environmentsOf(own.id)).toEqual(['qa', 'dev', 'live']);
    const none = await inTransaction(platform, (tx) =>
      createProjectRow(tx, project('none', { withEnvironments: false })),
    );
    expect(await environmentsOf(none.id)).toEqual([]);
  });

  it('exists completely or not at all', async () => {
    const platform = test.coffer.contextFor({ type: 'platform', organizationId });
    const environments = ['qa', 'qa'].map((slug) => ({ name: slug, slug }));
    const made = inTransaction(platform, (tx) =>
      createProjectRow(tx, project('twice', { contents: { environments, roles: [] } })),
    );
    await expect(made).rejects.toThrow('An environment with this slug already exists');
    const { rows } = await test.owner.query(`select id from projects where slug = 'twice'`);
    expect(rows).toEqual([]);
  });
});
