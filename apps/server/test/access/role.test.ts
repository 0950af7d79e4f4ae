import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let project: { id: string; slug: string };
beforeAll(async () => {
  test = await testServer();
  project = await test.project();
});
afterAll(() => test.close());

const reads = [
  {
    subject: 'secrets',
    action: ['describeSecret', 'readValue'],
    conditions: { environment: 'dev', secretPath: { $glob: '/app/**' } },
  },
];
let count = 0;
const fresh = (prefix = 'role') => `${prefix}-${++count}`;
const nowhere = '00000000-0000-4000-8000-000000000000';

/** The same operations at each of their addresses: of the project by id (two generations) and by slug. */
const addresses = () => [
  `/api/v1/projects/${project.id}/roles`,
  `/api/v2/workspace/${project.id}/roles`,
  `/api/v1/workspace/${project.slug}/roles`,
];

describe('roles of a project', () => {
  it('are created, read, changed and deleted, at every address', async () => {
    for (const url of addresses()) {
      const slug = fresh();
      const created = await test.admin('POST', url, {
        slug: ` ${slug.toUpperCase()} `,
        name: ' Deployer ',
        description: null,
        permissions: reads,
      });
      expect(created.status).toBe(200);
      const { role } = created.body;
      expect(role).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        slug,
        name: 'Deployer',
        description: null,
        permissions: reads,
        version: 1,
        projectId: project.id,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect((await test.admin('GET', `${url}/slug/${slug}`)).body).toEqual({ role });
      const changed = await test.admin('PATCH', `${url}/${role.id}`, { name: 'Reader', description: 'Reads' });
      expect(changed.body.role).toEqual({
        ...role,
        name: 'Reader',
        description: 'Reads',
        version: 2,
        updatedAt: changed.body.role.updatedAt,
      });
      const listed = (await test.admin('GET', url)).body.roles;
      expect(listed.at(0)).toMatchObject({ slug: 'admin', projectId: project.id });
      expect(listed.find((one: { id: string }) => one.id === role.id)).toEqual({
        id: role.id,
        slug,
        name: 'Reader',
        description: 'Reads',
        projectId: project.id,
        createdAt: role.createdAt,
        updatedAt: changed.body.role.updatedAt,
      });
      expect((await test.admin('DELETE', `${url}/${role.id}`)).body).toEqual(changed.body);
      expect((await test.admin('GET', `${url}/slug/${slug}`)).status).toBe(404);
    }
  });

  it('are listed after the built-in ones, which every project has', async () => {
    const [url] = addresses();
    const { roles } = (await test.admin('GET', url!)).body;
    expect(roles.slice(0, 6).map((role: { slug: string }) => role.slug)).toEqual([
      'admin',
      'member',
      'viewer',
      'no-access',
      'ssh-host-bootstrapper',
      'cryptographic-operator',
    ]);
    const viewer = (await test.admin('GET', `${url}/slug/viewer`)).body.role;
    expect(viewer).toMatchObject({ id: 'viewer', slug: 'viewer', name: 'Viewer', projectId: project.id });
    expect(viewer.permissions).toContainEqual({ subject: 'secrets', action: ['describeSecret', 'readValue'] });
  });

  it('return rules as sent, with actions as a list', async () => {
    const permissions = [
      {
        subject: 'secrets',
        action: 'edit',
        inverted: true,
        conditions: { environment: { $in: ['a', 'b'] }, secretTags: { $in: ['t'] }, secretName: { $ne: 'X' } },
      },
      {
        subject: 'secrets',
        action: ['edit', 'create'],
        inverted: false,
        conditions: { secretPath: '/', environment: { $eq: 'dev', $glob: 'd*' } },
      },
      { subject: 'tags', action: 'read', conditions: null },
    ];
    const { body } = await test.admin('POST', addresses()[0]!, { slug: fresh(), name: 'x', permissions });
    expect(body.role.permissions).toEqual([
      { ...permissions[0], action: ['edit'] },
      permissions[1],
      { subject: 'tags', action: ['read'] },
    ]);
  });

  it('refuse a slug that is taken, and the slugs of built-in roles', async () => {
    const [url] = addresses();
    const slug = fresh();
    expect((await test.admin('POST', url!, { slug, name: 'x', permissions: [] })).status).toBe(200);
    const again = await test.admin('POST', url!, { slug, name: 'y', permissions: [] });
    expect(again).toMatchObject({
      status: 400,
      body: { error: 'BadRequest', message: 'A role with this slug already exists' },
    });
    for (const reserved of ['admin', 'member', 'viewer', 'no-access', 'custom', ' Admin ']) {
      expect((await test.admin('POST', url!, { slug: reserved, name: 'x', permissions: [] })).status).toBe(422);
    }
    const { role } = (await test.admin('POST', url!, { slug: fresh(), name: 'x', permissions: [] })).body;
    expect((await test.admin('PATCH', `${url}/${role.id}`, { slug })).status).toBe(400);
    expect((await test.admin('PATCH', `${url}/${role.id}`, { slug: 'viewer' })).status).toBe(422);
  });

  it('cannot replace the built-in ones', async () => {
    const [url] = addresses();
    expect((await test.admin('PATCH', `${url}/viewer`, { name: 'x' })).status).toBe(400);
    expect((await test.admin('DELETE', `${url}/admin`)).status).toBe(400);
  });

  it('stay while they are assigned', async () => {
    const [url] = addresses();
    const { role } = (await test.admin('POST', url!, { slug: fresh(), name: 'x', permissions: [] })).body;
    const { id } = await test.identity();
    const membership = `/api/v2/workspace/${project.id}/identity-memberships/${id}`;
    expect((await test.admin('POST', membership, { role: role.slug })).status).toBe(200);
    const refused = await test.admin('DELETE', `${url}/${role.id}`);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'The role is assigned to members; assign them another role first' },
    });
    expect((await test.admin('DELETE', membership)).status).toBe(200);
    expect((await test.admin('DELETE', `${url}/${role.id}`)).status).toBe(200);
  });

  it('apply to their members with the next request', async () => {
    const [url] = addresses();
    const { role } = (
      await test.admin('POST', url!, { slug: fresh(), name: 'x', permissions: [{ subject: 'role', action: 'read' }] })
    ).body;
    const { id, call } = await test.identity();
    await test.admin('POST', `/api/v2/workspace/${project.id}/identity-memberships/${id}`, { role: role.slug });
    expect((await call('GET', url!)).status).toBe(200);
    await test.admin('PATCH', `${url}/${role.id}`, { permissions: [] });
    expect((await call('GET', url!)).status).toBe(403);
    await test.admin('PATCH', `${url}/${role.id}`, { permissions: [{ subject: 'role', action: ['read'] }] });
    expect((await call('GET', url!)).status).toBe(200);
  });

  it.each([
    ['no name', { name: '' }],
    ['a slug of other characters', { slug: 'a_b' }],
    ['no rules', { permissions: undefined }],
    ['an unknown action', { permissions: [{ subject: 'tags', action: 'fly' }] }],
    [
      'a misspelt part of a rule',
      { permissions: [{ subject: 'secrets', action: 'create', condition: { environment: 'dev' } }] },
    ],
    ['a name that cannot be stored', { name: 'a\0b' }],
    ['too many rules', { permissions: Array.from({ length: 1001 }, () => ({ subject: 'tags', action: 'read' })) }],
  ])('refuse %s', async (_, wrong) => {
    const answer = await test.admin('POST', addresses()[0]!, { slug: fresh(), name: 'x', permissions: [], ...wrong });
    expect(answer.status).toBe(422);
    expect(Array.isArray(answer.body.message)).toBe(true);
  });

  it('refuse the older read beside its halves', async () => {
    const answer = await test.admin('POST', addresses()[0]!, {
      slug: fresh(),
      name: 'x',
      permissions: [{ subject: 'secrets', action: ['read', 'describeSecret'] }],
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'BadRequest' } });
  });

  it('refuse a text that cannot be stored', async () => {
    const permissions = [{ subject: 'secrets', action: 'edit', conditions: { environment: 'a\0b' } }];
    expect((await test.admin('POST', addresses()[0]!, { slug: fresh(), name: 'x', permissions })).status).toBe(400);
    expect((await test.admin('GET', `${addresses()[0]}/slug/a%00b`)).status).toBe(404);
  });

  it('need a token and their rights', async () => {
    const { body } = await test.admin('POST', addresses()[0]!, { slug: fresh(), name: 'x', permissions: [] });
    const { call: member } = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'tags', action: 'read' }],
    });
    for (const url of addresses()) {
      for (const [method, path, payload] of [
        ['GET', url],
        ['POST', url, { slug: fresh(), name: 'x', permissions: [] }],
        ['GET', `${url}/slug/${body.role.slug}`],
        ['PATCH', `${url}/${body.role.id}`, { name: 'y' }],
        ['DELETE', `${url}/${body.role.id}`],
      ] as const) {
        expect((await test.as()(method, path, payload)).status).toBe(401);
        expect(await member(method, path, payload)).toMatchObject({ status: 403, body: { error: 'PermissionDenied' } });
      }
    }
  });

  it('are unknown to other organizations, other projects and non-members', async () => {
    const other = await test.project();
    const foreign = await test.foreign();
    const stranger = await test.identity({ organizationRole: 'admin' });
    const { role } = (await test.admin('POST', addresses()[0]!, { slug: fresh(), name: 'x', permissions: reads })).body;
    const same = async (
      call: Caller,
      theirs: string,
      unknown: string,
      method: 'GET' | 'PATCH' | 'DELETE',
      body?: object,
    ) => {
      const [a, b] = [await call(method, theirs, body), await call(method, unknown, body)];
      expect(a.status).toBe(404);
      expect({ ...a.body, reqId: '' }).toEqual({ ...b.body, reqId: '' });
    };
    for (const call of [foreign.call, stranger.call]) {
      await same(call, `/api/v1/projects/${project.id}/roles`, `/api/v1/projects/${nowhere}/roles`, 'GET');
      await same(call, `/api/v1/workspace/${project.slug}/roles`, '/api/v1/workspace/no-such-project/roles', 'GET');
      await same(
        call,
        `/api/v1/projects/${project.id}/roles/${role.id}`,
        `/api/v1/projects/nothing/roles/nothing`,
        'PATCH',
        { name: 'y' },
      );
      await same(
        call,
        `/api/v1/projects/${project.id}/roles/${role.id}`,
        `/api/v1/projects/nothing/roles/nothing`,
        'DELETE',
      );
    }
    const base = `/api/v1/projects/${other.id}/roles`;
    await same(test.admin, `${base}/slug/${role.slug}`, `${base}/slug/nothing`, 'GET');
    await same(test.admin, `${base}/${role.id}`, `${base}/nothing`, 'PATCH', { name: 'y' });
    await same(test.admin, `${base}/${role.id}`, `${base}/${nowhere}`, 'DELETE');
  });
});

