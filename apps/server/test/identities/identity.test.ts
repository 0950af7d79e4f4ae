import { newId } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const IDENTITIES = '/api/v1/identities';
const bodyOf = ({ body: { reqId: _, ...body } }: Answer) => body;
const create = async (given: object = {}) => {
  const { status, body } = await test.admin('POST', IDENTITIES, {
    name: 'ci',
    organizationId: test.organizationId,
    ...given,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.identity;
};
const customRole = async (rules: object[]) => {
  const slug = `role-${newId()}`;
  await test.coffer.pool.query(
    `insert into roles (id, organization_id, slug, name, description, permissions) values ($1, $2, $3, 'Custom', 'for tests', $4)`,
    [newId(), test.organizationId, slug, JSON.stringify(rules)],
  );
  return slug;
};

describe('creating an identity', () => {
  it('returns the published shape; it has no login methods and rights at first', async () => {
    const identity = await create({ name: ' ci ', metadata: [{ key: 'team', value: 'core' }] });
    expect(identity).toEqual({
      id: expect.any(String),
      name: 'ci',
      orgId: test.organizationId,
      projectId: null,
      hasDeleteProtection: false,
      metadata: [{ id: expect.any(String), key: 'team', value: 'core' }],
      authMethods: [],
      authMethod: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const { body } = await test.admin('GET', `${IDENTITIES}/${identity.id}`);
    expect(body).toEqual({
      identity: {
        id: expect.any(String),
        role: 'no-access',
        roleId: null,
        customRole: null,
        orgId: test.organizationId,
        identityId: identity.id,
        metadata: [{ id: expect.any(String), key: 'team', value: 'core' }],
        identity: { id: identity.id, name: 'ci', projectId: null, hasDeleteProtection: false, authMethods: [] },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
  });

  it('accepts custom roles, and returns them', async () => {
    const slug = await customRole([{ subject: 'identity', action: ['read'] }]);
    const { id } = await create({ role: slug });
    const { body } = await test.admin('GET', `${IDENTITIES}/${id}`);
    expect(body.identity).toMatchObject({
      role: 'custom',
      roleId: body.identity.customRole.id,
      customRole: {
        slug,
        name: 'Custom',
        description: 'for tests',
        permissions: [{ subject: 'identity', action: ['read'] }],
      },
    });
  });

  it('rejects invalid input', async () => {
    const post = async (given: object) =>
      (await test.admin('POST', IDENTITIES, { name: 'x', organizationId: test.organizationId, ...given })).status;
    expect(await post({ name: '' })).toBe(422);
    expect(await post({ name: '  ' })).toBe(422);
    expect(await post({ name: 'x'.repeat(256) })).toBe(422);
    expect(await post({ name: 'a\u0000b' })).toBe(400);
    expect(await post({ name: 5 })).toBe(422);
    expect(await post({ role: 'no-such-role' })).toBe(404);
    expect(await post({ metadata: [{ key: '', value: 'x' }] })).toBe(422);
    expect(await post({ organizationId: newId() })).toBe(404);
    expect(await post({ organizationId: 'x' })).toBe(404);
    expect(await post({ organizationId: undefined })).toBe(422);
  });

  it("gives no one an identity with more rights than the caller's own", async () => {
    const { call: member } = await test.identity({ organizationRole: 'member' });
    const post = (role: string) => member('POST', IDENTITIES, { name: 'x', organizationId: test.organizationId, role });
    expect((await post('member')).status).toBe(200);
    const refused = await post('admin');
    expect(refused.body).toMatchObject({ statusCode: 403, error: 'PermissionBoundaryError' });
    expect(refused.body.details.missingPermissions[0]).toMatchObject({
      action: expect.any(String),
      subject: expect.any(String),
    });
    expect((await post(await customRole([{ subject: 'billing', action: ['manage-billing'] }]))).status).toBe(403);
    expect((await post(await customRole([{ subject: 'identity', action: ['read', 'edit'] }]))).status).toBe(200);
  });

  it('needs a token, and the right to it in this very organization', async () => {
    const body = { name: 'x', organizationId: test.organizationId };
    expect((await test.as()('POST', IDENTITIES, body)).status).toBe(401);
    const { call: powerless } = await test.identity({ organizationRole: 'no-access' });
    expect((await powerless('POST', IDENTITIES, body)).body).toMatchObject({
      statusCode: 403,
      error: 'PermissionDenied',
    });
    const { call: foreign } = await test.foreign();
    const [theirs, none] = [
      await foreign('POST', IDENTITIES, body),
      await foreign('POST', IDENTITIES, { ...body, organizationId: newId() }),
    ];
    expect(theirs.status).toBe(404);
    expect(bodyOf(theirs)).toEqual(bodyOf(none));
  });
});

describe('changing an identity', () => {
  it('updates the given fields and keeps the rest', async () => {
    const { id } = await create({ metadata: [{ key: 'a', value: '1' }] });
    const patch = (given: object) => test.admin('PATCH', `${IDENTITIES}/${id}`, given);
    const { body } = await patch({ name: 'new' });
    expect(body.identity).toMatchObject({
      id,
      name: 'new',
      metadata: [{ key: 'a', value: '1' }],
      hasDeleteProtection: false,
    });
    expect((await patch({ hasDeleteProtection: true })).body.identity).toMatchObject({
      name: 'new',
      hasDeleteProtection: true,
    });
    expect((await patch({ metadata: [] })).body.identity).toMatchObject({
      name: 'new',
      metadata: [],
      hasDeleteProtection: true,
    });
    expect((await patch({})).body.identity).toMatchObject({ name: 'new', metadata: [], hasDeleteProtection: true });
    expect((await test.admin('GET', `${IDENTITIES}/${id}`)).body.identity.role).toBe('no-access');
    expect((await patch({ name: '' })).status).toBe(422);
    expect((await patch({ role: 'nothing' })).status).toBe(404);
  });

  it('updates its rights from its next request on', async () => {
    const { id, call } = await test.identity({ organizationRole: 'no-access' });
    const list = () => call('GET', `${IDENTITIES}?orgId=${test.organizationId}`);
    expect((await list()).status).toBe(403);
    expect((await test.admin('PATCH', `${IDENTITIES}/${id}`, { role: 'member' })).status).toBe(200);
    expect((await list()).status).toBe(200);
    await test.admin('PATCH', `${IDENTITIES}/${id}`, { role: 'no-access' });
    expect((await list()).status).toBe(403);
  });

  it('assigns one role, for any number of concurrent updates', async () => {
    const { id } = await create();
    for (let round = 0; round < 5; round++) {
      const roles = ['admin', 'member', 'no-access', 'member'];
      await Promise.all(roles.map((role) => test.admin('PATCH', `${IDENTITIES}/${id}`, { role })));
      const { rows } = await test.coffer.pool.query(
        'select r.role from membership_roles r join memberships m on m.id = r.membership_id where m.identity_id = $1',
        [id],
      );
      expect(rows).toHaveLength(1);
    }
  });

  it('neither raises anyone above the caller, nor affects anyone above', async () => {
    const { id: mighty } = await create({ role: 'admin' });
    const { id: equal } = await create({ role: 'member' });
    const { id: self, call: member } = await test.identity({ organizationRole: 'member' });
    expect((await member('PATCH', `${IDENTITIES}/${equal}`, { name: 'renamed' })).status).toBe(200);
    for (const [id, body] of [
      [equal, { role: 'admin' }],
      [self, { role: 'admin' }],
      [mighty, { role: 'no-access' }],
      [mighty, { name: 'x' }],
    ] as const) {
      expect((await member('PATCH', `${IDENTITIES}/${id}`, body)).body).toMatchObject({
        statusCode: 403,
        error: 'PermissionBoundaryError',
      });
    }
    expect((await member('DELETE', `${IDENTITIES}/${mighty}`)).body.error).toBe('PermissionBoundaryError');
  });

  it('needs an instance administrator if the identity is one', async () => {
    const { id } = await create({ role: 'member' });
    await test.coffer.pool.query('update identities set is_super_admin = true where id = $1', [id]);
    for (const [method, url] of [
      ['PATCH', `${IDENTITIES}/${id}`],
      ['DELETE', `${IDENTITIES}/${id}`],
      ['POST', `/api/v1/auth/token-auth/identities/${id}`],
    ] as const) {
      expect((await test.admin(method, url, method === 'DELETE' ? undefined : {})).status).toBe(403);
    }
  });
});

describe('deleting an identity', () => {
  it('returns it a last time, and deletes everything of it', async () => {
    const { id } = await create();
    await test.admin('POST', `/api/v1/auth/universal-auth/identities/${id}`, {});
    const { status, body } = await test.admin('DELETE', `${IDENTITIES}/${id}`);
    expect(status).toBe(200);
    expect(body.identity).toMatchObject({ id, name: 'ci', authMethods: ['universal-auth'] });
    expect((await test.admin('GET', `${IDENTITIES}/${id}`)).status).toBe(404);
    expect((await test.admin('DELETE', `${IDENTITIES}/${id}`)).status).toBe(404);
    const { rows } = await test.coffer.pool.query(
      `select (select count(*) from memberships where identity_id = $1) + (select count(*) from identity_auth_methods where identity_id = $1) as left_over`,
      [id],
    );
    expect(rows).toEqual([{ left_over: '0' }]);
  });

  it('is refused while it is protected', async () => {
    const { id } = await create({ hasDeleteProtection: true });
    expect((await test.admin('DELETE', `${IDENTITIES}/${id}`)).status).toBe(400);
    await test.admin('PATCH', `${IDENTITIES}/${id}`, { hasDeleteProtection: false });
    expect((await test.admin('DELETE', `${IDENTITIES}/${id}`)).status).toBe(200);
  });
});

describe('an identity of another organization', () => {
  it('is unknown to others', async () => {
    const { id } = await create();
    const { call: foreign, organizationId } = await test.foreign();
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/identity-memberships'],
    ] as const) {
      const body = method === 'PATCH' ? { name: 'x' } : undefined;
      const answers = await Promise.all(
        [id, newId(), 'x', '%00'].map((one) => foreign(method, `${IDENTITIES}/${one}${path}`, body)),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(bodyOf(answer)).toEqual(bodyOf(answers[0]!));
      }
    }
    for (const url of [
      (org: string) => `${IDENTITIES}?orgId=${org}`,
      (org: string) => `/api/v2/organizations/${org}/identity-memberships`,
    ]) {
      const [theirs, none, noId] = [
        await foreign('GET', url(test.organizationId)),
        await foreign('GET', url(newId())),
        await foreign('GET', url('x')),
      ];
      expect([theirs.status, bodyOf(theirs)]).toEqual([404, bodyOf(none)]);
      expect(bodyOf(noId)).toEqual(bodyOf(none));
      const own = await foreign('GET', url(organizationId));
      expect(own.status).toBe(200);
      expect(own.body.totalCount).toBe(1);
    }
    const found = await foreign('POST', '/api/v2/identities/search', {});
    expect(found.body.totalCount).toBe(1);
    expect(JSON.stringify(found.body)).not.toContain(id);
  });
});

describe('lists of identities', () => {
  it('need a token, and the right to read identities', async () => {
    const { id } = await create();
    const { call: powerless } = await test.identity({ organizationRole: 'no-access' });
    for (const [method, url, body] of [
      ['GET', `${IDENTITIES}?orgId=${test.organizationId}`],
      ['GET', `/api/v2/organizations/${test.organizationId}/identity-memberships`],
      ['GET', `${IDENTITIES}/${id}`],
      ['GET', `${IDENTITIES}/${id}/identity-memberships`],
      ['POST', '/api/v2/identities/search', {}],
      ['POST', '/api/v2/identities/search/count', {}],
    ] as const) {
      expect([url, (await test.as()(method, url, body)).status]).toEqual([url, 401]);
      expect([url, (await powerless(method, url, body)).body.error]).toEqual([url, 'PermissionDenied']);
    }
  });

  it('show all identities of the organization, by name', async () => {
    const { body } = await test.admin('GET', `${IDENTITIES}?orgId=${test.organizationId}`);
    expect(body.totalCount).toBe(body.identities.length);
    const { rows } = await test.coffer.pool.query(
      'select id from identities where organization_id = $1 order by name, id',
      [test.organizationId],
    );
    expect(body.identities.map(({ identityId }: { identityId: string }) => identityId)).toEqual(
      rows.map(({ id }) => id),
    );
    expect((await test.admin('GET', IDENTITIES)).status).toBe(422);
  });

  it('come in pages, with how many there are in all', async () => {
    const tag = newId();
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${tag}-${letter}`);
    for (const name of names) await create({ name, role: name.endsWith('c') ? 'member' : 'no-access' });
    const url = `/api/v2/organizations/${test.organizationId}/identity-memberships?search=${tag.toUpperCase()}`;
    const list = async (query = '') => {
      const { status, body } = await test.admin('GET', url + query);
      expect(status).toBe(200);
      expect(body.totalCount).toBe(5);
      return body.identityMemberships.map(({ identity }: { identity: { name: string } }) => identity.name);
    };
    expect(await list()).toEqual(names);
    expect(await list('&orderBy=name&orderDirection=desc')).toEqual(names.toReversed());
    expect(await list('&offset=1&limit=2')).toEqual(names.slice(1, 3));
    expect(await list('&offset=4&limit=2')).toEqual(names.slice(4));
    expect(await list('&offset=50')).toEqual([]);
    expect((await list('&orderBy=role'))[0]).toBe(`${tag}-c`);
    for (const query of ['&limit=0', '&limit=20001', '&offset=-1', '&orderBy=x', '&orderDirection=up', '&limit=abc']) {
      expect([query, (await test.admin('GET', url + query)).status]).toEqual([query, 422]);
    }
    expect(
      (await test.admin('GET', `/api/v2/organizations/${test.organizationId}/identity-memberships?search=%25`)).body
        .totalCount,
    ).toBe(0);
  });

  it('are searched by name, role and alternatives', async () => {
    const tag = newId();
    const slug = await customRole([]);
    const made = { one: 'no-access', two: 'member', three: slug };
    for (const [name, role] of Object.entries(made)) await create({ name: `${tag} ${name}`, role });
    const search = async (given: object, rest: object = {}) => {
      const { status, body } = await test.admin('POST', '/api/v2/identities/search', { search: given, ...rest });
      expect(status).toBe(200);
      const count = await test.admin('POST', '/api/v2/identities/search/count', { search: given });
      expect(count.body).toEqual({ count: body.totalCount });
      return body.identities.map(({ identity }: { identity: { name: string } }) => identity.name.slice(tag.length + 1));
    };
    const mine = { $contains: tag };
    expect(await search({ name: mine })).toEqual(['one', 'three', 'two']);
    expect(await search({ name: mine }, { limit: 1, offset: 1, orderDirection: 'desc' })).toEqual(['three']);
    expect(await search({ name: `${tag} two` })).toEqual(['two']);
    expect(await search({ name: { $eq: `${tag} two` } })).toEqual(['two']);
    expect(await search({ name: { ...mine, $ne: `${tag} two` } })).toEqual(['one', 'three']);
    expect(await search({ name: { $in: [`${tag} two`, `${tag} one`, `${tag} four`] } })).toEqual(['one', 'two']);
    expect(await search({ name: { $in: [] } })).toEqual([]);
    expect(await search({ name: mine, role: 'member' })).toEqual(['two']);
    expect(await search({ name: mine, role: { $in: [slug, 'no-access'] } })).toEqual(['one', 'three']);
    expect(await search({ name: mine, $or: [{ role: slug }, { name: `${tag} one` }] })).toEqual(['one', 'three']);
    expect(await search({ name: mine, $or: [] })).toEqual(['one', 'three', 'two']);
    expect(await search({ $or: [{ name: `${tag} one`, role: 'member' }] })).toEqual([]);
    expect(await search({ name: { $contains: '%' } })).toEqual([]);
    for (const part of [tag.slice(3, 30).toUpperCase(), `${tag} t`, `${tag} `, tag.slice(0, 3)])
      expect([part, await search({ name: { $contains: part, $in: [`${tag} two`, `${tag} three`] } })]).toEqual([
        part,
        ['three', 'two'],
      ]);
    for (const part of ['wo', 'w', ''])
      expect([part, await search({ name: { $in: [`${tag} two`], $contains: part } })]).toEqual([part, ['two']]);
    expect(await search({ name: { $contains: `${tag}  t` } })).toEqual([]);
    const older = await test.admin('POST', '/api/v1/identities/search', { search: { name: mine } });
    const newer = await test.admin('POST', '/api/v2/identities/search', { search: { name: mine } });
    expect([older.status, older.body.totalCount, older.body]).toEqual([200, 3, newer.body]);
    for (const body of [
      { limit: 101 },
      { limit: 0 },
      { orderBy: 'age' },
      { search: { name: 5 } },
      { search: { name: { $in: 'x' } } },
    ]) {
      expect([body, (await test.admin('POST', '/api/v2/identities/search', body)).status]).toEqual([body, 422]);
    }
    expect((await test.admin('POST', '/api/v2/identities/search', { search: { name: 'a\u0000' } })).status).toBe(400);
  });
});

describe('the projects of an identity', () => {
  it('are listed with its roles in each', async () => {
    const project = await test.project();
    const { id } = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    const { status, body } = await test.admin('GET', `${IDENTITIES}/${id}/identity-memberships`);
    expect(status).toBe(200);
    expect(body).toEqual({
      identityMemberships: [
        {
          id: expect.any(String),
          identityId: id,
          roles: [
            {
              id: expect.any(String),
              role: 'viewer',
              customRoleId: null,
              customRoleName: null,
              customRoleSlug: null,
              isTemporary: false,
              temporaryMode: null,
              temporaryRange: null,
              temporaryAccessStartTime: null,
              temporaryAccessEndTime: null,
            },
          ],
          identity: { id, name: 'machine', projectId: null, hasDeleteProtection: false, authMethods: ['token-auth'] },
          project: { id: project.id, name: project.slug, slug: project.slug, type: 'secret-manager' },
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
    });
  });
});

describe('details', () => {
  it('return every identity to itself with its organization, whatever its rights', async () => {
    const { id, call } = await test.identity({ organizationRole: 'no-access' });
    const { status, body } = await call('GET', `${IDENTITIES}/details`);
    expect(status).toBe(200);
    expect(body.identityDetails).toEqual({
      organization: { id: test.organizationId, name: 'Acme', slug: expect.any(String) },
    });
    expect(body.identity).toMatchObject({ id, orgId: test.organizationId, authMethods: ['token-auth'] });
    expect((await test.as()('GET', `${IDENTITIES}/details`)).status).toBe(401);
  });

  it('are refused to users, with a clear error', async () => {
    const { token } = await makeUser(test.coffer, { organizationId: test.organizationId });
    const { status, body } = await test.as(token)('GET', `${IDENTITIES}/details`);
    expect([status, body.message]).toEqual([403, 'This operation does not take the token of a user']);
  });
});
