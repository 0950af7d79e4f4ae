import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../harness/certificates.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const DAY = 86_400_000;

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** A project whose environment `dev` has something of everything that is restored. */
async function furnished() {
  const { admin } = test;
  const { id: projectId } = await test.project();
  const here = { projectId, environment: 'dev' };
  const environments = (await admin('GET', `/api/v1/projects/${projectId}`)).body.project.environments as {
    id: string;
    slug: string;
  }[];
  const idOf = (slug: string) => environments.find((one) => one.slug === slug)!.id;
  await admin('POST', '/api/v2/folders', { ...here, name: 'app', path: '/' });
  await admin('POST', '/api/v4/secrets/A', { ...here, secretValue: 'first', secretComment: 'why' });
  await admin('PATCH', '/api/v4/secrets/A', { ...here, secretValue: 'second' });
  await admin('POST', '/api/v4/secrets/B', { ...here, secretPath: '/app', secretValue: 'below' });
  const into = { ...here, path: '/app', import: { environment: 'prod', path: '/' } };
  await admin('POST', '/api/v2/secret-imports', into);
  const from = { projectId, environment: 'staging', path: '/', import: { environment: 'dev', path: '/app' } };
  await admin('POST', '/api/v2/secret-imports', from);
  const path = `/api/v1/projects/${projectId}/environments`;
  return { projectId, here, id: idOf('dev'), idOf, path };
}

const valueOf = async (projectId: string, name: string, secretPath = '/', environment = 'dev') => {
  const query = new URLSearchParams({ projectId, environment, secretPath }).toString();
  const { status, body } = await test.admin('GET', `/api/v4/secrets/${name}?${query}`);
  return status === 200 ? body.secret.secretValue : status;
};

const importsOf = async (projectId: string, environment: string, path: string) => {
  const query = new URLSearchParams({ projectId, environment, path }).toString();
  const { body } = await test.admin('GET', `/api/v2/secret-imports?${query}`);
  return body.secretImports.map((one: { importEnv: { slug: string }; importPath: string }) => [
    one.importEnv.slug,
    one.importPath,
  ]);
};