describe('roles of the organization', () => {
  const url = '/api/v1/organization/roles';

  it('are created, listed, read, changed and deleted', async () => {
    const slug = fresh();
    const permissions = [{ subject: 'identity', action: ['read'] }];
    const { status, body } = await test.admin('POST', url, { slug, name: 'Auditor', permissions });
    expect(status).toBe(200);
    expect(body.role).toEqual({
      id: expect.any(String),
      slug,
      name: 'Auditor',
      description: null,
      permissions,
      orgId: test.organizationId,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await test.admin('GET', `${url}/${body.role.id}`)).body).toEqual(body);
    expect((await test.admin('GET', `${url}/slug/${slug}`)).body).toEqual(body);
    const { roles } = (await test.admin('GET', url)).body.data;
    expect(roles.slice(0, 3).map((role: { slug: string }) => role.slug)).toEqual(['admin', 'member', 'no-access']);
    expect(roles).toContainEqual(body.role);
    expect((await test.admin('GET', `${url}/member`)).body.role).toMatchObject({
      id: 'member',
      slug: 'member',
      orgId: test.organizationId,
    });
    const changed = await test.admin('PATCH', `${url}/${body.role.id}`, { permissions: [], slug: `${slug}-2` });
    expect(changed.body.role).toMatchObject({ slug: `${slug}-2`, name: 'Auditor', permissions: [] });
    expect((await test.admin('DELETE', `${url}/${body.role.id}`)).status).toBe(200);
    expect((await test.admin('GET', `${url}/${body.role.id}`)).status).toBe(404);
  });

  it('are no roles of projects', async () => {
    const { role } = (await test.admin('POST', url, { slug: fresh(), name: 'x', permissions: [] })).body;
    expect((await test.admin('GET', `/api/v1/projects/${project.id}/roles/slug/${role.slug}`)).status).toBe(404);
    const own = (await test.admin('POST', addresses()[0]!, { slug: fresh(), name: 'x', permissions: [] })).body.role;
    expect((await test.admin('GET', `${url}/${own.id}`)).status).toBe(404);
    expect((await test.admin('DELETE', `${url}/${own.id}`)).status).toBe(404);
    const { id } = await test.identity();
    expect(
      (await test.admin('POST', `/api/v2/workspace/${project.id}/identity-memberships/${id}`, { role: role.slug }))
        .status,
    ).toBe(404);
  });

  it('reject subjects of projects', async () => {
    expect(
      (
        await test.admin('POST', url, {
          slug: fresh(),
          name: 'x',
          permissions: [{ subject: 'secrets', action: 'edit' }],
        })
      ).status,
    ).toBe(422);
  });

  it('cannot be deleted while new members would get them, also under another slug', async () => {
    const { role } = (await test.admin('POST', url, { slug: fresh(), name: 'x', permissions: [] })).body;
    expect(
      (
        await test.admin('PATCH', `/api/v1/organization/${test.organizationId}`, {
          defaultMembershipRoleSlug: role.slug,
        })
      ).status,
    ).toBe(200);
    const slug = fresh();
    await test.admin('PATCH', `${url}/${role.id}`, { slug });
    expect((await test.admin('GET', `/api/v1/organization/${test.organizationId}`)).body.organization).toMatchObject({
      defaultMembershipRole: slug,
    });
    expect((await test.admin('DELETE', `${url}/${role.id}`)).status).toBe(400);
    await test.admin('PATCH', `/api/v1/organization/${test.organizationId}`, { defaultMembershipRoleSlug: 'member' });
    expect((await test.admin('DELETE', `${url}/${role.id}`)).status).toBe(200);
  });

  it('need a token and their rights, and are unknown elsewhere', async () => {
    const { role } = (await test.admin('POST', url, { slug: fresh(), name: 'x', permissions: [] })).body;
    const { call: member } = await test.identity({ organizationRules: [{ subject: 'settings', action: 'read' }] });
    const foreign = await test.foreign();
    for (const [method, path, payload] of [
      ['GET', url],
      ['POST', url, { slug: fresh(), name: 'x', permissions: [] }],
      ['GET', `${url}/${role.id}`],
      ['GET', `${url}/slug/${role.slug}`],
      ['PATCH', `${url}/${role.id}`, { name: 'y' }],
      ['DELETE', `${url}/${role.id}`],
    ] as const) {
      expect((await test.as()(method, path, payload)).status).toBe(401);
      expect((await member(method, path, payload)).status).toBe(403);
      if (path === url) continue;
      const theirs = await foreign.call(method, path, payload);
      const unknown = await foreign.call(method, path.replace(role.id, nowhere).replace(role.slug, 'nothing'), payload);
      expect(theirs.status).toBe(404);
      expect({ ...theirs.body, reqId: '' }).toEqual({ ...unknown.body, reqId: '' });
    }
  });
});

