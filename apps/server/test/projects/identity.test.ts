import { randomUUID } from 'node:crypto';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess } from '../harness/another-process.ts';
import { TIME, UUID } from '../harness/folder-tree.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
/** A project, whose administrator has no right in the organization, and what belongs to it. */
let projectId: string;
let lead: Caller;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  ({ id: projectId } = await test.project());
  ({ call: lead } = await test.identity({ projectId, projectRole: 'admin' }));
});
afterAll(() => test.close());

const at = (project = projectId) => `/api/v1/projects/${project}/identities`;
const universalAuth = (id: string) => `/api/v1/auth/universal-auth/identities/${id}`;
const tokenAuth = (id: string) => `/api/v1/auth/token-auth/identities/${id}`;
const without = ({ status, body: { reqId: _, ...body } }: Answer) => ({ status, body });

const identity = (fields: object) => ({
  id: UUID,
  name: expect.any(String),
  orgId: test.organizationId,
  projectId,
  hasDeleteProtection: false,
  authMethods: [],
  activeLockoutAuthMethods: [],
  metadata: [],
  createdAt: TIME,
  updatedAt: TIME,
  ...fields,
});

const ok = async (call: Caller, method: Parameters<Caller>[0], url: string, body?: object) => {
  const answer = await call(method, url, body);
  expect(answer.status, `${method} ${url} ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
};
const make = async (given: object = {}, call: Caller = lead, project = projectId) =>
  (await ok(call, 'POST', at(project), { name: 'ci', ...given })).identity;
const withRole = (role: string) => make({ roles: [{ role, isTemporary: false }] });

/** Attaches universal auth to an identity and logs in as it. */
const logIn = async (id: string, call: Caller = lead): Promise<string> => {
  const { identityUniversalAuth } = await ok(call, 'POST', universalAuth(id), {});
  const { clientSecret } = await ok(call, 'POST', `${universalAuth(id)}/client-secrets`, {});
  const { clientId } = identityUniversalAuth;
  return (await ok(test.as(), 'POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret })).accessToken;
};
const events = (of: string, project = projectId) =>
  test.coffer.query<{ type: string; data: Record<string, unknown> }>(
    {
      name: 'test.identity_events',
      text: `select type, data from audit_events where project_id = $1 and data ->> 'identityId' = $2 order by id`,
    },
    [project, of],
  );

describe('identities that belong to a project', () => {
  it('are created, read, listed, updated and deleted by its administrator, without a right in the organization', async () => {
    const { id: project } = await test.project();
    const { call } = await test.identity({ projectId: project, projectRole: 'admin' });
    const made = await ok(call, 'POST', at(project), {
      name: ' deploy ',
      hasDeleteProtection: true,
      metadata: [{ key: ' team ', value: 'core' }, { key: 'team' }],
      roles: [
        { role: 'viewer', isTemporary: false },
        {
          role: 'member',
          isTemporary: true,
          temporaryMode: 'relative',
          temporaryRange: '1h',
          temporaryAccessStartTime: new Date().toISOString(),
        },
      ],
    });
    const { id } = made.identity;
    const deploy = identity({
      projectId: project,
      name: 'deploy',
      hasDeleteProtection: true,
      metadata: [
        { id: UUID, key: 'team', value: 'core' },
        { id: UUID, key: 'team', value: '' },
      ],
    });
    expect(made).toEqual({ identity: deploy });
    expect(made.identity.metadata[0].id).not.toBe(made.identity.metadata[1].id);
    expect(await ok(call, 'GET', `${at(project)}/${id}`)).toEqual(made);
    expect((await make({ name: 'build' }, call, project)).name).toBe('build');

    const list = async (query = '') => {
      const { identities, totalCount } = await ok(call, 'GET', `${at(project)}${query}`);
      return [identities.map(({ name }: { name: string }) => name), totalCount];
    };
    expect(await ok(call, 'GET', `${at(project)}?search=EPL`)).toEqual({ identities: [deploy], totalCount: 1 });
    expect(await list()).toEqual([['build', 'deploy'], 2]);
    expect(await list('?limit=1')).toEqual([['build'], 2]);
    expect(await list('?limit=1&offset=1')).toEqual([['deploy'], 2]);
    expect(await list('?search=%25')).toEqual([[], 0]);

    expect(await ok(call, 'PATCH', `${at(project)}/${id}`, { name: 'ship', role: 'admin', projectId: 'x' })).toEqual({
      identity: { ...deploy, name: 'ship' },
    });
    const protectedOne = await call('DELETE', `${at(project)}/${id}`);
    expect([protectedOne.status, protectedOne.body.message]).toEqual([
      400,
      expect.stringMatching(/hasDeleteProtection/),
    ]);
    const changed = await ok(call, 'PATCH', `${at(project)}/${id}`, { hasDeleteProtection: false, metadata: [] });
    expect(changed.identity).toEqual(identity({ projectId: project, name: 'ship' }));
    expect(await ok(call, 'DELETE', `${at(project)}/${id}`)).toEqual({
      identity: { ...changed.identity, updatedAt: TIME },
    });
    expect((await call('GET', `${at(project)}/${id}`)).status).toBe(404);
    expect(await list()).toEqual([['build'], 1]);
    expect(await events(id, project)).toEqual([
      { type: 'identity.created', data: { identityId: id, name: 'deploy', role: 'no-access' } },
      {
        type: 'project_identity.added',
        data: {
          ...{ identityId: id, membershipId: UUID, roles: ['viewer', 'member'] },
          temporary: [{ role: 'member', from: TIME, until: TIME }],
        },
      },
      { type: 'identity.updated', data: { identityId: id, name: 'ship', role: null, changed: ['name'] } },
      {
        type: 'identity.updated',
        data: { identityId: id, name: 'ship', role: null, changed: ['metadata', 'hasDeleteProtection'] },
      },
      { type: 'identity.deleted', data: { identityId: id, name: 'ship' } },
    ]);
  });

  it('are members of the organization without a right, and of the project with their roles', async () => {
    const { id } = await make();
    const { identity: own } = await ok(lead, 'GET', `/api/v1/identities/${id}`);
    expect(own).toMatchObject({ role: 'no-access', roleId: null, identityId: id, orgId: test.organizationId });
    const member = await ok(lead, 'GET', `/api/v1/projects/${projectId}/memberships/identities/${id}`);
    expect(member.identityMembership.roles).toMatchObject([{ role: 'no-access', isTemporary: false }]);
    const { identityMemberships } = await ok(lead, 'GET', `/api/v1/identities/${id}/identity-memberships`);
    expect(identityMemberships).toMatchObject([{ identityId: id, project: { id: projectId } }]);
    const roles = [{ role: 'viewer', isTemporary: false }];
    await ok(lead, 'PATCH', `/api/v1/projects/${projectId}/memberships/identities/${id}`, { roles });
    const call = test.as(await logIn(id));
    expect((await call('GET', `/api/v1/projects/${projectId}/roles`)).status).toBe(200);
    expect((await call('GET', `/api/v1/identities?orgId=${test.organizationId}`)).status).toBe(403);
    const { identity: details, identityDetails } = await ok(call, 'GET', '/api/v1/identities/details');
    expect(details).toMatchObject({ id, projectId, authMethods: ['universal-auth'], authMethod: 'universal-auth' });
    expect(identityDetails.organization.id).toBe(test.organizationId);
  });

  it('get no role in the organization, from any caller', async () => {
    const { id } = await make();
    const promote = (call: Caller, role: string) => call('PATCH', `/api/v1/identities/${id}`, { role });
    expect((await promote(lead, 'member')).body).toMatchObject({ statusCode: 400 });
    const { call: outsider } = await test.identity({ organizationRole: 'admin' });
    expect((await promote(outsider, 'member')).status).toBe(404);
    expect((await promote(test.admin, 'admin')).status).toBe(400);
    expect((await promote(lead, 'no-access')).status).toBe(200);
    expect((await ok(lead, 'PATCH', `/api/v1/identities/${id}`, { name: 'renamed' })).identity).toMatchObject({
      name: 'renamed',
      projectId,
    });
  });

  it('are not among the identities of the organization', async () => {
    const name = `mine-${randomUUID()}`;
    const { id } = await make({ name });
    const orgId = test.organizationId;
    const { identities, totalCount } = await ok(test.admin, 'GET', `/api/v1/identities?orgId=${orgId}`);
    expect(identities.some(({ identityId }: { identityId: string }) => identityId === id)).toBe(false);
    expect(totalCount).toBe(identities.length);
    const search = { search: { name } };
    expect((await ok(test.admin, 'POST', '/api/v2/identities/search', search)).totalCount).toBe(0);
    expect((await ok(test.admin, 'POST', '/api/v2/identities/search/count', search)).count).toBe(0);
    const listed = `/api/v2/organizations/${orgId}/identity-memberships?search=${name}`;
    expect(await ok(test.admin, 'GET', listed)).toEqual({ identityMemberships: [], totalCount: 0 });
    const members = await ok(lead, 'GET', `/api/v1/projects/${projectId}/memberships/identities?search=${name}`);
    expect(members.totalCount).toBe(1);
  });

  it('cannot join another project, by membership or by a group', async () => {
    const { id } = await make();
    const other = await test.project();
    const both = await test.identity({ projectId, projectRole: 'admin', organizationRole: 'admin' });
    const add = (call: Caller) =>
      call('POST', `/api/v1/projects/${other.id}/memberships/identities/${id}`, { role: 'viewer' });
    await ok(test.admin, 'POST', `/api/v1/projects/${other.id}/memberships/identities/${both.id}`, { role: 'admin' });
    expect((await add(both.call)).body).toMatchObject({
      statusCode: 400,
      message: 'This identity is owned by a project and cannot be in another one',
    });
    const { call: stranger } = await test.identity({ projectId: other.id, projectRole: 'admin' });
    const [hidden, none] = [
      await add(stranger),
      await stranger('POST', `/api/v1/projects/${other.id}/memberships/identities/${randomUUID()}`, { role: 'viewer' }),
    ];
    expect(hidden.status).toBe(404);
    expect(without(hidden)).toEqual(without(none));

    const { rows } = await test.coffer.pool.query<{ id: string; membership_id: string }>(
      `with g as (insert into groups (id, organization_id, name, slug) values (gen_random_uuid(), $1, $2, $2) returning id)
       select g.id, m.id as membership_id from g, memberships m where m.identity_id = $3 and m.project_id is null`,
      [test.organizationId, `g-${randomUUID()}`, id],
    );
    await expect(
      test.coffer.pool.query(
        `insert into group_members (id, organization_id, group_id, membership_id, actor_id)
         values (gen_random_uuid(), $1, $2, $3, $4)`,
        [test.organizationId, rows[0]!.id, rows[0]!.membership_id, id],
      ),
    ).rejects.toMatchObject({ constraint: 'identities_of_one_project' });
  });

  it('give nobody more than it holds', async () => {
    const rules = [{ subject: 'identity', action: ['read', 'create', 'edit', 'delete', 'create-token'] }];
    const { call } = await test.identity({ projectId, rules });
    const create = (role: string) => call('POST', at(), { name: 'x', roles: [{ role, isTemporary: false }] });
    expect((await create('viewer')).body).toMatchObject({ statusCode: 403, error: 'PermissionBoundaryError' });
    expect((await create('no-such-role')).status).toBe(404);
    expect((await create('no-access')).status).toBe(200);
    const strong = await withRole('admin');
    const boundary = { statusCode: 403, error: 'PermissionBoundaryError' };
    expect((await call('POST', universalAuth(strong.id), {})).body).toMatchObject(boundary);
    expect((await call('PATCH', `${at()}/${strong.id}`, { name: 'x' })).body).toMatchObject(boundary);
    expect((await call('DELETE', `${at()}/${strong.id}`)).body).toMatchObject(boundary);
    await ok(lead, 'POST', universalAuth(strong.id), {});
    await ok(lead, 'POST', tokenAuth(strong.id), {});
    expect((await call('POST', `${universalAuth(strong.id)}/client-secrets`, {})).body).toMatchObject(boundary);
    expect((await call('POST', `${tokenAuth(strong.id)}/tokens`, {})).body).toMatchObject(boundary);
    expect((await call('PATCH', universalAuth(strong.id), { accessTokenTTL: 60 })).body).toMatchObject(boundary);
    expect((await call('DELETE', universalAuth(strong.id))).body).toMatchObject(boundary);
  });

  it('do not leave the project without an administrator', async () => {
    const { id: project } = await test.project();
    const { id } = await make({ roles: [{ role: 'admin', isTemporary: false }] }, test.admin, project);
    const call = test.as(await logIn(id, test.admin));
    await ok(call, 'DELETE', `/api/v1/projects/${project}/memberships/identities/${test.adminIdentity.id}`);
    const refused = await call('DELETE', `${at(project)}/${id}`);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/only administrator/)]);
    expect((await call('DELETE', `/api/v1/identities/${id}`)).status).toBe(400);
    await make({ roles: [{ role: 'admin', isTemporary: false }] }, call, project);
    await ok(call, 'DELETE', `${at(project)}/${id}`);
    expect((await call('GET', at(project))).status).toBe(401);
  });

  it.each([
    {},
    { name: ' ' },
    { name: 'x'.repeat(256) },
    { name: 5 },
    { name: 'x', hasDeleteProtection: 'yes' },
    { name: 'x', metadata: [{ key: '' }] },
    { name: 'x', metadata: Array.from({ length: 101 }, (_, index) => ({ key: `k${index}` })) },
    { name: 'x', roles: [] },
    { name: 'x', roles: [{ role: '' }] },
    { name: 'x', roles: [{ role: 'viewer', isTemporary: true }] },
  ])('are not created from %j', async (body) => {
    expect((await lead('POST', at(), body)).status).toBe(422);
  });

  it('have limits, also for the list', async () => {
    const { id } = await make();
    expect((await lead('POST', at(), { name: 'a\0' })).status).toBe(400);
    expect((await lead('PATCH', `${at()}/${id}`, { name: '' })).status).toBe(422);
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'offset=-1', 'search=%00'])
      expect([query, (await lead('GET', `${at()}?${query}`)).status]).toEqual([query, 422]);
  });

  it('are listed as far as the caller may see them', async () => {
    const [seen, hidden] = [await make(), await make()];
    const rule = { subject: 'identity', action: 'read', conditions: { identityId: seen.id } };
    const { call } = await test.identity({ projectId, rules: [rule] });
    expect(await ok(call, 'GET', at())).toEqual({ identities: [seen], totalCount: 1 });
    expect(await ok(call, 'GET', `${at()}/${seen.id}`)).toEqual({ identity: seen });
    expect((await call('GET', `${at()}/${hidden.id}`)).status).toBe(403);
    expect((await call('GET', universalAuth(hidden.id))).status).toBe(403);
    expect((await call('GET', universalAuth(seen.id))).status).toBe(400);
    expect((await call('GET', `/api/v1/identities/${hidden.id}`)).status).toBe(403);
    expect((await call('GET', `/api/v1/identities/${seen.id}`)).status).toBe(200);
  });

  it('are listed alike for callers who may see all of them, and for those whose rules are asked about each', async () => {
    const { id: project } = await test.project();
    const { call: whole } = await test.identity({ projectId: project, projectRole: 'admin' });
    for (const name of ['b', 'a', 'B2', 'a', 'c']) await make({ name, roles: [{ role: 'viewer' }] }, whole, project);
    const { call: each } = await test.identity({
      projectId: project,
      rules: [{ subject: 'identity', action: 'read', conditions: { identityId: { $ne: randomUUID() } } }],
    });
    const members = `/api/v1/projects/${project}/memberships/identities`;
    const pages = [
      '',
      '?limit=2',
      '?limit=2&offset=1',
      '?limit=101',
      '?offset=3&limit=5',
      '?search=B',
      '?search=b&limit=1&offset=1',
    ];
    const lists = [
      ...pages.map((page) => `${at(project)}${page}`),
      ...pages.map((page) => `${members}${page}`),
      `${members}?orderDirection=desc&limit=3`,
    ];
    for (const url of lists) {
      const list = await ok(whole, 'GET', url);
      expect([url, list]).toEqual([url, await ok(each, 'GET', url)]);
      expect(list.totalCount).toBeGreaterThan(1);
    }
  });

  it('are not returned as those of the organization at the paths of a project, nor those of one project in another', async () => {
    const ofOrganization = await test.identity({ projectId, projectRole: 'viewer' });
    const other = await test.project();
    const elsewhere = await make({}, test.admin, other.id);
    const both = await test.identity({ projectId, projectRole: 'admin' });
    await ok(test.admin, 'POST', `/api/v1/projects/${other.id}/memberships/identities/${both.id}`, { role: 'admin' });
    for (const id of [ofOrganization.id, elsewhere.id, randomUUID(), 'none'])
      for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
        const answer = await both.call(method, `${at()}/${id}`, method === 'PATCH' ? { name: 'x' } : undefined);
        expect([method, id, answer.status, answer.body.message]).toEqual([
          method,
          id,
          404,
          'There is no such identity',
        ]);
      }
  });
});

const operations = [
  ['read', 'GET', ''],
  ['create', 'POST', ''],
  ['read', 'GET', '/one'],
  ['edit', 'PATCH', '/one'],
  ['delete', 'DELETE', '/one'],
] as const;

describe('the operations on identities that belong to a project', () => {
  it.each(operations)('need the permission to %s them, and a valid token (%s %s)', async (action, method, path) => {
    const { id } = await make();
    const url = `${at()}${path && `/${id}`}`;
    const body = method === 'POST' || method === 'PATCH' ? { name: 'x' } : undefined;
    expect((await test.as()(method, url, body)).status).toBe(401);
    const others = ['read', 'create', 'edit', 'delete', 'create-token'].filter((one) => one !== action);
    const powerless = await test.identity({ projectId, rules: [{ subject: 'identity', action: others }] });
    expect((await powerless.call(method, url, body)).body).toMatchObject({
      statusCode: 403,
      error: 'PermissionDenied',
    });
    const able = await test.identity({ projectId, rules: [{ subject: 'identity', action }] });
    const end = (set: string, who: string) =>
      test.coffer.pool.query(`update identity_access_tokens set ${set} where identity_id = $1`, [who]);
    await end(`expires_at = 'epoch'`, powerless.id);
    test.coffer.invalidate([`identity:${powerless.id}`]);
    expect((await powerless.call(method, url, body)).status).toBe(401);
    expect((await able.call(method, url, body)).status).toBe(200);
    await end('is_revoked = true', able.id);
    test.coffer.invalidate([`identity:${able.id}`]);
    expect((await able.call(method, url, body)).status).toBe(401);
  });

  it.each(operations)(
    'are not there for another organization and another project (%s, %s %s)',
    async (_, method, path) => {
      const { id } = await make();
      const body = method === 'POST' || method === 'PATCH' ? { name: 'x' } : undefined;
      const url = (project: string) => `${at(project)}${path && `/${id}`}`;
      const foreign = await test.foreign();
      const neighbour = await test.identity({ projectId: (await test.project()).id, projectRole: 'admin' });
      const organizationAdmin = await test.identity({ organizationRole: 'admin' });
      for (const { call } of [foreign, neighbour, organizationAdmin]) {
        const [theirs, none] = [await call(method, url(projectId), body), await call(method, url(randomUUID()), body)];
        expect(theirs.status).toBe(404);
        expect(without(theirs)).toEqual(without(none));
        expect(without(await call(method, url('none'), body))).toEqual(without(none));
      }
    },
  );
});

describe('logging in as an identity that belongs to a project', () => {
  it('is set up wholly by the administrator of the project, at the published paths', async () => {
    const { id } = await withRole('viewer');
    const { identityUniversalAuth } = await ok(lead, 'POST', universalAuth(id), { accessTokenTTL: 600 });
    const clientId = identityUniversalAuth.clientId;
    const { clientSecret, clientSecretData } = await ok(lead, 'POST', `${universalAuth(id)}/client-secrets`, {});
    expect((await ok(lead, 'GET', universalAuth(id))).identityUniversalAuth.clientId).toBe(clientId);
    await ok(lead, 'PATCH', universalAuth(id), { accessTokenTTL: 60 });
    const logInAgain = () => test.as()('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret });
    const { accessToken, expiresIn } = (await logInAgain()).body;
    expect(expiresIn).toBe(60);
    expect((await test.as(accessToken)('GET', at())).status).toBe(200);
    expect((await ok(lead, 'GET', `${universalAuth(id)}/client-secrets`)).clientSecretData).toMatchObject([
      { id: clientSecretData.id, clientSecretNumUses: 1 },
    ]);
    await ok(lead, 'GET', `${universalAuth(id)}/client-secrets/${clientSecretData.id}`);
    await ok(lead, 'POST', `${universalAuth(id)}/client-secrets/${clientSecretData.id}/revoke`);
    expect((await logInAgain()).status).toBe(401);
    expect((await test.as(accessToken)('GET', at())).status).toBe(401);

    await ok(lead, 'POST', tokenAuth(id), {});
    const made = await ok(lead, 'POST', `${tokenAuth(id)}/tokens`, { name: 'one' });
    const tokenUrl = `/api/v1/auth/token-auth/tokens/${made.tokenData.id}`;
    expect((await ok(lead, 'GET', `${tokenAuth(id)}/tokens`)).tokens).toMatchObject([{ name: 'one' }]);
    await ok(lead, 'GET', tokenUrl);
    await ok(lead, 'PATCH', tokenUrl, { name: 'two' });
    expect((await test.as(made.accessToken)('GET', at())).status).toBe(200);
    await ok(lead, 'POST', `${tokenUrl}/revoke`);
    expect((await test.as(made.accessToken)('GET', at())).status).toBe(401);
    expect((await ok(lead, 'GET', `${at()}/${id}`)).identity.authMethods).toEqual(['universal-auth', 'token-auth']);
    await ok(lead, 'DELETE', universalAuth(id));
    await ok(lead, 'DELETE', tokenAuth(id));
    expect((await ok(lead, 'GET', `${at()}/${id}`)).identity.authMethods).toEqual([]);
    const types = (await events(id)).map(({ type }) => type);
    for (const type of [
      'universal_auth.attached',
      'client_secret.created',
      'access_token.created',
      'access_token.revoked',
    ])
      expect(types).toContain(type);
  });

  it('needs the permissions of the project: those on credentials to create and to revoke them', async () => {
    const { id } = await make();
    await ok(lead, 'POST', universalAuth(id), {});
    await ok(lead, 'POST', tokenAuth(id), {});
    const secretId = (await ok(lead, 'POST', `${universalAuth(id)}/client-secrets`, {})).clientSecretData.id;
    const tokenId = (await ok(lead, 'POST', `${tokenAuth(id)}/tokens`, {})).tokenData.id;
    const spare = (await make()).id;
    const asked: [right: string, ...Parameters<Caller>][] = [
      ['create', 'POST', universalAuth(spare), {}],
      ['read', 'GET', universalAuth(id)],
      ['edit', 'PATCH', universalAuth(id), { accessTokenTTL: 60 }],
      ['create-token', 'POST', `${universalAuth(id)}/client-secrets`, {}],
      ['read', 'GET', `${universalAuth(id)}/client-secrets`],
      ['read', 'GET', `${universalAuth(id)}/client-secrets/${secretId}`],
      ['delete-token', 'POST', `${universalAuth(id)}/client-secrets/${secretId}/revoke`],
      ['create-token', 'POST', `${tokenAuth(id)}/tokens`, {}],
      ['read', 'GET', `${tokenAuth(id)}/tokens`],
      ['read', 'GET', `/api/v1/auth/token-auth/tokens/${tokenId}`],
      ['edit', 'PATCH', `/api/v1/auth/token-auth/tokens/${tokenId}`, { name: 'x' }],
      ['delete-token', 'POST', `/api/v1/auth/token-auth/tokens/${tokenId}/revoke`],
      ['edit', 'DELETE', universalAuth(id)],
      ['read', 'GET', `/api/v1/identities/${id}`],
      ['edit', 'PATCH', `/api/v1/identities/${id}`, { name: 'x' }],
      ['delete', 'DELETE', `/api/v1/identities/${id}`],
    ];
    const every = ['read', 'create', 'edit', 'delete', 'create-token', 'get-token', 'delete-token', 'revoke-auth'];
    for (const [right, ...request] of asked) {
      // Permissions on identities of the organization do not apply to those of a project.
      const rules = [{ subject: 'identity', action: every.filter((one) => one !== right) }];
      const organizationRules = [{ subject: 'identity', action: every }];
      const powerless = await test.identity({ projectId, rules, organizationRules });
      const refused = await powerless.call(...request);
      // Whoever may not read it finds nothing there.
      const refusal = right === 'read' ? [404, 'NotFound'] : [403, 'PermissionDenied'];
      expect([...request, refused.status, refused.body.error]).toEqual([...request, ...refusal]);
      const able = await test.identity({ projectId, rules: [{ subject: 'identity', action: right }] });
      const answer = await able.call(...request);
      expect([...request, answer.status, JSON.stringify(answer.body)]).toEqual([...request, 200, expect.any(String)]);
    }
  });

  it('is as one that nobody has to members of the project who may read no identities, there or in the organization', async () => {
    const { id } = await make();
    const rules = [{ subject: 'secrets', action: ['describeSecret'] }];
    const { call } = await test.identity({ projectId, rules, organizationRole: 'no-access' });
    const [theirs, none] = await Promise.all(
      [id, randomUUID()].map(async (one) => {
        const { status, body } = await call('GET', universalAuth(one));
        return { status, body: { ...body, reqId: '' } };
      }),
    );
    expect(theirs).toEqual(none);
    expect(none!.status).toBe(403);
  });

  it('is to non-members of the project, with any rights in the organization, as one that nobody has', async () => {
    const { id } = await make();
    await ok(lead, 'POST', universalAuth(id), {});
    await ok(lead, 'POST', tokenAuth(id), {});
    const secretId = (await ok(lead, 'POST', `${universalAuth(id)}/client-secrets`, {})).clientSecretData.id;
    const tokenId = (await ok(lead, 'POST', `${tokenAuth(id)}/tokens`, {})).tokenData.id;
    const neighbour = await test.identity({ projectId: (await test.project()).id, projectRole: 'admin' });
    const editor = await test.identity({
      organizationRules: [{ subject: 'identity', action: ['read', 'create', 'edit', 'delete'] }],
    });
    const administrator = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    const foreign = await test.foreign();
    const requests = (one: string, token: string): Parameters<Caller>[] => [
      ['GET', `/api/v1/identities/${one}`],
      ['PATCH', `/api/v1/identities/${one}`, { name: 'x' }],
      ['DELETE', `/api/v1/identities/${one}`],
      ['GET', `/api/v1/identities/${one}/identity-memberships`],
      ['POST', universalAuth(one), {}],
      ['GET', universalAuth(one)],
      ['PATCH', universalAuth(one), { accessTokenTTL: 60 }],
      ['DELETE', universalAuth(one)],
      ['POST', `${universalAuth(one)}/client-secrets`, {}],
      ['GET', `${universalAuth(one)}/client-secrets`],
      ['GET', `${universalAuth(one)}/client-secrets/${secretId}`],
      ['POST', `${universalAuth(one)}/client-secrets/${secretId}/revoke`],
      ['POST', `${tokenAuth(one)}/tokens`, {}],
      ['GET', `${tokenAuth(one)}/tokens`],
      ['GET', `/api/v1/auth/token-auth/tokens/${token}`],
      ['PATCH', `/api/v1/auth/token-auth/tokens/${token}`, { name: 'x' }],
      ['POST', `/api/v1/auth/token-auth/tokens/${token}/revoke`],
    ];
    const unknown = requests(randomUUID(), randomUUID());
    for (const [call, status] of [
      // It may read no identities of the organization.
      [neighbour.call, 403],
      [editor.call, 404],
      [test.as(administrator.token), 404],
      [foreign.call, 404],
    ] as const)
      for (const [index, request] of requests(id, tokenId).entries()) {
        const [theirs, none] = [await call(...request), await call(...unknown[index]!)];
        expect([...request, theirs.status]).toEqual([...request, status]);
        const shown = (answer: Answer) => JSON.stringify(without(answer)).replace(/(?<=identityId )[\da-f-]+/, '');
        expect(shown(theirs)).toEqual(shown(none));
      }
    expect((await ok(lead, 'GET', `${universalAuth(id)}/client-secrets`)).clientSecretData).toHaveLength(1);
  });

  it('is hidden in the organization from non-members of the project, with any rights there', async () => {
    const { id } = await make();
    const show = (call: Caller, one: string) => call('GET', `/api/v1/organization/access/identities/${one}`);
    const { call: reader } = await test.identity({ organizationRole: 'admin' });
    const [theirs, none] = [await show(reader, id), await show(reader, randomUUID())];
    expect(theirs.status).toBe(404);
    expect(without(theirs)).toEqual(without(none));
    const both = await test.identity({ projectId, projectRole: 'viewer', organizationRole: 'admin' });
    expect((await show(both.call, id)).body.access.actor).toMatchObject({ id });
    const own = test.as(await logIn(id));
    expect((await own('GET', '/api/v1/organization/access/me')).body.access.actor).toMatchObject({ id });
  });

  it('shows which login methods have lockouts, until they end', async () => {
    const { id } = await make();
    const { clientId } = (await ok(lead, 'POST', universalAuth(id), {})).identityUniversalAuth;
    const guess = () => test.as()('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret: 'x' });
    for (let attempt = 0; attempt < 3; attempt++) expect((await guess()).status).toBe(401);
    const locked = async () => (await ok(lead, 'GET', `${at()}/${id}`)).identity.activeLockoutAuthMethods;
    expect(await locked()).toEqual(['universal-auth']);
    await ok(lead, 'PATCH', universalAuth(id), { lockoutEnabled: false });
    expect(await locked()).toEqual([]);
    await ok(lead, 'PATCH', universalAuth(id), { lockoutEnabled: true });
    test.advance(301_000);
    expect(await locked()).toEqual([]);
    test.advance(-301_000);
  });

  it('ends immediately with the identity, and with the project, delete protection or not', async () => {
    const { id: project } = await test.project();
    const one = await make({}, test.admin, project);
    const two = await make({ hasDeleteProtection: true }, test.admin, project);
    const [first, second] = [test.as(await logIn(one.id, test.admin)), test.as(await logIn(two.id, test.admin))];
    const own = '/api/v1/identities/details';
    await ok(first, 'GET', own);
    await ok(second, 'GET', own);
    await ok(test.admin, 'DELETE', `${at(project)}/${one.id}`);
    expect((await first('GET', own)).status).toBe(401);
    await ok(second, 'GET', own);
    await ok(test.admin, 'DELETE', `/api/v1/projects/${project}`);
    expect((await second('GET', own)).status).toBe(401);
    const { rows } = await test.coffer.pool.query(
      `select 1 from identities where id = any($1::uuid[]) union all
       select 1 from memberships where identity_id = any($1::uuid[]) union all
       select 1 from identity_auth_methods where identity_id = any($1::uuid[]) union all
       select 1 from client_secrets where identity_id = any($1::uuid[]) union all
       select 1 from identity_access_tokens where identity_id = any($1::uuid[])`,
      [[one.id, two.id]],
    );
    expect(rows).toEqual([]);
  });

  it('ends with the project within a second in another process', async () => {
    const { id: project } = await test.project();
    const token = await logIn((await make({}, test.admin, project)).id, test.admin);
    const other = await anotherProcess(test);
    const { app } = other;
    const headers = { authorization: `Bearer ${token}` };
    const there = async () =>
      (await app.inject({ method: 'GET', url: '/api/v1/identities/details', headers })).statusCode;
    try {
      expect(await there()).toBe(200);
      await ok(test.admin, 'DELETE', `/api/v1/projects/${project}`);
      await expect.poll(there).toBe(401);
    } finally {
      await other.close();
    }
  });
});

describe('an identity that may change itself', () => {
  it('does not extend rules that use its metadata', async () => {
    const edits = { subject: 'identity', action: ['read', 'create', 'edit'] };
    const perTeam = {
      subject: 'secrets',
      action: ['readValue'],
      conditions: { secretPath: { $glob: '/{{identity.metadata.team}}/**' } },
    };
    const role = `team-${randomUUID().slice(0, 8)}`;
    const ofTeam = { slug: role, name: 'Team', permissions: [edits, perTeam] };
    await ok(lead, 'POST', `/api/v1/projects/${projectId}/roles`, ofTeam);
    const { id } = await make({ metadata: [{ key: 'team', value: 'web' }], roles: [{ role, isTemporary: false }] });
    const self = test.as(await logIn(id));
    const boundary = { statusCode: 403, error: 'PermissionBoundaryError' };
    const move = (call: Caller) => call('PATCH', `${at()}/${id}`, { metadata: [{ key: 'team', value: 'core' }] });
    expect((await move(self)).body).toMatchObject(boundary);
    expect((await move(lead)).status).toBe(200);

    const plain = await make({ roles: [{ role: 'member', isTemporary: false }] });
    const call = test.as(await logIn(plain.id));
    expect((await call('PATCH', `${at()}/${plain.id}`, { name: 'renamed' })).status).toBe(200);
  });

  it('has the rights of its new metadata from the next request on', async () => {
    for (const folder of ['web', 'core']) {
      const place = { projectId, environment: 'dev', secretPath: `/${folder}` };
      await ok(test.admin, 'POST', '/api/v2/folders', { ...place, path: '/', name: folder });
      await ok(test.admin, 'POST', '/api/v4/secrets/KEY', { ...place, secretValue: folder });
    }
    const role = `own-${randomUUID().slice(0, 8)}`;
    const conditions = { secretPath: { $glob: '/{{identity.metadata.team}}' } };
    const permissions = [{ subject: 'secrets', action: ['describeSecret', 'readValue'], conditions }];
    await ok(lead, 'POST', `/api/v1/projects/${projectId}/roles`, { slug: role, name: 'Own', permissions });
    const { id } = await make({ metadata: [{ key: 'team', value: 'web' }], roles: [{ role, isTemporary: false }] });
    const call = test.as(await logIn(id));
    const read = async (folder: string) =>
      (await call('GET', `/api/v4/secrets/KEY?projectId=${projectId}&environment=dev&secretPath=/${folder}`)).status;
    expect([await read('web'), await read('core')]).toEqual([200, 403]);
    await ok(lead, 'PATCH', `${at()}/${id}`, { metadata: [{ key: 'team', value: 'core' }] });
    expect([await read('web'), await read('core')]).toEqual([403, 200]);
  });
});
