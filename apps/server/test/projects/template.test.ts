import { randomUUID } from 'node:crypto';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIME, UUID } from '../harness/folder-tree.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const TEMPLATES = '/api/v1/project-templates';
const named = () => `t-${randomUUID().slice(0, 8)}`;
const without = ({ status, body: { reqId: _, ...body } }: Answer) => ({ status, body });

const DEFAULTS = [
  { name: 'Development', slug: 'dev', position: 1 },
  { name: 'Staging', slug: 'staging', position: 2 },
  { name: 'Production', slug: 'prod', position: 3 },
];
const READS_DEV = {
  subject: 'secrets',
  action: 'readValue',
  conditions: { environment: 'dev', secretPath: { $glob: '/app/**' } },
};
const AUDITOR = { name: 'Auditor', slug: 'auditor', permissions: [{ subject: 'audit-logs', action: ['read'] }] };
const QA = { name: 'QA', slug: 'qa', position: 2 };
const LIVE = { name: 'Live', slug: 'live', position: 1 };

const published = (fields: object) => ({
  id: UUID,
  name: expect.any(String),
  description: null,
  type: 'secret-manager',
  roles: [],
  environments: DEFAULTS,
  orgId: test.organizationId,
  createdAt: TIME,
  updatedAt: TIME,
  ...fields,
});

const make = async (given: object = {}, call: Caller = test.admin) => {
  const { status, body } = await call('POST', TEMPLATES, { name: named(), ...given });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.projectTemplate;
};
const events = async (type: string, organizationId = test.organizationId) =>
  test.coffer.query<{ data: object; project_id: string | null }>(
    {
      name: 'test.template_events',
      text: 'select data, project_id from audit_events where type = $1 and organization_id = $2 order by id',
    },
    [type, organizationId],
  );
const rolesOf = async (projectId: string, call: Caller = test.admin) =>
  (await call('GET', `/api/v1/projects/${projectId}/roles`)).body.roles.map((role: { slug: string }) => role.slug);