describe('no one gives away more than they hold', () => {
  const mayEditRoles = { subject: 'role', action: ['read', 'create', 'edit', 'delete'] };

  it('in a new role', async () => {
    const { call } = await test.identity({ projectId: project.id, rules: [mayEditRoles, ...reads] });
    const narrower = [
      { subject: 'secrets', action: ['readValue'], conditions: { environment: 'dev', secretPath: '/app/db' } },
    ];
    expect((await call('POST', addresses()[0]!, { slug: fresh(), name: 'x', permissions: narrower })).status).toBe(200);
    const wider = {
      subject: 'secrets',
      action: ['readValue'],
      conditions: { environment: 'prod', secretPath: '/app/db' },
    };
    const answer = await call('POST', addresses()[0]!, { slug: fresh(), name: 'x', permissions: [...narrower, wider] });
    expect(answer).toMatchObject({
      status: 403,
      body: {
        error: 'PermissionBoundaryError',
        details: { missingPermissions: [{ action: 'readValue', subject: 'secrets', conditions: wider.conditions }] },
      },
    });
  });

  it('in a changed role, not even by another name', async () => {
    const { role } = (
      await test.admin('POST', addresses()[0]!, {
        slug: fresh(),
        name: 'x',
        permissions: [{ subject: 'cmek', action: 'decrypt' }],
      })
    ).body;
    const { call } = await test.identity({ projectId: project.id, rules: [mayEditRoles, ...reads] });
    const url = `${addresses()[0]}/${role.id}`;
    expect((await call('PATCH', url, { permissions: [{ subject: 'cmek', action: 'encrypt' }] })).body.error).toBe(
      'PermissionBoundaryError',
    );
    expect((await call('PATCH', url, { slug: fresh() })).body.error).toBe('PermissionBoundaryError');
    expect((await call('PATCH', url, { permissions: reads })).body.error).toBe('PermissionBoundaryError');
    expect((await test.admin('PATCH', url, { permissions: reads })).status).toBe(200);
    expect((await call('PATCH', url, { slug: fresh() })).status).toBe(200);
  });

  it('by lifting what a role forbids', async () => {
    const forbidden = {
      subject: 'secrets',
      action: ['edit'],
      inverted: true,
      conditions: { secretPath: '/app', environment: 'prod' },
    };
    const { role } = (await test.admin('POST', addresses()[0]!, { slug: fresh(), name: 'x', permissions: [forbidden] }))
      .body;
    const { call } = await test.identity({
      projectId: project.id,
      rules: [mayEditRoles, { subject: 'secrets', action: 'edit' }, forbidden],
    });
    const url = `${addresses()[0]}/${role.id}`;
    expect((await call('PATCH', url, { permissions: [] })).body.error).toBe('PermissionBoundaryError');
    expect((await call('PATCH', url, { permissions: [forbidden], name: 'still' })).status).toBe(200);
    expect((await test.admin('PATCH', url, { permissions: [] })).status).toBe(200);
  });

  it('in a role of the organization', async () => {
    const { call } = await test.identity({ organizationRules: [mayEditRoles] });
    const url = '/api/v1/organization/roles';
    expect(
      (await call('POST', url, { slug: fresh(), name: 'x', permissions: [{ subject: 'role', action: 'read' }] }))
        .status,
    ).toBe(200);
    expect(
      (await call('POST', url, { slug: fresh(), name: 'x', permissions: [{ subject: 'billing', action: 'read' }] }))
        .status,
    ).toBe(403);
  });
});