describe('a deleted environment', () => {
  it('is restored under its id with its folders, secrets and imports, and the imports from it', async () => {
    const { projectId, id, path } = await furnished();
    expect((await test.admin('DELETE', `${path}/${id}`)).status).toBe(200);
    expect(await valueOf(projectId, 'A')).toBe(404);

    const restored = await test.admin('POST', `${path}/${id}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { environment: { id, slug: 'dev', position: 3 } } });
    expect(await valueOf(projectId, 'A')).toBe('second');
    expect(await valueOf(projectId, 'B', '/app')).toBe('below');
    expect(await importsOf(projectId, 'dev', '/app')).toEqual([['prod', '/']]);
    expect(await importsOf(projectId, 'staging', '/')).toEqual([['dev', '/app']]);
  });

  it.each([
    ['dev, prod', 'dev, prod'],
    ['dev, prod', 'prod, dev'],
    ['prod, dev', 'dev, prod'],
    ['prod, dev', 'prod, dev'],
  ])(
    'gets its imports back from another one, deleted in the order %s, restored in the order %s',
    async (gone, back) => {
      const { projectId, idOf, path } = await furnished();
      for (const slug of gone.split(', '))
        expect((await test.admin('DELETE', `${path}/${idOf(slug)}`)).status).toBe(200);
      for (const slug of back.split(', '))
        expect((await test.admin('POST', `${path}/${idOf(slug)}/restore`)).status).toBe(200);
      expect(await importsOf(projectId, 'dev', '/app')).toEqual([['prod', '/']]);
      expect(await importsOf(projectId, 'staging', '/')).toEqual([['dev', '/app']]);
    },
  );

  describe('gets its imports back where they were among others', () => {
    type Furnished = Awaited<ReturnType<typeof ordered>>;
    /** A folder with imports from these, of `dev`, `prod` and `qa`, with a secret in each. */
    async function ordered(...sources: readonly string[]) {
      const { projectId, path, idOf } = await furnished();
      const { environment } = ok(await test.admin('POST', path, { name: 'QA', slug: 'qa' }));
      const ids = new Map([['qa', environment.id], ...['dev', 'prod'].map((slug) => [slug, idOf(slug)] as const)]);
      const here = { projectId, environment: 'staging' };
      ok(await test.admin('POST', '/api/v2/folders', { ...here, path: '/', name: 'merged' }));
      const add = async (source: string, more: object = {}) => {
        const [slug, name] = source.split('/') as [string, string];
        const from = { projectId, environment: slug };
        ok(await test.admin('POST', '/api/v2/folders', { ...from, path: '/', name }));
        ok(await test.admin('POST', '/api/v4/secrets/K', { ...from, secretPath: `/${name}`, secretValue: source }));
        const wanted = { ...here, path: '/merged', import: { environment: slug, path: `/${name}` }, ...more };
        return ok(await test.admin('POST', '/api/v2/secret-imports', wanted)).secretImport.id as string;
      };
      for (const source of sources) await add(source);
      const url = (slug: string) => `${path}/${ids.get(slug)}`;
      return {
        ...{ here, add },
        remove: async (slug: string) => ok(await test.admin('DELETE', url(slug))),
        restore: async (slug: string) => ok(await test.admin('POST', `${url(slug)}/restore`)),
        order: async () => (await importsOf(projectId, 'staging', '/merged')).map((one: string[]) => one.join('')),
        move: async (id: string, position: number) =>
          ok(
            await test.admin('PATCH', `/api/v2/secret-imports/${id}`, {
              ...here,
              path: '/merged',
              import: { position },
            }),
          ),
        drop: async (id: string) =>
          ok(await test.admin('DELETE', `/api/v2/secret-imports/${id}`, { ...here, path: '/merged' })),
        value: async () => {
          const query = new URLSearchParams({ ...here, secretPath: '/merged', includeImports: 'true' }).toString();
          return ok(await test.admin('GET', `/api/v4/secrets/K?${query}`)).secret.secretValue as string;
        },
      };
    }
    const cases: [
      what: string,
      before: string[],
      meanwhile: (world: Furnished) => Promise<unknown>,
      after: string[],
    ][] = [
      ['before the others', ['dev/a', 'prod/a'], async () => undefined, ['dev/a', 'prod/a']],
      ['behind them', ['prod/a', 'dev/a'], async () => undefined, ['prod/a', 'dev/a']],
      [
        'between them',
        ['dev/a', 'prod/a', 'dev/b', 'qa/a', 'dev/c', 'dev/d'],
        async () => undefined,
        ['dev/a', 'prod/a', 'dev/b', 'qa/a', 'dev/c', 'dev/d'],
      ],
      ['before what was added since', ['prod/a', 'dev/a'], ({ add }) => add('prod/b'), ['prod/a', 'dev/a', 'prod/b']],
      ['before all that was added since', ['dev/a'], ({ add }) => add('prod/b'), ['dev/a', 'prod/b']],
      [
        'before what was added and moved to another place',
        ['prod/a', 'dev/a', 'qa/a'],
        async ({ add, move }) => move(await add('prod/b'), 1),
        ['prod/b', 'prod/a', 'dev/a', 'qa/a'],
      ],
      [
        'before what followed, where others were deleted',
        ['prod/a', 'dev/a', 'prod/b', 'qa/a'],
        async ({ add, drop }) => drop(await add('qa/b')),
        ['prod/a', 'dev/a', 'prod/b', 'qa/a'],
      ],
      [
        'and a replication keeps what it makes',
        ['prod/a', 'dev/a'],
        async ({ add, move }) => move(await add('qa/a', { isReplication: true }), 1),
        ['qa/a', 'prod/a', 'dev/a'],
      ],
      [
        'with those of another environment that is restored later',
        ['prod/a', 'dev/a', 'qa/a', 'dev/b'],
        async ({ remove }) => remove('qa'),
        ['prod/a', 'dev/a', 'dev/b'],
      ],
    ];
    it.each(cases)('%s', async (_what, before, meanwhile, after) => {
      const world = await ordered(...before);
      expect(await world.order()).toEqual(before);
      await world.remove('dev');
      await meanwhile(world);
      const isLast = after.at(-1)!.startsWith('dev');
      const value = await world.value();
      await world.restore('dev');
      expect(await world.order()).toEqual(after);
      expect(isLast ? value : await world.value()).toBe(value);
    });

    it.each([
      ['dev', 'qa'],
      ['qa', 'dev'],
    ] as const)('of two environments, the first of which is %s', async (first, second) => {
      const before = ['prod/a', 'dev/a', 'qa/a', 'dev/b', 'prod/b', 'qa/b'];
      const world = await ordered(...before);
      await world.remove('dev');
      await world.remove('qa');
      await world.restore(first);
      await world.restore(second);
      expect(await world.order()).toEqual(before);
    });
  });

  it('imports from what it imported, under the name that this has now, and not from what has its former name', async () => {
    const { projectId, id, path, here } = await furnished();
    const { admin } = test;
    const prod = { ...here, environment: 'prod', path: '/' };
    const { folder } = (await admin('POST', '/api/v2/folders', { ...prod, name: 'shared' })).body;
    await admin('POST', '/api/v2/secret-imports', {
      ...here,
      path: '/',
      import: { environment: 'prod', path: '/shared' },
    });
    await admin('DELETE', `${path}/${id}`);
    await admin('PATCH', `/api/v2/folders/${folder.id}`, { ...prod, name: 'common' });
    await admin('POST', '/api/v2/folders', { ...prod, name: 'shared' });
    expect((await admin('POST', `${path}/${id}/restore`)).status).toBe(200);
    expect(await importsOf(projectId, 'dev', '/')).toEqual([['prod', '/common']]);
  });

  it('returns their personal values to users, and not those that were deleted before or of users who are gone', async () => {
    const { projectId, here, id, path } = await furnished();
    const { organizationId } = test;
    const people = [];
    for (const name of ['ann', 'bob', 'carl']) {
      const { email, token, id: userId } = await makeUser(test.coffer, { organizationId });
      const add = { usernames: [email], emails: [], roleSlugs: ['member'] };
      expect((await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, add)).status).toBe(200);
      people.push({ name, userId, call: test.as(token) });
    }
    const [ann, bob, carl] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
    const write = async ({ call, name }: typeof ann, key: string, secretPath: string) => {
      const body = { ...here, secretPath, type: 'personal', secretValue: `of ${name}` };
      expect((await call('POST', `/api/v4/secrets/${key}`, body)).status).toBe(200);
    };
    for (const person of people) await write(person, 'B', '/app');
    await write(ann, 'A', '/');
    await write(bob, 'A', '/');
    const own = { ...here, secretPath: '/', type: 'personal' };
    expect((await bob.call('DELETE', '/api/v4/secrets/A', own)).status).toBe(200);

    const seen = async ({ call }: typeof ann, key: string, secretPath: string) => {
      const query = new URLSearchParams({ ...here, secretPath, type: 'personal' }).toString();
      const { status, body } = await call('GET', `/api/v4/secrets/${key}?${query}`);
      return status === 200 ? body.secret.secretValue : status;
    };
    for (let round = 0; round < 2; round++) {
      expect((await test.admin('DELETE', `${path}/${id}`)).status).toBe(200);
      if (round === 0) await test.coffer.pool.query('delete from users where id = $1', [carl.userId]);
      const restored = await test.admin('POST', `${path}/${id}/restore`);
      expect([restored.status, JSON.stringify(restored.body)]).toEqual([200, expect.not.stringContaining('of ann')]);
      expect(await seen(ann, 'A', '/')).toBe('of ann');
      expect(await seen(ann, 'B', '/app')).toBe('of ann');
      expect(await seen(bob, 'B', '/app')).toBe('of bob');
      expect(await seen(bob, 'A', '/')).toBe(404);
      const { rows } = await test.coffer.pool.query('select 1 from secrets where user_id = $1', [carl.userId]);
      expect(rows).toEqual([]);
      // Shared ones are as they were, for those who have none of their own.
      expect([await valueOf(projectId, 'A'), await valueOf(projectId, 'B', '/app')]).toEqual(['second', 'below']);
    }
    expect((await bob.call('DELETE', '/api/v4/secrets/B', { ...own, secretPath: '/app' })).status).toBe(200);
    expect(await seen(bob, 'B', '/app')).toBe(404);
  });

  it('can be deleted and restored again, also with changes in between', async () => {
    const { projectId, id, path, here } = await furnished();
    for (const value of ['third', 'fourth']) {
      await test.admin('DELETE', `${path}/${id}`);
      expect((await test.admin('POST', `${path}/${id}/restore`)).status).toBe(200);
      await test.admin('PATCH', '/api/v4/secrets/A', { ...here, secretValue: value });
      await test.admin('PATCH', '/api/v4/secrets/B', { ...here, secretPath: '/app', secretValue: value });
    }
    await test.admin('DELETE', `${path}/${id}`);
    await test.admin('POST', `${path}/${id}/restore`);
    expect([await valueOf(projectId, 'A'), await valueOf(projectId, 'B', '/app')]).toEqual(['fourth', 'fourth']);
  });

  it('is listed until it is restored or for 30 days, and cannot be restored after that', async () => {
    const { id, idOf, path } = await furnished();
    await test.admin('DELETE', `${path}/${id}`);
    await test.admin('DELETE', `${path}/${idOf('prod')}`);
    const listed = async () =>
      (await test.admin('GET', `${path}/deleted`)).body.environments.map((one: { slug: string }) => one.slug);
    expect(await listed()).toEqual(['prod', 'dev']);
    expect((await test.admin('POST', `${path}/${id}/restore`)).status).toBe(200);
    expect(await listed()).toEqual(['prod']);
    test.advance(30 * DAY);
    expect(await listed()).toEqual([]);
    expect((await test.admin('POST', `${path}/${idOf('prod')}/restore`)).status).toBe(404);
  });

  it('stays deleted while its slug is used, or if the caller may not create its contents', async () => {
    const { projectId, id, path } = await furnished();
    await test.admin('DELETE', `${path}/${id}`);
    const weak = await test.identity({
      projectId,
      rules: [
        { subject: 'environments', action: ['create', 'read', 'delete'] },
        { subject: 'commits', action: ['read', 'perform-rollback'] },
      ],
    });
    expect((await weak.call('POST', `${path}/${id}/restore`)).status).toBe(403);
    const stranger = await test.foreign();
    expect((await stranger.call('POST', `${path}/${id}/restore`)).status).toBe(404);
    await test.admin('POST', path, { name: 'Another', slug: 'dev' });
    expect((await test.admin('POST', `${path}/${id}/restore`)).status).toBe(400);
    expect((await test.admin('GET', `${path}/deleted`)).body.environments).toHaveLength(1);
  });

  it('is restored once by two concurrent requests', async () => {
    const { projectId, id, path } = await furnished();
    await test.admin('DELETE', `${path}/${id}`);
    const answers = await Promise.all([1, 2, 3].map(() => test.admin('POST', `${path}/${id}/restore`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    expect(await valueOf(projectId, 'A')).toBe('second');
  });
});

describe('the folders of all environments', () => {
  it('are listed as far as the caller sees them', async () => {
    const { projectId, id } = await furnished();
    const url = `/api/v1/workspace/${projectId}/environment-folder-tree`;
    const { status, body } = await test.admin('GET', url);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['dev', 'staging', 'prod']);
    expect(body.dev).toMatchObject({
      id,
      slug: 'dev',
      folders: [{ path: '/' }, { path: '/app', name: 'app', envId: id }],
    });
    const here = { environment: 'dev', secretPath: '/app' };
    const weak = await test.identity({
      projectId,
      rules: [{ subject: 'secret-folders', action: 'read', conditions: here }],
    });
    const seen = (await weak.call('GET', url)).body;
    expect(Object.keys(seen)).toEqual(['dev']);
    expect(seen.dev.folders.map((one: { path: string }) => one.path)).toEqual(['/', '/app']);
    expect((await (await test.foreign()).call('GET', url)).status).toBe(404);
  });
});

describe('older paths', () => {
  it('administer the roles of the organization that they name, and no other', async () => {
    const base = `/api/v1/organization/${test.organizationId}/roles`;
    const made = await test.admin('POST', base, { slug: 'auditor', name: 'Auditor', permissions: [] });
    const { id } = made.body.role;
    const { data } = (await test.admin('GET', base)).body;
    expect(data.roles.map((one: { slug: string }) => one.slug)).toContain('auditor');
    expect((await test.admin('GET', `${base}/${id}`)).body.role.name).toBe('Auditor');
    expect((await test.admin('PATCH', `${base}/${id}`, { name: 'Reader' })).body.role.name).toBe('Reader');
    const foreign = await test.foreign();
    expect((await foreign.call('GET', base)).status).toBe(404);
    const other = `/api/v1/organization/${foreign.organizationId}/roles/${id}`;
    expect((await test.admin('PATCH', other, { name: 'x' })).status).toBe(404);
    expect((await test.admin('DELETE', `${base}/${id}`)).status).toBe(200);
    expect((await test.admin('GET', `${base}/${id}`)).status).toBe(404);
  });

  it('add people to a project by their memberships in the organization: all of them, or none', async () => {
    const { organizationId, admin } = test;
    const { id: projectId } = await test.project();
    const user = await makeUser(test.coffer, { organizationId });
    const { users } = (await admin('GET', `/api/v2/organizations/${organizationId}/memberships`)).body;
    const orgMembershipId = users.find((one: { user: { id: string } }) => one.user.id === user.id).id;
    const url = `/api/v1/workspace/${projectId}/memberships`;
    const unknown = { orgMembershipId: projectId };
    expect((await admin('POST', url, { members: [{ orgMembershipId }, unknown] })).status).toBe(404);
    const member = { orgMembershipId, workspaceEncryptedKey: 'x', workspaceEncryptedNonce: 'x' };
    const added = await admin('POST', url, { members: [member] });
    expect(added).toMatchObject({ status: 200, body: { success: true, data: [{ userId: user.id, projectId }] } });
    expect((await (await test.identity({ projectId })).call('POST', url, { members: [member] })).status).toBe(403);
  });

  it('return how the root key is stored, to administrators of the instance', async () => {
    const url = '/api/v1/admin/encryption-strategies';
    const { token } = await makeUser(test.coffer, { organizationId: test.organizationId, isSuperAdmin: true });
    const administrator = test.as(token);
    const strategies = [
      { strategy: 'SOFTWARE', enabled: true },
      { strategy: 'HSM', enabled: false },
    ];
    expect((await administrator('GET', url)).body).toEqual({ strategies });
    expect((await administrator('PATCH', url, { strategy: 'SOFTWARE' })).status).toBe(200);
    expect((await administrator('PATCH', url, { strategy: 'HSM' })).status).toBe(400);
    expect((await test.admin('GET', url)).status).toBe(403);
  });
});
