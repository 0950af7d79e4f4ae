import { appRouter, operationsOf, type Operation } from '@coffer/api';
import { makeUser, runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type Caller, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** In every value that the token may not read. */
const CANARY = 'canary-6f1e';
type Permission = 'read' | 'write' | 'readValue';

/**
 * A project with a token for `/app/**` of `dev`: around it are folders with similar names, another environment with the
 * same folders, imports and references to the outside, and a personal value.
 */
async function setUp(scopes: { environment: string; secretPath: string }[]) {
  const { id: projectId, slug } = await test.project();
  const owner = await makeUser(test.coffer, { organizationId: test.organizationId });
  const call = test.as(owner.token);
  await ok(test.admin, 'POST', `/api/v2/workspace/${projectId}/memberships`, {
    usernames: [owner.email],
    roleSlugs: ['admin'],
  });
  const folder = async (environment: string, path: string, name: string): Promise<string> =>
    (await ok(call, 'POST', '/api/v2/folders', { projectId, environment, path, name })).folder.id;
  const secret = async (environment: string, secretPath: string, name: string, secretValue: string, more = {}) =>
    (await ok(call, 'POST', `/api/v4/secrets/${name}`, { projectId, environment, secretPath, secretValue, ...more }))
      .secret.id as string;
  const importInto = async (environment: string, path: string, from: string, fromPath: string): Promise<string> =>
    (
      await ok(call, 'POST', '/api/v2/secret-imports', {
        projectId,
        environment,
        path,
        import: { environment: from, path: fromPath },
      })
    ).secretImport.id;
  const { workspaceTag: tag } = await ok(call, 'POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'a', color: '' });
  const folders = {
    app: await folder('dev', '/', 'app'),
    sub: await folder('dev', '/app', 'sub'),
    hidden: await folder('dev', '/', 'hidden'),
    deep: await folder('dev', '/hidden', 'deep'),
    app2: await folder('dev', '/', 'app2'),
    prodApp: await folder('prod', '/', 'app'),
  };
  const secrets = {
    own: await secret('dev', '/app', 'KEY', 'own value'),
    root: await secret('dev', '/', 'ROOT', CANARY),
    hidden: await secret('dev', '/hidden', 'HIDDEN', CANARY, {
      secretMetadata: [{ key: 'k', value: CANARY, isEncrypted: true }],
      tagIds: [tag.id],
    }),
    deep: await secret('dev', '/hidden/deep', 'DEEP', CANARY),
    app2: await secret('dev', '/app2', 'KEY', CANARY),
    prod: await secret('prod', '/app', 'KEY', CANARY),
    below: await secret('dev', '/app/sub', 'BELOW', scopes[0]!.secretPath === '/app' ? CANARY : 'below'),
  };
  await secret('dev', '/app', 'OUT', '<${prod.app.KEY}>');
  await secret('dev', '/app', 'ASIDE', '<${dev.hidden.HIDDEN}>');
  await secret('dev', '/app', 'KEY', `personal ${CANARY}`, { type: 'personal' });
  const imports = {
    own: await importInto('dev', '/app', 'prod', '/app'),
    hidden: await importInto('dev', '/hidden', 'dev', '/app'),
    out: await importInto('dev', '/app', 'dev', '/hidden/deep'),
  };
  const bearer = async (...permissions: Permission[]): Promise<string> =>
    (await ok(call, 'POST', '/api/v2/service-token', { name: 't', workspaceId: projectId, scopes, permissions }))
      .serviceToken;
  const token = async (...permissions: Permission[]): Promise<Caller> => test.as(await bearer(...permissions));
  return { projectId, slug, owner: call, folders, secrets, imports, tag, bearer, token };
}
type World = Awaited<ReturnType<typeof setUp>>;

async function ok(call: Caller, method: Parameters<Caller>[0], url: string, body?: object) {
  const answer = await call(method, url, body);
  expect(answer.status, `${method} ${url} ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.body;
}

/** The stored contents outside of `/app` in `dev`. */
const outside = (projectId: string): Promise<object[]> =>
  test.coffer.query(
    {
      name: 'test.outside',
      text: `select e.slug, f.path, f.name, f.description, s.key, s.version, encode(s.value, 'hex') as value, s.user_id,
          s.tag_ids, s.comment,
          (select json_agg(json_build_array(i.import_path, i.position, i.version) order by i.position)
           from secret_imports i where i.folder_id = f.id) as imports
        from folders f join environments e on e.id = f.environment_id left join secrets s on s.folder_id = f.id
        where f.project_id = $1 and not (e.slug = 'dev' and f.path ~ '^/app(/|$)')
        order by e.slug, f.path, s.key, s.user_id`,
    },
    [projectId],
  );

type Input = Record<string, unknown>;

/** Names of resources outside, in current and legacy form. */
function attacksOn({ method, url }: Operation, world: World): Input[] {
  const { projectId, slug, folders, secrets, imports, tag } = world;
  const project = { projectId, workspaceId: projectId, projectSlug: slug };
  const places = [
    { environment: 'dev', path: '/' },
    { environment: 'dev', path: '/hidden' },
    { environment: 'dev', path: '/hidden/deep' },
    { environment: 'dev', path: '/app2' },
    { environment: 'dev', path: '/app/sub' },
    { environment: 'prod', path: '/app' },
    { environment: 'prod', path: '/' },
  ];
  const own = { environment: 'dev', path: '/app' };
  const names = ['KEY', 'HIDDEN', 'ROOT', 'DEEP', 'NEW', 'BELOW'];
  const at = ({ environment, path }: { environment: string; path: string }) => ({
    ...project,
    environment,
    path,
    directory: path,
    secretPath: path,
  });
  const what = { secretValue: 'taken', secretComment: 'taken', tagIds: [], type: 'shared', tagSlugs: ['a'] };
  const reading = { expandSecretReferences: true, includeImports: true, include_imports: true, recursive: true };
  if (url.includes('/folders')) {
    const ids = {
      hidden: folders.hidden,
      deep: folders.deep,
      app2: folders.app2,
      sub: folders.sub,
      prod: folders.prodApp,
    };
    return places.flatMap((place) => [
      { ...at(place), ...reading, name: 'made' },
      ...Object.values(ids).map((folderId) => ({
        ...at(place),
        folderId,
        name: 'app',
        description: 'taken',
        folders: [{ id: folderId, environment: place.environment, name: 'taken' }],
      })),
      ...['hidden', 'app2', 'deep', 'app'].map((folderId) => ({ ...at(place), folderId, name: 'x' })),
    ]);
  }
  if (url.includes('/secret-imports')) {
    return [own, ...places].flatMap((place) =>
      places.flatMap((source) =>
        [imports.hidden, imports.out].map((secretImportId) => ({
          ...at(place),
          secretImportId,
          import: { environment: source.environment, path: source.path, position: 1 },
        })),
      ),
    );
  }
  if (url.endsWith('/move') || url.endsWith('/duplicate')) {
    return places.flatMap((place) =>
      [
        [place, own],
        [own, place],
        [place, { environment: 'dev', path: '/app/sub' }],
      ].flatMap(([from, to]) =>
        Object.values(secrets).map((id) => ({
          ...project,
          sourceEnvironment: from!.environment,
          sourceSecretPath: from!.path,
          destinationEnvironment: to!.environment,
          destinationSecretPath: to!.path,
          secretIds: [id],
          shouldOverwrite: true,
        })),
      ),
    );
  }
  if (url.includes('/batch')) {
    const each = { ...what, newSecretName: method === 'PATCH' ? 'X' : undefined };
    return [
      ...places.flatMap((place) => names.map((secretKey) => ({ ...at(place), secrets: [{ ...each, secretKey }] }))),
      ...places.flatMap(({ path }) =>
        ['failOnNotFound', 'ignore', 'upsert'].flatMap((mode) =>
          names.map((secretKey) => ({
            ...at(own),
            mode,
            secrets: [{ ...each, secretKey, secretPath: path }],
          })),
        ),
      ),
      ...['${dev.hidden.HIDDEN}', '${prod.app.KEY}', '${dev.ROOT}'].map((secretValue) => ({
        ...at(own),
        secrets: [{ secretKey: 'OWN', secretValue }],
      })),
    ];
  }
  return [own, ...places].flatMap((place) =>
    names.flatMap((secretName) => [
      { ...at(place), ...reading, ...what, secretName, newSecretName: 'Y' },
      { ...at(place), ...reading, secretName, type: 'personal', secretValue: 'taken' },
      { ...at(place), ...reading, secretName, tagIds: [tag.id], secretValue: '${dev.hidden.HIDDEN}', version: 1 },
    ]),
  );
}

/** Deletions come last. */
const forServices = operationsOf(appRouter)
  .filter(({ meta, url }) => meta.rest?.actors?.includes('service') && url !== '/api/v2/service-token')
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function send(call: Caller, { method, url }: Operation, input: Input): Promise<Answer> {
  const path = url.replace(/\{(.+?)\}/g, (_, name: string) => encodeURIComponent(textOf(input[name] ?? 'none')));
  if (method !== 'GET') return call(method, path, input);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) if (typeof value !== 'object') query.set(name, textOf(value));
  return call('GET', `${path}?${query.toString()}`);
}

const without = ({ status, body: { reqId: _, ...body } }: Answer) => ({ status, body });

describe('a service token', () => {
  it.each(['/app/**', '/app'])(
    'for %s reads and changes nothing outside, by whatever operation takes it',
    async (secretPath) => {
      const world = await setUp([{ environment: 'dev', secretPath }]);
      const call = await world.token('read', 'write');
      const found: unknown[] = [];
      let before = await outside(world.projectId);
      for (const operation of forServices) {
        const name = `${operation.method} ${operation.url}`;
        const attacks = attacksOn(operation, world);
        expect([name, attacks.length > 0]).toEqual([name, true]);
        // The short form tries some of them, each time others.
        const every = Math.max(1, runs(8, 0));
        for (const input of attacks.filter((_, index) => (index + SEARCH_SEED) % every === 0)) {
          const { status, body } = await send(call, operation, input);
          if (status >= 500 || JSON.stringify(body).includes(CANARY)) found.push([name, input, body]);
        }
        const after = await outside(world.projectId);
        if (JSON.stringify(after) !== JSON.stringify(before)) found.push([name, 'changed', after]);
        before = after;
      }
      expect(found).toEqual([]);
    },
    searchTime(300_000),
  );

  it('for one folder does not affect deeper levels', async () => {
    const { projectId, token, secrets, owner } = await setUp([{ environment: 'dev', secretPath: '/app' }]);
    const call = await token('read', 'write');
    const at = { projectId, environment: 'dev', path: '/app' };
    expect((await call('DELETE', '/api/v2/folders/sub', at)).body).toMatchObject({ error: 'PermissionDenied' });
    await ok(owner, 'GET', `/api/v4/secrets/id/${secrets.below}`);
    // It can still delete its own.
    await ok(call, 'DELETE', '/api/v4/secrets/KEY', { projectId, environment: 'dev', secretPath: '/app' });
    const wide = await setUp([{ environment: 'dev', secretPath: '/app/**' }]);
    const place = { projectId: wide.projectId, environment: 'dev', path: '/app' };
    await ok(await wide.token('write'), 'DELETE', '/api/v2/folders/sub', place);
  });

  it('gets the same error for existing and unknown resources', async () => {
    const { projectId, token } = await setUp([{ environment: 'dev', secretPath: '/app/**' }]);
    const call = await token('read', 'write');
    const at = { projectId, workspaceId: projectId, environment: 'dev', secretPath: '/hidden' };
    const same = async (there: string, absent: string, ask: (name: string) => Promise<Answer>) => {
      const [one, other] = [await ask(there), await ask(absent)].map((answer) =>
        JSON.stringify(without(answer)).replaceAll(there, 'X').replaceAll(absent, 'X'),
      );
      expect(one).toBe(other);
    };
    const secret = (ask: (name: string) => Promise<Answer>) => same('HIDDEN', 'NOTHING', ask);
    const folder = (ask: (name: string) => Promise<Answer>) => same('hidden', 'nothing', ask);
    const tagSlugs = ['none-such'];
    await secret((name) => call('PATCH', `/api/v4/secrets/${name}`, { ...at, tagIds: [projectId] }));
    await secret((name) => call('POST', `/api/v3/secrets/tags/${name}`, { ...at, tagSlugs }));
    await secret((name) => call('DELETE', `/api/v3/secrets/tags/${name}`, { ...at, tagSlugs }));
    for (const mode of ['failOnNotFound', 'ignore', 'upsert']) {
      const batch = (secrets: object[]) => call('PATCH', '/api/v4/secrets/batch', { ...at, mode, secrets });
      await secret((secretKey) => batch([{ secretKey, tagIds: [projectId] }]));
      await secret((secretKey) => batch([{ secretKey }, { secretKey: 'ABSENT', secretPath: '/app' }]));
    }
    await folder((name) => call('DELETE', `/api/v2/folders/${name}`, { projectId, environment: 'dev', path: '/' }));
    for (const operation of ['move', 'duplicate'])
      for (const [from, to] of [
        ['source', 'destination'],
        ['destination', 'source'],
      ])
        await folder((name) =>
          call('POST', `/api/v4/secrets/${operation}`, {
            projectId,
            sourceEnvironment: 'dev',
            destinationEnvironment: 'dev',
            [`${from}SecretPath`]: `/${name}`,
            [`${to}SecretPath`]: '/app',
            secretIds: [projectId],
          }),
        );
  });

  it('is taken as it was issued alone: written otherwise it would be another caller to the limits', async () => {
    const { bearer } = await setUp([{ environment: 'dev', secretPath: '/app' }]);
    const token = await bearer('read');
    await ok(test.as(token), 'GET', '/api/v2/service-token');
    const [prefix, id, secret] = token.split('.') as [string, string, string];
    const shouted = `${prefix}.${id.toUpperCase()}.${secret}`;
    expect(shouted).not.toBe(token);
    expect((await test.as(shouted)('GET', '/api/v2/service-token')).status).toBe(401);
  });
});
