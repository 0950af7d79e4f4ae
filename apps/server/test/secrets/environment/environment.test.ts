import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const environmentsOf = async (projectId: string): Promise<{ id: string; slug: string }[]> =>
  (await test.admin('GET', `/api/v1/workspace/${projectId}`)).body.workspace.environments;
const slugsOf = async (projectId: string) => (await environmentsOf(projectId)).map(({ slug }) => slug);
const idOf = async (projectId: string, slug: string) =>
  (await environmentsOf(projectId)).find((one) => one.slug === slug)!.id;
const positionsOf = (projectId: string) =>
  test.coffer.query<{ slug: string; position: number }>(
    { name: 'test.positions', text: 'select slug, position from environments where project_id = $1 order by position' },
    [projectId],
  );
const setSecret = (projectId: string, environment: string, name: string, secretValue: string, secretPath = '/') =>
  test.admin('POST', `/api/v3/secrets/raw/${name}`, { workspaceId: projectId, environment, secretPath, secretValue });

describe('creating an environment', () => {
  it('puts it last, or at a position, moving the others', async () => {
    const { id: projectId } = await test.project();
    const url = `/api/v1/workspace/${projectId}/environments`;
    const { status, body } = await test.admin('POST', url, { name: ' Quality ', slug: 'QA', workspaceId: 'ignored' });
    expect(status).toBe(200);
    expect(body).toEqual({
      message: 'Successfully created new environment',
      workspace: projectId,
      environment: { id: UUID, name: 'Quality', slug: 'qa', position: 4, projectId, createdAt: TIME, updatedAt: TIME },
    });
    const second = await test.admin('POST', `/api/v1/projects/${projectId}/environments`, {
      name: 'Second',
      slug: 'second',
      position: 2,
    });
    expect(second.body.environment.position).toBe(2);
    expect((await test.admin('POST', url, { name: 'Far', slug: 'far', position: 99 })).body.environment.position).toBe(
      6,
    );
    expect(await slugsOf(projectId)).toEqual(['dev', 'second', 'staging', 'prod', 'qa', 'far']);
    expect((await test.admin('GET', `/api/v1/folders?workspaceId=${projectId}&environment=qa`)).body).toEqual({
      folders: [],
    });
  });

  it('refuses a slug that the project has', async () => {
    const { id: projectId } = await test.project();
    const { status, body } = await test.admin('POST', `/api/v1/workspace/${projectId}/environments`, {
      name: 'x',
      slug: 'dev',
    });
    expect([status, body.message]).toEqual([400, 'An environment with this slug already exists in the project']);
    expect(await slugsOf(projectId)).toEqual(['dev', 'staging', 'prod']);
  });

  it.each([
    { name: '', slug: 'x' },
    { slug: 'x' },
    { name: 'x' },
    { name: 'x', slug: 'has space' },
    { name: 'x', slug: '-x' },
    { name: 'x', slug: 'x_y' },
    { name: 'x', slug: 'x'.repeat(65) },
    { name: 'x', slug: 'x', position: 0 },
    { name: 'x', slug: 'x', position: 1.5 },
    { name: 'x', slug: 'x', position: 1e12 },
  ])('refuses %j', async (body) => {
    const { id: projectId } = await test.project();
    expect((await test.admin('POST', `/api/v1/workspace/${projectId}/environments`, body)).status).toBe(422);
  });

  it('keeps positions distinct and without gaps under parallel changes', async () => {
    const { id: projectId } = await test.project();
    const url = `/api/v1/workspace/${projectId}/environments`;
    const staging = await idOf(projectId, 'staging');
    const prod = await idOf(projectId, 'prod');
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) =>
        test.admin('POST', url, { name: 'x', slug: `e${n}`, position: 1 + (n % 3) }),
      ),
      ...Array.from({ length: 4 }, (_, n) => test.admin('PATCH', `${url}/${staging}`, { position: 1 + n })),
      test.admin('DELETE', `${url}/${prod}`),
      test.admin('POST', url, { name: 'x', slug: 'same' }),
      test.admin('POST', url, { name: 'x', slug: 'same' }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([400]);
    const positions = await positionsOf(projectId);
    expect(positions.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(positions.map(({ slug }) => slug).toSorted()).toEqual([
      'dev',
      'e0',
      'e1',
      'e2',
      'e3',
      'e4',
      'e5',
      'same',
      'staging',
    ]);
  });
});

describe('reading an environment', () => {
  it('finds it by its id, with the project and without', async () => {
    const { id: projectId } = await test.project();
    const id = await idOf(projectId, 'staging');
    const environment = {
      id,
      name: 'Staging',
      slug: 'staging',
      position: 2,
      projectId,
      createdAt: TIME,
      updatedAt: TIME,
    };
    for (const url of [
      `/api/v1/workspace/environments/${id}`,
      `/api/v1/workspace/${projectId}/environments/${id}`,
      `/api/v1/projects/${projectId}/environments/${id}`,
    ]) {
      expect((await test.admin('GET', url)).body).toEqual({ environment });
    }
    const other = await test.project();
    expect((await test.admin('GET', `/api/v1/workspace/${other.id}/environments/${id}`)).status).toBe(404);
  });
});

