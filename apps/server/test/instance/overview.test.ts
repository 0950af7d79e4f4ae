import { makeUser, type MadeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const OVERVIEW = '/api/v1/admin/overview';
const ORGANIZATIONS = '/api/v1/admin/organizations';

let test: TestServer;
let admin: MadeUser;
let root: Caller;
beforeAll(async () => {
  test = await testServer();
  admin = await makeUser(test.coffer, { isSuperAdmin: true });
  root = test.as(admin.token);
});
afterAll(() => test.close());

describe('the overview of the instance', () => {
  it('has the memory, the database, the jobs and the keys', async () => {
    await test.project();
    const { status, body } = await root('GET', OVERVIEW);
    expect(status).toBe(200);
    expect(body.process.resident).toBeGreaterThan(body.process.heapUsed);
    expect(body.process.id).toMatch(new RegExp(` ${process.pid}$`));
    expect(body.database).toMatchObject({ version: expect.stringMatching(/^\d+/), connections: expect.any(Number) });
    expect(body.database.tables.map(({ name }: { name: string }) => name)).toContain('users');
    expect(body.database.bytes).toBeGreaterThan(1_000_000);
    expect(body.keys.rotations).toEqual([]);
    expect(body.keys.active).toBeGreaterThanOrEqual(2);
  });

  it('counts jobs by what they wait for', async () => {
    await test.coffer.pool.query(
      `select graphile_worker.add_job('overview.test'), graphile_worker.add_job('overview.test', run_at := now() + interval '1 hour')`,
    );
    const { body } = await root('GET', OVERVIEW);
    expect(body.jobs).toContainEqual({
      ...{ task: 'overview.test', due: 1, later: 1, running: 0, failed: 0 },
      oldestDueAt: expect.any(String),
    });
  });

  it('shows how far a rotation of keys is', async () => {
    const { organizationId } = await test.foreign();
    const stage = `insert into data_keys (id, organization_id, project_id, version, wrapped, state, uses)
      select gen_random_uuid(), organization_id, project_id, version + 1, wrapped, $2, 0 from data_keys where organization_id = $1 and version = 1`;
    await test.owner.query(stage, [organizationId, 'staged']);
    const rotation = async () => (await root('GET', OVERVIEW)).body.keys.rotations;
    const own = { organizationId, organizationName: 'Foreign' };
    expect(await rotation()).toEqual([{ ...own, staged: 1, replaced: 0, done: 0 }]);
    const update = (state: string, condition: string) =>
      test.owner.query(`update data_keys set state = $2 where organization_id = $1 and ${condition}`, [
        organizationId,
        state,
      ]);
    await update('active', 'version = 2');
    expect(await rotation()).toEqual([{ ...own, staged: 0, replaced: 1, done: 0 }]);
    await update('retired', 'version = 1');
    expect(await rotation()).toEqual([]);
  });

  it('is for administrators of the instance alone', async () => {
    const { token } = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    for (const path of [OVERVIEW, ORGANIZATIONS]) {
      expect((await test.as(token)('GET', path)).status).toBe(403);
      expect((await test.admin('GET', path)).status).toBe(403);
      expect((await test.as()('GET', path)).status).toBe(401);
    }
  });
});

describe('the organizations of the instance', () => {
  it('are listed, searched and paged, with what is in them', async () => {
    await test.project();
    const { body } = await root('GET', `${ORGANIZATIONS}?limit=100`);
    const names = body.organizations.map(({ name }: { name: string }) => name);
    expect(names).toContain('Foreign');
    const own = body.organizations.find(({ id }: { id: string }) => id === test.organizationId);
    expect(own.identities).toBeGreaterThanOrEqual(1);
    expect(own.projects).toBeGreaterThanOrEqual(1);
    const found = (await root('GET', `${ORGANIZATIONS}?searchTerm=FOREI`)).body.organizations;
    expect(found.map(({ name }: { name: string }) => name)).toEqual(['Foreign']);
    expect((await root('GET', `${ORGANIZATIONS}?limit=1&offset=1`)).body.organizations).toHaveLength(1);
    expect((await root('GET', `${ORGANIZATIONS}?searchTerm=%00`)).status).toBe(200);
  });
});
