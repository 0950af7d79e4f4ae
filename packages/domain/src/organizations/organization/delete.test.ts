import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeIdentity,
  makeOrganization,
  makeProject,
  makeUser,
  testCoffer,
  type TestCoffer,
} from '../../testing/index.ts';
import { endOfOrganization } from '../../app/ends.ts';
import { deleteOrganization } from './delete.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

/** The rows of each table that belong to an organization. */
async function rowsOf(organizationId: string): Promise<Record<string, number>> {
  const { rows: tables } = await test.owner.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE' order by 1`,
  );
  const counts: [string, number][] = [];
  for (const { name } of tables) {
    const { rows } = await test.owner.query<{ count: number }>(
      `select count(*)::int as count from "${name}" where organization_id = $1`,
      [organizationId],
    );
    counts.push([name, rows[0]!.count]);
  }
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

async function makeWorld() {
  const { id, admin } = await makeOrganization(test.coffer);
  const project = await makeProject(test.coffer, id, admin.actor);
  await makeIdentity(test.coffer, { organizationId: id, projectId: project.id, rules: [] });
  const user = await makeUser(test.coffer, { organizationId: id });
  return { id, admin, user };
}

describe('an organization that is deleted', () => {
  it('leaves only its audit log, and affects no other one', async () => {
    const [gone, other] = [await makeWorld(), await makeWorld()];
    const before = await rowsOf(other.id);
    expect(Object.keys(await rowsOf(gone.id)).length).toBeGreaterThan(8);
    await deleteOrganization(test.coffer.contextFor(gone.admin.actor), { organizationId: gone.id }, endOfOrganization);
    expect(Object.keys(await rowsOf(gone.id)).filter((table) => !table.startsWith('audit_'))).toEqual([]);
    expect(await rowsOf(other.id)).toEqual(before);
  });

  it('keeps the users', async () => {
    const { id, admin, user } = await makeWorld();
    await deleteOrganization(test.coffer.contextFor(admin.actor), { organizationId: id }, endOfOrganization);
    const { rows } = await test.owner.query('select id from users where id = $1', [user.id]);
    expect(rows).toHaveLength(1);
  });

  it('cannot be deleted by callers who do not administer it, nor from another one', async () => {
    const [one, other] = [await makeWorld(), await makeWorld()];
    for (const { actor } of [one.user, other.admin])
      await expect(
        deleteOrganization(test.coffer.contextFor(actor), { organizationId: one.id }, endOfOrganization),
      ).rejects.toMatchObject({ code: expect.stringMatching(/^(permission|not_found|organization)/) as unknown });
    expect(await rowsOf(one.id)).not.toEqual({});
  });
});