describe('changing an environment', () => {
  it('updates the given fields and moves the others', async () => {
    const { id: projectId } = await test.project();
    const prod = await idOf(projectId, 'prod');
    const url = `/api/v1/workspace/${projectId}/environments/${prod}`;
    const { body } = await test.admin('PATCH', url, { position: 1 });
    expect(body).toMatchObject({
      message: 'Successfully updated environment',
      workspace: projectId,
      environment: { id: prod, name: 'Production', slug: 'prod', position: 1 },
    });
    expect(await slugsOf(projectId)).toEqual(['prod', 'dev', 'staging']);
    expect((await test.admin('PATCH', url, { position: 2, name: 'Live' })).body.environment).toMatchObject({
      name: 'Live',
      position: 2,
    });
    expect(await slugsOf(projectId)).toEqual(['dev', 'prod', 'staging']);
    expect((await test.admin('PATCH', url, { position: 0, slug: 'live' })).body.environment).toMatchObject({
      name: 'Live',
      slug: 'live',
      position: 2,
    });
    expect((await test.admin('PATCH', url, { slug: 'dev' })).status).toBe(400);
    expect((await test.admin('PATCH', url, {})).body.environment.slug).toBe('live');
    expect((await positionsOf(projectId)).map(({ position }) => position)).toEqual([1, 2, 3]);
  });

  it('updates references to its secrets to the new slug', async () => {
    const { id: projectId } = await test.project();
    await setSecret(projectId, 'dev', 'HOST', 'localhost');
    await setSecret(projectId, 'prod', 'URL', 'http://${dev.HOST}');
    await test.admin('PATCH', `/api/v1/workspace/${projectId}/environments/${await idOf(projectId, 'dev')}`, {
      slug: 'local',
    });
    const read = (expand: boolean) =>
      test.admin(
        'GET',
        `/api/v3/secrets/raw/URL?workspaceId=${projectId}&environment=prod&expandSecretReferences=${expand}`,
      );
    expect((await read(true)).body.secret.secretValue).toBe('http://localhost');
    expect((await read(false)).body.secret.secretValue).toBe('http://${local.HOST}');
    expect(
      (await test.admin('GET', `/api/v3/secrets/raw/HOST?workspaceId=${projectId}&environment=local`)).body.secret
        .secretValue,
    ).toBe('localhost');
  });

  it('gives no rights that the caller lacks: rules use slugs', async () => {
    const { id: projectId } = await test.project();
    const { call } = await test.identity({
      projectId,
      rules: [
        { subject: 'environments', action: ['read', 'edit', 'delete'] },
        { subject: 'secrets', action: ['readValue'], conditions: { environment: 'mine' } },
        { subject: 'secrets', action: ['describeSecret'] },
        { subject: 'secrets', action: ['describeSecret'], conditions: { environment: 'dev' }, inverted: true },
      ],
    });
    const rename = async (from: string, to: string) =>
      (await call('PATCH', `/api/v1/workspace/${projectId}/environments/${await idOf(projectId, from)}`, { slug: to }))
        .status;
    expect(await rename('prod', 'mine')).toBe(403);
    expect(await rename('dev', 'seen')).toBe(403);
    expect(await rename('prod', 'other')).toBe(200);
    expect(await slugsOf(projectId)).toEqual(['dev', 'staging', 'other']);
  });
});

