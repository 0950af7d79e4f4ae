import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok, userUrl } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const member = (role = 'member') => makeUser(test.coffer, { organizationId: test.organizationId, role });
const own = () => `/api/v1/organization/${test.organizationId}`;
const events = async (organizationId: string): Promise<string[]> => {
  const { rows } = await test.coffer.pool.query<{ type: string }>(
    'select type from audit_events where organization_id = $1 order by created_at, id',
    [organizationId],
  );
  return rows.map(({ type }) => type);
};

describe('an organization', () => {
  it('is returned to its members in the published shape', async () => {
    const { token } = await member('no-access');
    const { status, body } = await test.as(token)('GET', own());
    expect(status).toBe(200);
    expect(body).toEqual({
      organization: {
        id: test.organizationId,
        name: 'Acme',
        slug: expect.stringMatching(/^acme-/),
        customerId: null,
        authEnforced: false,
        scimEnabled: false,
        kmsDefaultKeyId: null,
        defaultMembershipRole: 'member',
        enforceMfa: false,
        selectedMfaMethod: null,
        allowSecretSharingOutsideOrganization: null,
        shouldUseNewPrivilegeSystem: false,
        privilegeUpgradeInitiatedByUsername: null,
        privilegeUpgradeInitiatedAt: null,
        userTokenExpiration: null,
        auditLogsRetentionDays: null,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    });
    expect((await test.as(token)('GET', '/api/v1/organization')).body).toEqual({ organizations: [body.organization] });
    expect((await test.admin('GET', '/api/v1/organization')).body).toEqual({ organizations: [body.organization] });
  });

  it('is unknown to others, like one that does not exist', async () => {
    const foreign = await test.foreign();
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['GET', '/users'],
      ['GET', '/permissions'],
      ['GET', '/incidentContactOrg'],
      ['PATCH', '', { name: 'Mine' }],
    ] as const) {
      const ask = (id: string) => foreign.call(method, `/api/v1/organization/${id}${suffix}`, body);
      const unknown = await ask(UNKNOWN);
      expect(unknown.status).toBe(404);
      for (const id of [test.organizationId, 'no-uuid'])
        expect({ ...(await ask(id)).body, reqId: '' }).toEqual({ ...unknown.body, reqId: '' });
    }
    const deleted = await foreign.call('DELETE', `/api/v2/organizations/${test.organizationId}`);
    expect(deleted.status).toBe(404);
    expect((await test.as()('GET', own())).status).toBe(401);
  });

  it('can be updated by callers who may edit its settings', async () => {
    const { status, body } = await test.admin('PATCH', own(), {
      name: 'Acme 2',
      slug: 'Acme-Two',
      defaultMembershipRoleSlug: 'no-access',
      userTokenExpiration: '8h',
      auditLogsRetentionDays: 90,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      message: expect.any(String),
      organization: expect.objectContaining({
        name: 'Acme 2',
        slug: 'acme-two',
        defaultMembershipRole: 'no-access',
        userTokenExpiration: '8h',
        auditLogsRetentionDays: 90,
      }),
    });
    expect(await events(test.organizationId)).toContain('organization.updated');
    const partly = await test.admin('PATCH', own(), { name: 'Acme' });
    expect(partly.body.organization).toMatchObject({ name: 'Acme', slug: 'acme-two', userTokenExpiration: '8h' });
    const back = { defaultMembershipRoleSlug: 'member', userTokenExpiration: null, auditLogsRetentionDays: 0 };
    expect((await test.admin('PATCH', own(), back)).body.organization.auditLogsRetentionDays).toBe(0);
  });

  it('can have a limit of tokens of any length, and another one after it', async () => {
    for (const userTokenExpiration of ['1000000y', `${'9'.repeat(90)}y`, '1d', `${'9'.repeat(90)}y`, null])
      expect((await test.admin('PATCH', own(), { userTokenExpiration })).status).toBe(200);
    expect((await test.admin('GET', own())).body.organization.userTokenExpiration).toBeNull();
  });

  it('cannot be updated by others, nor with invalid values', async () => {
    const { token } = await member();
    expect((await test.as(token)('PATCH', own(), { name: 'x' })).status).toBe(403);
    expect((await test.admin('PATCH', own(), { name: '' })).status).toBe(422);
    expect((await test.admin('PATCH', own(), { slug: 'a b' })).status).toBe(422);
    expect((await test.admin('PATCH', own(), { userTokenExpiration: '10s' })).status).toBe(422);
    expect((await test.admin('PATCH', own(), { userTokenExpiration: 'soon' })).status).toBe(422);
    expect((await test.admin('PATCH', own(), { auditLogsRetentionDays: -1 })).status).toBe(422);
    expect((await test.admin('PATCH', own(), { name: 'nul \0' })).status).toBe(422);
    expect((await test.admin('PATCH', own(), { defaultMembershipRoleSlug: 'no-such-role' })).status).toBe(404);
    const foreign = await test.foreign();
    const { body } = await foreign.call('GET', '/api/v1/organization');
    expect((await test.admin('PATCH', own(), { slug: body.organizations[0].slug })).status).toBe(400);
  });

  it('has no default role for new members with more rights than the caller who chooses it', async () => {
    const { call } = await test.identity({ organizationRules: [{ subject: 'settings', action: ['edit'] }] });
    const choose = (defaultMembershipRoleSlug: string) => call('PATCH', own(), { defaultMembershipRoleSlug });
    expect((await choose('member')).status).toBe(200);
    expect(await choose('admin')).toMatchObject({ status: 403, body: { error: 'PermissionBoundaryError' } });
    expect((await choose('no-access')).body.organization.defaultMembershipRole).toBe('no-access');
    expect((await choose('member')).status).toBe(403);
    await test.admin('PATCH', own(), { defaultMembershipRoleSlug: 'member' });
  });

  it.each(['authEnforced', 'scimEnabled', 'enforceMfa'])('does not pretend to have %s', async (setting) => {
    expect((await test.admin('PATCH', own(), { [setting]: true })).status).toBe(400);
    expect((await test.admin('PATCH', own(), { [setting]: false })).status).toBe(200);
  });

  it('returns their rules to its members', async () => {
    const { token, id } = await member();
    const { body } = await test.as(token)('GET', `${own()}/permissions`);
    expect(body.membership).toMatchObject({
      userId: id,
      orgId: test.organizationId,
      role: 'member',
      roleId: null,
      status: 'accepted',
      isActive: true,
    });
    expect(body.permissions).toContainEqual({ subject: 'member', action: ['read'] });
    expect((await test.admin('GET', `${own()}/permissions`)).body.membership).toMatchObject({
      userId: null,
      role: 'admin',
    });
  });

  it('returns their projects to its members', async () => {
    const project = await test.project();
    const { id, call } = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    const path = `/api/v2/organizations/${test.organizationId}/workspaces`;
    const { body } = await call('GET', path);
    expect(body).toEqual({
      workspaces: [
        {
          id: project.id,
          name: project.slug,
          slug: project.slug,
          type: 'secret-manager',
          organization: test.organizationId,
          environments: ['dev', 'staging', 'prod'].map((slug) => ({
            id: expect.any(String),
            slug,
            name: expect.any(String),
          })),
        },
      ],
    });
    expect((await call('GET', `${path}?type=kms`)).body).toEqual({ workspaces: [] });
    const { token } = await member();
    expect((await test.as(token)('GET', path)).body).toEqual({ workspaces: [] });
    expect(id).toEqual(expect.any(String));
  });
});

