import { randomUUID } from 'node:crypto';
import { ListProjects, listProjects } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEveryQuery } from '../harness/every-query.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const published = (fields: object) => ({
  id: UUID,
  _id: UUID,
  name: expect.any(String),
  slug: expect.any(String),
  description: null,
  type: 'secret-manager',
  orgId: test.organizationId,
  autoCapitalization: false,
  pitVersionLimit: 10,
  offlineCacheMaxAge: 0,
  hasDeleteProtection: false,
  auditLogsRetentionDays: null,
  kmsCertificateKeyId: null,
  secretSharing: true,
  showSnapshotsLegacy: false,
  secretDetectionIgnoreValues: [],
  version: 3,
  upgradeStatus: null,
  createdAt: TIME,
  updatedAt: TIME,
  environments: [
    { id: UUID, name: 'Development', slug: 'dev' },
    { id: UUID, name: 'Staging', slug: 'staging' },
    { id: UUID, name: 'Production', slug: 'prod' },
  ],
  ...fields,
});

const eventsOf = (projectId: string) =>
  test.coffer.query<{ type: string; data: object }>(
    { name: 'test.events', text: 'select type, data from audit_events where project_id = $1 order by id' },
    [projectId],
  );

describe('creating a project', () => {
  it('is returned under both paths, and makes the caller its administrator', async () => {
    const slug = `p-${randomUUID().slice(0, 8)}`;
    const { status, body } = await test.admin('POST', '/api/v2/workspace', {
      projectName: '  Payments ',
      slug: slug.toUpperCase(),
      projectDescription: 'Money',
      hasDeleteProtection: true,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      project: published({ name: 'Payments', slug, description: 'Money', hasDeleteProtection: true }),
    });
    expect(body.project).toHaveProperty('_id', body.project.id);
    expect((await test.admin('DELETE', `/api/v1/projects/${body.project.id}`)).body.message).toMatch(
      /hasDeleteProtection/,
    );
    const other = await test.admin('POST', '/api/v1/projects', {
      projectName: 'Other',
      type: 'kms',
      template: 'default',
      shouldCreateDefaultEnvs: false,
      organizationSlug: 'ignored',
    });
    expect(other.body).toEqual({
      project: published({
        name: 'Other',
        slug: expect.stringMatching(/^other-[a-z0-9]{8}$/),
        type: 'kms',
        environments: [],
      }),
    });
    expect(await eventsOf(other.body.project.id)).toEqual([
      {
        type: 'project.created',
        data: { projectId: other.body.project.id, name: 'Other', slug: other.body.project.slug, type: 'kms' },
      },
    ]);
  });

  it('creates a valid slug from any name', async () => {
    for (const projectName of ['***', 'Ünïcödé Namé', 'x'.repeat(64), `${'y'.repeat(28)} z and more`]) {
      const { body } = await test.admin('POST', '/api/v2/workspace', { projectName });
      expect(body.project.slug).toMatch(/^(?=.{5,36}$)[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });

  it('rejects an existing slug of the organization, also concurrently, but not one of another organization', async () => {
    const slug = `p-${randomUUID().slice(0, 8)}`;
    const answers = await Promise.all(
      [1, 2, 3].map(() => test.admin('POST', '/api/v2/workspace', { projectName: 'Same', slug })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toMatchObject({
      error: 'BadRequest',
      message: 'A project with this slug already exists in the organization',
    });
    const foreign = await test.foreign();
    expect((await foreign.call('POST', '/api/v2/workspace', { projectName: 'Same', slug })).status).toBe(200);
  });

  it('needs one of the two permissions to create projects', async () => {
    const body = { projectName: 'Mine' };
    for (const subject of ['workspace', 'project']) {
      const { call } = await test.identity({ organizationRules: [{ subject, action: 'create' }] });
      const { status, body: answer } = await call('POST', '/api/v1/projects', body);
      expect(status).toBe(200);
      expect((await call('DELETE', `/api/v1/projects/${answer.project.id}`)).status).toBe(200);
    }
    expect(
      (await (await test.identity({ organizationRole: 'no-access' })).call('POST', '/api/v1/projects', body)).status,
    ).toBe(403);
    expect((await test.as()('POST', '/api/v2/workspace', body)).status).toBe(401);
  });

  it.each([
    [{}, 422],
    [{ projectName: ' ' }, 422],
    [{ projectName: 'x'.repeat(65) }, 422],
    [{ projectName: 'a', projectDescription: 'x'.repeat(1025) }, 422],
    [{ projectName: 'a', slug: 'abcd' }, 422],
    [{ projectName: 'a', slug: 'a'.repeat(37) }, 422],
    [{ projectName: 'a', slug: 'has space' }, 422],
    [{ projectName: 'a', slug: 'under_score' }, 422],
    [{ projectName: 'a', slug: 'double--hyphen' }, 422],
    [{ projectName: 'a', type: 'other' }, 422],
    [{ projectName: 'a', hasDeleteProtection: 'yes' }, 422],
    [{ projectName: 'nul\0' }, 422],
    [{ projectName: 'a', projectDescription: 'nul\0' }, 422],
    [{ projectName: 'a', template: 'none-such' }, 404],
    [{ projectName: 'a', kmsKeyId: randomUUID() }, 404],
  ])('refuses %j with %i', async (body, status) => {
    expect((await test.admin('POST', '/api/v2/workspace', body)).status).toBe(status);
  });
});

describe('reading projects', () => {
  it('returns one by ID and by slug, wrapped as each path does', async () => {
    const { id, slug } = await test.project();
    const project = published({ id, _id: id, name: slug, slug });
    expect((await test.admin('GET', `/api/v1/workspace/${id}`)).body).toEqual({ workspace: project });
    expect((await test.admin('GET', `/api/v1/projects/${id}`)).body).toEqual({ project });
    for (const url of [
      `/api/v1/projects/slug/${slug}`,
      `/api/v1/workspace/slug/${slug}`,
      `/api/v2/workspace/${slug}`,
    ]) {
      expect((await test.admin('GET', url)).body).toEqual(project);
    }
  });

  it('lists only projects of the caller, optionally by type', async () => {
    const [one, two] = [await test.project(), await test.project()];
    const { call, id: identityId } = await test.identity({ projectId: one.id, projectRole: 'no-access' });
    const listed = await call('GET', '/api/v1/workspace');
    expect(listed.body).toEqual({ workspaces: [published({ id: one.id, _id: one.id })] });
    expect((await call('GET', '/api/v1/projects?type=secret-manager')).body.projects).toHaveLength(1);
    expect((await call('GET', '/api/v1/projects?type=all')).body.projects).toHaveLength(1);
    expect((await call('GET', '/api/v1/projects?type=kms')).body).toEqual({ projects: [] });
    expect((await call('GET', '/api/v1/projects?type=other')).status).toBe(422);
    expect((await test.as()('GET', '/api/v1/projects')).status).toBe(401);
    // Over HTTP it is a 401 as soon as the server has forgotten the token of who has left.
    const actor = { ...test.adminIdentity.actor, id: identityId };
    const own = () => listProjects(test.coffer.contextFor(actor), ListProjects.parse({}));
    expect(await own()).toHaveLength(1);
    const all = (await test.admin('GET', '/api/v1/projects')).body.projects.map(
      (project: { id: string }) => project.id,
    );
    expect(all).toEqual(expect.arrayContaining([one.id, two.id]));
    await test.coffer.query(
      {
        name: 'test.leave',
        text: 'update memberships set is_active = false where identity_id = $1 and project_id is null',
      },
      [identityId],
    );
    expect(await own()).toEqual([]);
  });

  it('optionally adds the roles of each', async () => {
    const project = await test.project();
    const { call } = await test.identity({ projectId: project.id, rules: [{ subject: 'role', action: 'read' }] });
    const [listed] = (await call('GET', '/api/v1/projects?includeRoles=true')).body.projects;
    expect(listed.roles.map((role: { slug: string }) => role.slug)).toEqual(
      expect.arrayContaining(['admin', 'member', 'viewer', 'no-access']),
    );
    expect(listed.roles.at(-1)).toEqual({
      id: UUID,
      slug: expect.stringMatching(/^role-/),
      name: expect.any(String),
      description: null,
      createdAt: TIME,
      updatedAt: TIME,
      projectId: project.id,
    });
    const { call: other } = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'tags', action: 'read' }],
    });
    const [without] = (await other('GET', '/api/v1/projects?includeRoles=true')).body.projects;
    expect(without.roles).toEqual(listed.roles.filter(({ id }: { id: string }) => !/^[0-9a-f-]{36}$/.test(id)));
    expect((await call('GET', '/api/v1/projects?includeRoles=yes')).status).toBe(422);
    expect((await call('GET', '/api/v1/projects')).body.projects[0]).not.toHaveProperty('roles');
  });

  it('looks up no rights in projects without roles of their own to add roles', async () => {
    const { call } = await test.identity({ organizationRole: 'member' });
    for (let n = 0; n < 5; n++) await call('POST', '/api/v1/projects', { projectName: `Own ${n}` });
    let lookups = 0;
    onEveryQuery(test.coffer, () => ({ name }, send) => {
      if (name === 'access.grants_of_caller') lookups++;
      return send();
    });
    expect((await call('GET', '/api/v1/projects?includeRoles=true')).body.projects).toHaveLength(5);
    expect(lookups).toBe(0);
  });

  it('finds them by a part of the name, a page at a time', async () => {
    const { call } = await test.identity({ organizationRole: 'member' });
    for (const projectName of ['Zeta one', 'alpha ZETA', 'Beta 100%'])
      await call('POST', '/api/v1/projects', { projectName });
    const search = async (body: object) => (await call('POST', '/api/v1/workspace/search', body)).body;
    const names = (body: { projects: { name: string }[] }) => body.projects.map(({ name }) => name);
    expect(names(await search({ name: 'zeta' }))).toEqual(['alpha ZETA', 'Zeta one']);
    expect(names(await search({ orderDirection: 'desc', limit: 2, offset: 1 }))).toEqual(['Beta 100%', 'alpha ZETA']);
    expect(await search({ name: '%' })).toEqual({
      projects: [expect.objectContaining({ name: 'Beta 100%', isMember: true, orgId: test.organizationId })],
      totalCount: 1,
    });
    expect((await search({ limit: 1 })).totalCount).toBe(3);
    const newer = await call('POST', '/api/v1/projects/search', { name: 'zeta' });
    expect([newer.status, newer.body]).toEqual([200, await search({ name: 'zeta' })]);
    expect((await call('POST', '/api/v1/workspace/search', { limit: 101 })).status).toBe(422);
    expect((await call('POST', '/api/v1/workspace/search', { name: 'a\0' })).status).toBe(422);
    const others = (await test.admin('POST', '/api/v1/workspace/search', { name: 'zeta' })).body;
    expect(others.projects.map((project: { isMember: boolean }) => project.isMember)).toEqual([false, false]);
    const foreign = await test.foreign();
    expect((await foreign.call('POST', '/api/v1/workspace/search', {})).body).toEqual({ projects: [], totalCount: 0 });
  });
});

describe('changing a project', () => {
  it('updates the given fields, under every path', async () => {
    const { id, slug } = await test.project();
    const changed = await test.admin('PATCH', `/api/v1/projects/${id}`, {
      name: 'New',
      description: 'd',
      hasDeleteProtection: true,
      secretSharing: false,
      pitVersionLimit: 5,
      offlineCacheMaxAge: 3600,
      secretDetectionIgnoreValues: ['x'],
      showSnapshotsLegacy: true,
    });
    const settings = {
      name: 'New',
      slug,
      description: 'd',
      hasDeleteProtection: true,
      secretSharing: false,
      pitVersionLimit: 5,
      offlineCacheMaxAge: 3600,
      secretDetectionIgnoreValues: ['x'],
      showSnapshotsLegacy: true,
    };
    expect(changed.body).toEqual({ project: published(settings) });
    expect((await test.admin('PATCH', `/api/v1/workspace/${id}`, { description: null })).body).toEqual({
      workspace: published({ ...settings, description: null }),
    });
    expect(
      (await test.admin('PATCH', `/api/v2/workspace/${slug}`, { slug: 'not-this', name: 'Newer' })).body,
    ).toMatchObject({ name: 'Newer', slug });
    const named = await test.admin('POST', `/api/v1/workspace/${id}/name`, { name: 'Newest' });
    expect(named.body).toMatchObject({ message: expect.any(String), workspace: { name: 'Newest' } });
    const capitals = await test.admin('POST', `/api/v1/workspace/${id}/auto-capitalization`, {
      autoCapitalization: true,
    });
    expect(capitals.body.workspace.autoCapitalization).toBe(true);
    expect(
      (await test.admin('PUT', `/api/v1/workspace/${slug}/version-limit`, { pitVersionLimit: 100 })).body.workspace
        .pitVersionLimit,
    ).toBe(100);
    expect(
      (await test.admin('PUT', `/api/v1/workspace/${slug}/audit-logs-retention`, { auditLogsRetentionDays: 30 })).body
        .workspace.auditLogsRetentionDays,
    ).toBe(30);
    const moved = await test.admin('PATCH', `/api/v1/projects/${id}`, { slug: `${slug}_2` });
    expect(moved.body.project.slug).toBe(`${slug}_2`);
    expect((await test.admin('GET', `/api/v2/workspace/${slug}`)).status).toBe(404);
    expect((await eventsOf(id)).at(-1)).toEqual({
      type: 'project.updated',
      data: { projectId: id, name: 'Newest', slug: `${slug}_2`, changed: ['slug'] },
    });
  });

  it('restricts the limits to administrators, and the settings to callers who may edit them', async () => {
    const { id, slug } = await test.project();
    const { call: member } = await test.identity({ projectId: id, projectRole: 'member' });
    expect((await member('PATCH', `/api/v1/projects/${id}`, { name: 'By a member' })).status).toBe(200);
    expect((await member('PATCH', `/api/v1/projects/${id}`, { pitVersionLimit: 1 })).status).toBe(403);
    expect((await member('PATCH', `/api/v1/projects/${id}`, { offlineCacheMaxAge: 60 })).status).toBe(403);
    expect((await member('PUT', `/api/v1/workspace/${slug}/version-limit`, { pitVersionLimit: 1 })).status).toBe(403);
    expect(
      (await member('PUT', `/api/v1/workspace/${slug}/audit-logs-retention`, { auditLogsRetentionDays: 1 })).status,
    ).toBe(403);
    expect((await member('DELETE', `/api/v1/projects/${id}`)).status).toBe(403);
    const { call: viewer } = await test.identity({ projectId: id, projectRole: 'viewer' });
    expect((await viewer('PATCH', `/api/v1/workspace/${id}`, { name: 'x' })).body).toMatchObject({
      statusCode: 403,
      error: 'PermissionDenied',
    });
    expect((await viewer('PATCH', `/api/v2/workspace/${slug}`, { name: 'x' })).status).toBe(403);
    expect((await viewer('POST', `/api/v1/workspace/${id}/name`, { name: 'x' })).status).toBe(403);
    expect(
      (await viewer('POST', `/api/v1/workspace/${id}/auto-capitalization`, { autoCapitalization: true })).status,
    ).toBe(403);
    expect((await test.admin('GET', `/api/v1/projects/${id}`)).body.project).toMatchObject({
      name: 'By a member',
      pitVersionLimit: 10,
    });
  });

  it('refuses the slug of another project', async () => {
    const [one, two] = [await test.project(), await test.project()];
    const { status, body } = await test.admin('PATCH', `/api/v1/projects/${one.id}`, { slug: two.slug });
    expect([status, body.message]).toEqual([400, 'A project with this slug already exists in the organization']);
  });

  it.each([
    ['PATCH', '', { name: '' }],
    ['PATCH', '', { slug: 'Upper Case' }],
    ['PATCH', '', { pitVersionLimit: 0 }],
    ['PATCH', '', { pitVersionLimit: 101 }],
    ['PATCH', '', { offlineCacheMaxAge: -1 }],
    ['PATCH', '', { offlineCacheMaxAge: 2_592_001 }],
    ['PATCH', '', { description: 'x'.repeat(1025) }],
    ['POST', '/name', {}],
    ['POST', '/auto-capitalization', { autoCapitalization: 'true' }],
  ] as const)('%s %s refuses %j', async (method, path, body) => {
    const { id } = await test.project();
    expect((await test.admin(method, `/api/v1/workspace/${id}${path}`, body)).status).toBe(422);
  });
});

describe('deleting a project', () => {
  it('deletes everything in it immediately: members, custom roles, environments, keys and cached rights', async () => {
    const { id, slug } = await test.project();
    const { call } = await test.identity({ projectId: id, rules: [{ subject: 'tags', action: ['read', 'create'] }] });
    expect((await call('GET', `/api/v1/workspace/${id}/tags`)).status).toBe(200);
    await test.admin('POST', '/api/v1/folders', { workspaceId: id, environment: 'dev', name: 'a', path: '/b/c' });
    await test.admin('POST', '/api/v3/secrets/raw/KEY', {
      workspaceId: id,
      environment: 'dev',
      secretPath: '/b/c/a',
      secretValue: 'v',
    });
    const { status, body } = await test.admin('DELETE', `/api/v2/workspace/${slug}`);
    expect([status, body]).toEqual([200, published({ id, _id: id, name: slug, slug })]);
    expect((await call('GET', `/api/v1/workspace/${id}/tags`)).status).toBe(404);
    expect((await call('GET', '/api/v1/workspace')).body).toEqual({ workspaces: [] });
    for (const table of [
      'environments',
      'folders',
      'memberships',
      'roles',
      'data_keys',
      'secrets',
      'secret_versions',
    ]) {
      const text = `select count(*)::int as n from ${table} where project_id = $1`;
      expect(await test.coffer.query({ name: `test.count_${table}`, text }, [id])).toEqual([{ n: 0 }]);
    }
    expect((await eventsOf(id)).at(-1)).toEqual({ type: 'project.deleted', data: { projectId: id, name: slug, slug } });
    expect(
      (await test.admin('POST', '/api/v2/workspace', { projectName: 'Again', slug: slug.slice(0, 36) })).status,
    ).toBe(200);
  });

  it('is rejected while the project is protected, and happens once for concurrent requests', async () => {
    const { id } = await test.project();
    await test.admin('PATCH', `/api/v1/projects/${id}`, { hasDeleteProtection: true });
    expect((await test.admin('DELETE', `/api/v1/workspace/${id}`)).status).toBe(400);
    await test.admin('PATCH', `/api/v1/projects/${id}`, { hasDeleteProtection: false });
    const answers = await Promise.all([1, 2].map(() => test.admin('DELETE', `/api/v1/workspace/${id}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  });
});

describe('projects of others', () => {
  it('are unknown to other organizations and to members of other projects', async () => {
    const { id, slug } = await test.project();
    const elsewhere = await test.project();
    const callers = [
      (await test.foreign()).call,
      (await test.identity({ organizationRole: 'admin', projectId: elsewhere.id, projectRole: 'admin' })).call,
    ];
    const requests: [
      method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
      url: (project: string) => string,
      by: 'id' | 'slug',
      body?: object,
    ][] = [
      ['GET', (p) => `/api/v1/workspace/${p}`, 'id'],
      ['GET', (p) => `/api/v1/projects/${p}`, 'id'],
      ['GET', (p) => `/api/v1/projects/slug/${p}`, 'slug'],
      ['GET', (p) => `/api/v1/workspace/slug/${p}`, 'slug'],
      ['GET', (p) => `/api/v2/workspace/${p}`, 'slug'],
      ['PATCH', (p) => `/api/v1/workspace/${p}`, 'id', { name: 'x' }],
      ['PATCH', (p) => `/api/v1/projects/${p}`, 'id', { name: 'x' }],
      ['PATCH', (p) => `/api/v2/workspace/${p}`, 'slug', { name: 'x' }],
      ['POST', (p) => `/api/v1/workspace/${p}/name`, 'id', { name: 'x' }],
      ['POST', (p) => `/api/v1/workspace/${p}/auto-capitalization`, 'id', { autoCapitalization: true }],
      ['PUT', (p) => `/api/v1/workspace/${p}/version-limit`, 'slug', { pitVersionLimit: 3 }],
      ['PUT', (p) => `/api/v1/workspace/${p}/audit-logs-retention`, 'slug', { auditLogsRetentionDays: 3 }],
      ['DELETE', (p) => `/api/v1/workspace/${p}`, 'id'],
      ['DELETE', (p) => `/api/v1/projects/${p}`, 'id'],
      ['DELETE', (p) => `/api/v2/workspace/${p}`, 'slug'],
    ];
    const facts = ({ status, body: { reqId: _, ...body } }: { status: number; body: Record<string, unknown> }) => ({
      status,
      body,
    });
    for (const call of callers) {
      for (const [method, url, by, body] of requests) {
        const there = await call(method, url(by === 'id' ? id : slug), body);
        expect(there.status).toBe(404);
        for (const unknown of by === 'id' ? [randomUUID(), 'no-uuid', '%00'] : ['none-such', '%00', 'x'.repeat(200)]) {
          expect(facts(await call(method, url(unknown), body))).toEqual(facts(there));
        }
      }
      expect(
        (await call('GET', '/api/v1/workspace')).body.workspaces.map((project: { id: string }) => project.id),
      ).not.toContain(id);
    }
    expect((await test.as()('GET', `/api/v1/projects/${id}`)).status).toBe(401);
    expect((await test.admin('GET', `/api/v1/projects/${id}`)).body.project).toMatchObject({
      name: slug,
      pitVersionLimit: 10,
    });
  });
});