describe('deleting an environment', () => {
  it('deletes its folders, secrets and the imports from it, and closes the gap', async () => {
    const { id: projectId } = await test.project();
    await test.admin('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'dev', name: 'a' });
    await setSecret(projectId, 'dev', 'KEY', 'v', '/a');
    const imported = await test.admin('POST', '/api/v1/secret-imports', {
      workspaceId: projectId,
      environment: 'prod',
      path: '/',
      import: { environment: 'dev', path: '/a' },
    });
    expect(imported.status).toBe(200);
    const dev = await idOf(projectId, 'dev');
    const { status, body } = await test.admin('DELETE', `/api/v1/workspace/${projectId}/environments/${dev}`, {
      id: dev,
      workspaceId: projectId,
    });
    expect([status, body]).toEqual([
      200,
      {
        message: 'Successfully deleted environment',
        workspace: projectId,
        environment: {
          id: dev,
          name: 'Development',
          slug: 'dev',
          position: 1,
          projectId,
          createdAt: TIME,
          updatedAt: TIME,
        },
      },
    ]);
    expect(await positionsOf(projectId)).toEqual([
      { slug: 'staging', position: 1 },
      { slug: 'prod', position: 2 },
    ]);
    expect(
      (await test.admin('GET', `/api/v1/secret-imports?workspaceId=${projectId}&environment=prod&path=/`)).body
        .secretImports,
    ).toEqual([]);
    for (const table of ['folders', 'secrets']) {
      const rows = await test.coffer.query<{ n: number }>(
        { name: `test.left_${table}`, text: `select count(*)::int as n from ${table} where project_id = $1` },
        [projectId],
      );
      expect(rows[0]!.n).toBe(table === 'folders' ? 2 : 0);
    }
    expect((await test.admin('DELETE', `/api/v1/workspace/${projectId}/environments/${dev}`)).status).toBe(404);
  });

  it('is refused to whom a rule forbids to delete something in it', async () => {
    const { id: projectId } = await test.project();
    await test.admin('POST', '/api/v1/folders', { workspaceId: projectId, environment: 'prod', name: 'kept' });
    const { call } = await test.identity({
      projectId,
      rules: [
        { subject: 'environments', action: ['delete'] },
        {
          subject: 'secrets',
          action: ['delete'],
          conditions: { environment: 'prod', secretPath: '/kept' },
          inverted: true,
        },
      ],
    });
    const remove = async (slug: string) =>
      (await call('DELETE', `/api/v1/workspace/${projectId}/environments/${await idOf(projectId, slug)}`)).status;
    expect(await remove('prod')).toBe(403);
    expect(await remove('dev')).toBe(200);
    expect(await slugsOf(projectId)).toEqual(['staging', 'prod']);
  });

  it('and adding a folder to it concurrently end with both or neither', async () => {
    const { id: projectId } = await test.project();
    const dev = await idOf(projectId, 'dev');
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, (_, n) =>
        test.admin('POST', '/api/v1/folders', {
          workspaceId: projectId,
          environment: 'dev',
          path: `/a${n}`,
          name: 'b',
        }),
      ),
      test.admin('DELETE', `/api/v1/workspace/${projectId}/environments/${dev}`),
      ...Array.from({ length: 5 }, (_, n) => setSecret(projectId, 'dev', `K${n}`, 'v')),
    ]);
    for (const { status } of answers) expect([200, 404]).toContain(status);
    expect(answers[5]!.status).toBe(200);
    const left = await test.coffer.query(
      { name: 'test.orphans', text: 'select 1 from folders where environment_id = $1' },
      [dev],
    );
    expect(left).toEqual([]);
  });
});

describe('environments', () => {
  it('need the right for each operation', async () => {
    const { id: projectId } = await test.project();
    const url = `/api/v1/workspace/${projectId}/environments`;
    const dev = await idOf(projectId, 'dev');
    const requests = {
      read: ['GET', `${url}/${dev}`],
      create: ['POST', url, { name: 'x', slug: 'x' }],
      edit: ['PATCH', `${url}/${dev}`, { name: 'y' }],
      delete: ['DELETE', `${url}/${dev}`],
    } as const;
    for (const allowed of Object.keys(requests)) {
      const { call } = await test.identity({ projectId, rules: [{ subject: 'environments', action: allowed }] });
      for (const [action, [method, path, body]] of Object.entries(requests).filter(([one]) => one !== allowed)) {
        expect([action, (await call(method, path, body)).status]).toEqual([action, 403]);
      }
      const byId = await call('GET', `/api/v1/workspace/environments/${dev}`);
      expect(byId.status).toBe(allowed === 'read' ? 200 : 403);
    }
    for (const [method, path, body] of Object.values(requests))
      expect((await test.as()(method, path, body)).status).toBe(401);
    expect(await slugsOf(projectId)).toEqual(['dev', 'staging', 'prod']);
  });

  it('of others are unknown', async () => {
    const { id: projectId } = await test.project();
    const own = await test.project();
    const dev = await idOf(projectId, 'dev');
    const facts = ({ status, body: { reqId: _, ...body } }: { status: number; body: Record<string, unknown> }) => ({
      status,
      body,
    });
    const outsider = await test.identity({ organizationRole: 'admin', projectId: own.id, projectRole: 'admin' });
    for (const call of [(await test.foreign()).call, outsider.call]) {
      const unknown = facts(await call('GET', `/api/v1/workspace/environments/${randomUUID()}`));
      expect(unknown.status).toBe(404);
      for (const id of [dev, 'no-uuid', '%00', dev.toUpperCase()])
        expect(facts(await call('GET', `/api/v1/workspace/environments/${id}`))).toEqual(unknown);
      for (const [method, path, body] of [
        ['GET', `/${dev}`],
        ['PATCH', `/${dev}`, { name: 'x' }],
        ['DELETE', `/${dev}`],
        ['POST', '', { name: 'x', slug: 'x' }],
      ] as const) {
        const there = facts(await call(method, `/api/v1/workspace/${projectId}/environments${path}`, body));
        expect(there.status).toBe(404);
        expect(facts(await call(method, `/api/v1/workspace/${randomUUID()}/environments${path}`, body))).toEqual(there);
      }
    }
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const { status } = await outsider.call(
        method,
        `/api/v1/workspace/${own.id}/environments/${dev}`,
        method === 'PATCH' ? { slug: 'x' } : undefined,
      );
      expect(status).toBe(404);
    }
    expect(await slugsOf(projectId)).toEqual(['dev', 'staging', 'prod']);
  });
});