describe('making further organizations', () => {
  it('makes the user their administrator', async () => {
    const { token, id } = await makeUser(test.coffer);
    const { status, body } = await test.as(token)('POST', '/api/v2/organizations', { name: 'Beta' });
    expect({ status, name: body.organization.name }).toEqual({ status: 200, name: 'Beta' });
    const chosen = await test.as(token)('POST', '/api/v3/auth/select-organization', {
      organizationId: body.organization.id,
    });
    const { users } = (await test.as(chosen.body.token)('GET', `/api/v1/organization/${body.organization.id}/users`))
      .body;
    expect(users).toEqual([expect.objectContaining({ userId: id, role: 'admin' })]);
    expect(await events(body.organization.id)).toEqual(['organization.created', 'user.organization_selected']);
  });

  it('is for people, with a name', async () => {
    const { token } = await makeUser(test.coffer);
    expect((await test.as(token)('POST', '/api/v2/organizations', { name: '' })).status).toBe(422);
    expect((await test.as(token)('POST', '/api/v2/organizations', { name: 'x'.repeat(65) })).status).toBe(422);
    expect((await test.admin('POST', '/api/v2/organizations', { name: 'x' })).status).toBe(403);
    expect((await test.as()('POST', '/api/v2/organizations', { name: 'x' })).status).toBe(401);
  });
});