describe('project templates', () => {
  it('are created, read, listed by name, updated and deleted', async () => {
    const { call } = await test.foreign();
    const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
      const answer = await call(method, url, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    };
    const orgId = (await ask('GET', TEMPLATES)).projectTemplates[0].orgId;
    const made = await ask('POST', TEMPLATES, {
      name: ' Web ',
      description: 'For sites',
      roles: [{ name: 'Reader', slug: 'Reader', permissions: [READS_DEV] }, AUDITOR],
      environments: [QA, LIVE],
    });
    const web = published({
      orgId,
      name: 'web',
      description: 'For sites',
      roles: [{ name: 'Reader', slug: 'reader', permissions: [{ ...READS_DEV, action: ['readValue'] }] }, AUDITOR],
      environments: [LIVE, QA],
    });
    expect(made).toEqual({ projectTemplate: web });
    const { id } = made.projectTemplate;
    expect(await ask('GET', `${TEMPLATES}/${id}`)).toEqual(made);

    const plain = await ask('POST', TEMPLATES, { name: 'a-plain-one', type: 'kms' });
    expect(plain.projectTemplate).toEqual(published({ orgId, name: 'a-plain-one', type: 'kms' }));
    const list = async (query = '') =>
      (await ask('GET', `${TEMPLATES}${query}`)).projectTemplates.map(({ name }: { name: string }) => name);
    expect(await list()).toEqual(['default', 'a-plain-one', 'web']);
    expect(await list('?type=kms')).toEqual(['a-plain-one']);

    const changed = await ask('PATCH', `${TEMPLATES}/${id}`, { description: null, environments: [] });
    expect(changed).toEqual({ projectTemplate: { ...web, description: null, environments: [] } });
    expect(await ask('PATCH', `${TEMPLATES}/${id}`, { name: 'site', type: 'ssh', roles: [] })).toEqual({
      projectTemplate: { ...web, name: 'site', type: 'ssh', description: null, roles: [], environments: [] },
    });
    expect(await ask('PATCH', `${TEMPLATES}/${id}`, {})).toMatchObject({ projectTemplate: { name: 'site' } });
    expect(await ask('DELETE', `${TEMPLATES}/${id}`)).toMatchObject({ projectTemplate: { id, name: 'site' } });
    expect(await list()).toEqual(['default', 'a-plain-one']);
    expect((await call('GET', `${TEMPLATES}/${id}`)).status).toBe(404);

    expect(await events('project_template.created', orgId)).toMatchObject([
      { data: { templateId: id, name: 'web' } },
      { data: { name: 'a-plain-one' } },
    ]);
    expect(await events('project_template.updated', orgId)).toMatchObject([
      { data: { templateId: id, name: 'web', changed: ['description', 'environments'] } },
      { data: { name: 'site', changed: ['name', 'type', 'roles'] } },
      { data: { changed: [] } },
    ]);
    expect(await events('project_template.deleted', orgId)).toMatchObject([{ data: { templateId: id, name: 'site' } }]);
  });

  it('start with a built-in template, which projects use by default and which is read-only', async () => {
    const { body } = await test.admin('GET', TEMPLATES);
    const [builtIn] = body.projectTemplates;
    expect(builtIn).toEqual(
      published({ id: 'default', name: 'default', description: expect.any(String), roles: expect.any(Array) }),
    );
    expect(builtIn.roles.map(({ slug }: { slug: string }) => slug)).toEqual([
      'admin',
      'member',
      'viewer',
      'no-access',
      'ssh-host-bootstrapper',
      'cryptographic-operator',
    ]);
    expect(builtIn.roles[0].permissions.length).toBeGreaterThan(30);
    expect((await test.admin('GET', `${TEMPLATES}/default`)).body).toEqual({ projectTemplate: builtIn });
    expect((await test.admin('PATCH', `${TEMPLATES}/default`, { description: 'x' })).body).toMatchObject({
      statusCode: 400,
      message: 'The built-in template cannot be changed',
    });
    expect((await test.admin('DELETE', `${TEMPLATES}/default`)).status).toBe(400);
  });

  it.each([
    {},
    { name: '' },
    { name: 'default' },
    { name: ' DEFAULT ' },
    { name: 'x'.repeat(65) },
    { name: 'has space' },
    { name: 'a\0b' },
    { name: 5 },
    { description: 'x'.repeat(1025) },
    { description: 'a\0b' },
    { type: 'other' },
    { roles: [{ ...AUDITOR, slug: 'admin' }] },
    { roles: [{ ...AUDITOR, slug: 'No-Access' }] },
    { roles: [{ ...AUDITOR, slug: 'custom' }] },
    { roles: [AUDITOR, { ...AUDITOR, name: 'Other', slug: ' AUDITOR' }] },
    { roles: [{ ...AUDITOR, name: '' }] },
    { roles: [{ name: 'A', slug: 'a' }] },
    { roles: [{ ...AUDITOR, permissions: [{ subject: 'nothing', action: 'read' }] }] },
    { roles: [{ ...AUDITOR, permissions: [{ subject: 'billing', action: 'read' }] }] },
    { roles: [{ ...AUDITOR, permissions: [{ subject: 'secrets', action: 'fly' }] }] },
    { roles: [{ ...AUDITOR, permissions: [{ ...READS_DEV, conditions: { owner: 'me' } }] }] },
    { roles: [{ ...AUDITOR, permissions: [{ ...READS_DEV, conditions: { secretPath: { $glob: '[' } } }] }] },
    { roles: Array.from({ length: 101 }, (_, index) => ({ ...AUDITOR, slug: `r${index}` })) },
    { environments: [{ name: 'A', slug: 'a' }] },
    { environments: [{ ...QA, slug: 'under_score' }] },
    { environments: [{ ...QA, position: 0 }] },
    { environments: [{ ...QA, position: 1.5 }] },
    { environments: [{ ...QA, name: ' ' }] },
    { environments: [QA, { ...QA, position: 3 }] },
    { environments: [QA, { ...LIVE, position: 2 }] },
    {
      environments: Array.from({ length: 101 }, (_, index) => ({ name: 'E', slug: `e${index}`, position: index + 1 })),
    },
    { users: [{ username: 'me@example.com', roles: ['admin'] }] },
    { groups: [{ groupSlug: 'g', roles: ['admin'] }] },
    { identities: [{ identityId: randomUUID(), roles: ['admin'] }] },
  ])('refuse %j', async (given) => {
    const body = 'name' in given || Object.keys(given).length === 0 ? given : { name: named(), ...given };
    expect((await test.admin('POST', TEMPLATES, body)).status).toBe(422);
    if (Object.keys(given).length === 0) return;
    const { id } = await make();
    expect((await test.admin('PATCH', `${TEMPLATES}/${id}`, given)).status).toBe(422);
  });

  it('reject a rule that mixes the legacy permission to read secrets with the current ones, as roles do', async () => {
    const permissions = [{ subject: 'secrets', action: ['read', 'readValue'] }];
    const roles = [{ ...AUDITOR, permissions }];
    expect((await test.admin('POST', TEMPLATES, { name: named(), roles })).status).toBe(400);
  });

  it('have unique names in an organization, also when created concurrently', async () => {
    const name = named();
    const answers = await Promise.all([1, 2, 3].map(() => test.admin('POST', TEMPLATES, { name })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.message).toBe(
      'A project template with this name already exists in the organization',
    );
    const other = await make();
    expect((await test.admin('PATCH', `${TEMPLATES}/${other.id}`, { name: name.toUpperCase() })).status).toBe(400);
    expect((await test.admin('PATCH', `${TEMPLATES}/${other.id}`, { name: other.name })).status).toBe(200);
    const foreign = await test.foreign();
    expect((await foreign.call('POST', TEMPLATES, { name })).status).toBe(200);
  });

  it.each([
    ['read', 'GET', ''],
    ['create', 'POST', ''],
    ['read', 'GET', '/one'],
    ['edit', 'PATCH', '/one'],
    ['delete', 'DELETE', '/one'],
  ] as const)('need the right to %s them, and a token that lives (%s %s)', async (action, method, at) => {
    const { id } = await make();
    const url = `${TEMPLATES}${at && `/${id}`}`;
    const body = method === 'POST' ? { name: named() } : method === 'PATCH' ? { description: 'x' } : undefined;
    expect((await test.as()(method, url, body)).status).toBe(401);

    const others = ['read', 'create', 'edit', 'delete'].filter((one) => one !== action);
    const powerless = await test.identity({ organizationRules: [{ subject: 'project-templates', action: others }] });
    expect((await powerless.call(method, url, body)).body).toMatchObject({
      statusCode: 403,
      error: 'PermissionDenied',
    });
    expect((await (await test.identity({ organizationRole: 'member' })).call(method, url, body)).status).toBe(403);

    const foreign = await test.foreign();
    const able = await test.identity({ organizationRules: [{ subject: 'project-templates', action }] });
    await test.coffer.pool.query('update identity_access_tokens set expires_at = $2 where identity_id = $1', [
      powerless.id,
      new Date(0),
    ]);
    await test.coffer.pool.query('update identity_access_tokens set is_revoked = true where identity_id = $1', [
      foreign.identity.id,
    ]);
    test.coffer.invalidate([`identity:${powerless.id}`, `identity:${foreign.identity.id}`]);
    expect((await powerless.call(method, url, body)).status).toBe(401);
    expect((await foreign.call(method, url, body)).status).toBe(401);
    expect((await able.call(method, url, body)).status).toBe(200);
  });

  it.each([
    ['GET', undefined],
    ['PATCH', { description: 'x' }],
    ['DELETE', undefined],
  ] as const)('are not there for another organization (%s)', async (method, body) => {
    const { id } = await make();
    const { call } = await test.foreign();
    const [theirs, none, text] = [
      await call(method, `${TEMPLATES}/${id}`, body),
      await call(method, `${TEMPLATES}/${randomUUID()}`, body),
      await call(method, `${TEMPLATES}/none`, body),
    ];
    expect(theirs.status).toBe(404);
    expect(without(theirs)).toEqual(without(none));
    expect(without(text)).toEqual(without(none));
    expect((await test.admin('GET', `${TEMPLATES}/${id}`)).status).toBe(200);
  });
});

describe('a project that is created from a template', () => {
  it.each(['/api/v1/projects', '/api/v2/workspace'])('has its environments and roles immediately (%s)', async (url) => {
    const { name } = await make({
      roles: [AUDITOR, { name: 'Reader', slug: 'reader', permissions: [READS_DEV] }],
      environments: [
        { ...QA, position: 70 },
        { ...LIVE, position: 7 },
      ],
    });
    const { status, body } = await test.admin('POST', url, {
      projectName: 'From a template',
      template: ` ${name.toUpperCase()} `,
      shouldCreateDefaultEnvs: false,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const { id, slug } = body.project;
    expect(body.project.environments).toEqual([
      { id: UUID, name: 'Live', slug: 'live' },
      { id: UUID, name: 'QA', slug: 'qa' },
    ]);
    const { rows } = await test.coffer.pool.query<{ slug: string; position: number }>(
      'select slug, position from environments where project_id = $1 order by position',
      [id],
    );
    expect(rows).toEqual([
      { slug: 'live', position: 1 },
      { slug: 'qa', position: 2 },
    ]);
    const read = await test.admin('GET', `/api/v1/projects/${id}/roles/slug/reader`);
    expect(read.body.role).toMatchObject({
      name: 'Reader',
      slug: 'reader',
      description: null,
      permissions: [{ ...READS_DEV, action: ['readValue'] }],
      projectId: id,
    });
    expect((await rolesOf(id)).slice(6).toSorted()).toEqual(['auditor', 'reader']);
    const set = { projectId: id, environment: 'live', secretPath: '/', secretValue: 'v' };
    expect((await test.admin('POST', '/api/v4/secrets/KEY', set)).status).toBe(200);

    const made = (await events('project.created')).filter((event) => event.project_id === id);
    expect(made).toEqual([
      {
        project_id: id,
        data: { projectId: id, name: 'From a template', slug, type: 'secret-manager', template: name },
      },
    ]);
    const roles = (await events('project_role.created')).filter((event) => event.project_id === id);
    expect(roles.map(({ data }) => data)).toMatchObject([{ slug: 'auditor' }, { slug: 'reader' }]);
  });

  it('is a copy: no later change of the template reaches it', async () => {
    const { id, name } = await make({ roles: [AUDITOR], environments: [QA] });
    const { body } = await test.admin('POST', '/api/v1/projects', { projectName: 'Copy', template: name });
    const projectId = body.project.id;
    const role = () => test.admin('GET', `/api/v1/projects/${projectId}/roles/slug/auditor`);
    const before = (await role()).body;
    const everything = [{ subject: 'secrets', action: ['readValue', 'edit'] }];
    const changes = { roles: [{ ...AUDITOR, permissions: everything }], environments: [LIVE] };
    expect((await test.admin('PATCH', `${TEMPLATES}/${id}`, changes)).status).toBe(200);
    expect((await role()).body).toEqual(before);
    expect((await test.admin('DELETE', `${TEMPLATES}/${id}`)).status).toBe(200);
    expect((await role()).body).toEqual(before);
    const { project } = (await test.admin('GET', `/api/v1/projects/${projectId}`)).body;
    expect(project.environments.map(({ slug }: { slug: string }) => slug)).toEqual(['qa']);
  });

  it('may have no environments at all', async () => {
    const { name } = await make({ environments: [] });
    const { body } = await test.admin('POST', '/api/v1/projects', { projectName: 'Bare', template: name });
    expect(body.project.environments).toEqual([]);
  });

  it('is not created if the organization has no such template; nothing is left behind', async () => {
    const { name } = await make();
    const foreign = await test.foreign();
    const before = await test.coffer.pool.query('select count(*) from projects');
    for (const [call, template] of [
      [test.admin, 'none-such'],
      [test.admin, 'nul\0'],
      [test.admin, 'x'.repeat(10_000)],
      [foreign.call, name],
    ] as const) {
      const answer = await call('POST', '/api/v1/projects', { projectName: 'No', template });
      expect(answer.status).toBe(404);
      expect(answer.body.message).toBe('There is no such project template');
    }
    expect((await test.coffer.pool.query('select count(*) from projects')).rows).toEqual(before.rows);
  });

  it('needs the permission to read templates, for existing and unknown ones', async () => {
    const { name } = await make({ roles: [AUDITOR] });
    const create = { subject: 'project', action: 'create' };
    const blind = await test.identity({ organizationRules: [create] });
    const ask = (template: string, call: Caller) => call('POST', '/api/v1/projects', { projectName: 'P', template });
    const [refused, none] = [await ask(name, blind.call), await ask('none-such', blind.call)];
    expect(refused.body).toMatchObject({ statusCode: 403, error: 'PermissionDenied' });
    expect(without(refused)).toEqual(without(none));
    expect((await ask('Default', blind.call)).status).toBe(200);
    const reader = await test.identity({
      organizationRules: [create, { subject: 'project-templates', action: 'read' }],
    });
    const { status, body } = await ask(name, reader.call);
    expect(status).toBe(200);
    expect(await rolesOf(body.project.id, reader.call)).toContain('auditor');
  });

  it('grants access only to its creator: neither to the author of the template nor to holders of its roles', async () => {
    const author = await test.identity({
      organizationRules: [{ subject: 'project-templates', action: ['read', 'create', 'edit', 'delete'] }],
    });
    const all = ['read', 'create', 'edit', 'delete'];
    const permissions = [
      { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'] },
      { subject: 'member', action: [...all, 'grant-privileges'] },
      { subject: 'role', action: all },
    ];
    const { id, name } = await make({ roles: [{ name: 'Viewer', slug: 'harmless', permissions }] }, author.call);
    const victim = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
    const { body } = await test.as(victim.token)('POST', '/api/v1/projects', { projectName: 'Victim', template: name });
    const projectId = body.project.id;
    const { rows } = await test.coffer.pool.query(
      `select m.user_id, r.role, r.custom_role_id from memberships m join membership_roles r on r.membership_id = m.id
       where m.project_id = $1`,
      [projectId],
    );
    expect(rows).toEqual([{ user_id: victim.id, role: 'admin', custom_role_id: null }]);
    expect((await author.call('GET', `/api/v1/projects/${projectId}`)).status).toBe(404);
    expect((await author.call('PATCH', `${TEMPLATES}/${id}`, { roles: [] })).status).toBe(200);
    expect(await rolesOf(projectId, test.as(victim.token))).toContain('harmless');

    // A member of the project cannot assign the role beyond its own rights.
    const member = await test.identity({
      projectId,
      rules: [{ subject: 'identity', action: ['read', 'create', 'edit'] }],
    });
    const friend = await test.identity();
    const add = (role: string) =>
      member.call('POST', `/api/v1/projects/${projectId}/memberships/identities/${friend.id}`, { role });
    expect((await add('harmless')).body).toMatchObject({ statusCode: 403, error: 'PermissionBoundaryError' });
    expect((await add('no-access')).status).toBe(200);
  });
});
