import { makeUser, type MadeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const USERS = '/api/v1/admin/user-management/users';
const IDENTITIES = '/api/v1/admin/identity-management/identities';

let test: TestServer;
let admin: MadeUser;
let root: Caller;
beforeAll(async () => {
  test = await testServer();
  admin = await makeUser(test.coffer, { email: 'root@example.com', isSuperAdmin: true });
  root = test.as(admin.token);
});
afterAll(() => test.close());

describe('the people of the instance', () => {
  it('are listed, searched and paged for its administrators', async () => {
    const { id } = await makeUser(test.coffer, { email: 'walter_%@example.com' });
    const walter = {
      id,
      username: 'walter_%@example.com',
      email: 'walter_%@example.com',
      firstName: 'Ann',
      lastName: 'Lee',
      superAdmin: false,
    };
    expect((await root('GET', `${USERS}?searchTerm=WALTER_%25`)).body).toEqual({ users: [walter] });
    expect((await root('GET', `${USERS}?searchTerm=ann%20l`)).body.users).toHaveLength(2);
    expect((await root('GET', `${USERS}?adminsOnly=true`)).body.users).toEqual([
      expect.objectContaining({ id: admin.id, superAdmin: true }),
    ]);
    expect((await root('GET', `${USERS}?limit=1&offset=1`)).body.users).toEqual([walter]);
    expect((await root('GET', `${USERS}?limit=0`)).status).toBe(422);
    expect((await root('GET', `${USERS}?searchTerm=%00`)).status).toBe(200);
  });

  it('are deleted, but for the last administrator of the instance or of an organization', async () => {
    const { id, token } = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
    expect((await root('DELETE', `${USERS}/${id}`)).body.users).toMatchObject({ id, superAdmin: false });
    expect((await test.as(token)('GET', '/api/v2/users/me')).status).toBe(401);
    for (const unknown of [id, 'no-uuid']) expect((await root('DELETE', `${USERS}/${unknown}`)).status).toBe(404);
    expect((await root('DELETE', `${USERS}/${admin.id}`)).status).toBe(400);
    const boss = await makeUser(test.coffer, { organizationId: (await test.foreign()).organizationId, role: 'admin' });
    expect((await root('DELETE', `${USERS}/${boss.id}`)).status).toBe(400);
  });

  it('are appointed and removed, immediately', async () => {
    const { id, token } = await makeUser(test.coffer);
    const call = test.as(token);
    expect((await call('GET', USERS)).status).toBe(403);
    expect((await root('PATCH', `${USERS}/${id}/admin-access`)).body).toEqual({});
    expect((await call('GET', USERS)).status).toBe(200);
    expect((await root('DELETE', `${USERS}/${id}/admin-access`)).body.user).toMatchObject({ id, superAdmin: false });
    expect((await call('GET', USERS)).status).toBe(403);
    expect((await root('DELETE', `${USERS}/${admin.id}/admin-access`)).status).toBe(400);
    expect((await root('PATCH', `${USERS}/no-uuid/admin-access`)).status).toBe(404);
  });

  it('keep one administrator if two remove each other at the same time', async () => {
    const { id, token } = await makeUser(test.coffer, { isSuperAdmin: true });
    const answers = await Promise.all([
      root('DELETE', `${USERS}/${id}/admin-access`),
      test.as(token)('DELETE', `${USERS}/${admin.id}/admin-access`),
    ]);
    expect(answers.map(({ status }) => status)).toContain(200);
    const { rows } = await test.coffer.pool.query('select id from users where is_super_admin');
    expect(rows).toHaveLength(1);
    await test.coffer.pool.query('update users set is_super_admin = (id = $1)', [admin.id]);
    test.coffer.invalidate([`user:${admin.id}`, `user:${id}`]);
  });
});

describe('the machine identities of the instance', () => {
  it('are listed, and lose the administration of the instance immediately', async () => {
    const { id, token } = test.adminIdentity;
    await test.coffer.pool.query('update identities set is_super_admin = true where id = $1', [id]);
    test.coffer.invalidate([`identity:${id}`]);
    expect((await root('GET', `${IDENTITIES}?searchTerm=MACH`)).body.identities).toContainEqual({
      id,
      name: 'machine',
      isInstanceAdmin: true,
    });
    expect((await test.as(token)('GET', USERS)).status).toBe(200);
    const path = `${IDENTITIES}/${id}/super-admin-access`;
    expect((await root('DELETE', path)).body).toEqual({ identity: { id, name: 'machine', isInstanceAdmin: false } });
    expect((await test.as(token)('GET', USERS)).status).toBe(403);
    expect((await root('DELETE', path)).status).toBe(404);
  });
});

it('is closed to everyone else', async () => {
  const boss = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
  for (const [method, path] of [
    ['GET', USERS],
    ['DELETE', `${USERS}/${admin.id}`],
    ['PATCH', `${USERS}/${boss.id}/admin-access`],
    ['DELETE', `${USERS}/${admin.id}/admin-access`],
    ['GET', IDENTITIES],
    ['DELETE', `${IDENTITIES}/${test.adminIdentity.id}/super-admin-access`],
  ] as const) {
    expect((await test.as(boss.token)(method, path)).status).toBe(403);
    expect((await test.admin(method, path)).status).toBe(403);
    expect((await test.as()(method, path)).status).toBe(401);
  }
});