describe('deleting an organization', () => {
  it('deletes everything in it, immediately, and keeps the users and the log', async () => {
    const { organizationId, call, identity } = await test.foreign();
    const boss = await makeUser(test.coffer, { organizationId, role: 'admin' });
    const role = await call('POST', '/api/v1/organization/roles', {
      slug: 'auditor',
      name: 'Auditor',
      permissions: [],
    });
    await test.coffer.pool.query(
      `with made as (insert into roles (id, organization_id, slug, name, permissions) values (gen_random_uuid(), $1, 'in-use', 'In use', '[]') returning id)
       insert into membership_roles (id, organization_id, membership_id, role, custom_role_id)
       select gen_random_uuid(), $1, m.id, 'custom', made.id from memberships m, made where m.user_id = $2`,
      [organizationId, boss.id],
    );
    expect([200, 404]).toContain(role.status);
    expect((await call('GET', '/api/v1/organization')).status).toBe(200);

    const { status, body } = await test.as(boss.token)('DELETE', `/api/v2/organizations/${organizationId}`);
    expect({ status, id: body.organization.id }).toEqual({ status: 200, id: organizationId });
    expect((await test.as(identity.token)('GET', '/api/v1/organization')).status).toBe(401);
    expect((await test.as(boss.token)('GET', '/api/v2/users/me')).status).toBe(401);
    const { rows } = await test.coffer.pool.query(
      'select 1 from identities where organization_id = $1 union all select 1 from data_keys where organization_id = $1',
      [organizationId],
    );
    expect(rows).toEqual([]);
    expect(await events(organizationId)).toContain('organization.deleted');
    const { rows: people } = await test.coffer.pool.query('select 1 from users where id = $1', [boss.id]);
    expect(people).toHaveLength(1);
  });

  it('is for its administrators', async () => {
    const path = `/api/v2/organizations/${test.organizationId}`;
    const { token } = await member();
    expect((await test.as(token)('DELETE', path)).status).toBe(403);
    const { call } = await test.identity({
      organizationRules: [{ subject: 'settings', action: ['read', 'edit', 'delete'] }],
    });
    expect((await call('DELETE', path)).status).toBe(403);
    expect((await test.as()('DELETE', path)).status).toBe(401);
    expect((await test.admin('GET', own())).status).toBe(200);
  });

  it('is refused to an administrator whom a rule forbids anything of that', async () => {
    const { organizationId, call } = await test.foreign();
    const path = `/api/v2/organizations/${organizationId}`;
    const boss = await makeUser(test.coffer, { organizationId, role: 'admin' });
    const denied = await makeUser(test.coffer, { organizationId, role: 'admin' });
    await ok(
      call('POST', '/api/v1/organization/roles', {
        slug: 'no-settings',
        name: 'No settings',
        permissions: [{ subject: 'settings', action: ['edit', 'delete'], inverted: true }],
      }),
    );
    const group = await ok(call('POST', '/api/v1/groups', { name: 'Denied', role: 'no-settings' }));
    await ok(call('POST', userUrl(group, { username: denied.email })));
    expect(await test.as(denied.token)('DELETE', path)).toMatchObject({
      status: 403,
      body: {
        error: 'PermissionBoundaryError',
        details: {
          missingPermissions: [
            { subject: 'settings', action: 'edit' },
            { subject: 'settings', action: 'delete' },
          ],
        },
      },
    });
    expect((await call('GET', `/api/v1/organization/${organizationId}`)).status).toBe(200);
    await ok(test.as(boss.token)('DELETE', path));
  });
});
