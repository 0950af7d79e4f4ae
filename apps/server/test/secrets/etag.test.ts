import { hash } from 'node:crypto';
import { appRouter, operationsOf, type ApiCall } from '@coffer/api';
import { rotateKeys } from '@coffer/domain';
import { makeUser, runs, searchTime } from '@coffer/domain/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { etagsOf } from '../../src/http/etag.ts';
import { anotherProcess } from '../harness/another-process.ts';
import { replications } from '../harness/replication.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

/** A project with two secrets, one of which refers to another environment, and with imports. */
async function setUp(on: TestServer = test) {
  const project = await on.project();
  const at = { projectId: project.id, environment: 'dev' };
  const query = `projectId=${project.id}&environment=dev`;
  const person = async () => {
    const user = await makeUser(on.coffer, { organizationId: on.organizationId });
    const joined = await on.admin('POST', `/api/v2/workspace/${project.id}/memberships`, {
      usernames: [user.email],
      emails: [],
      roleSlugs: ['member'],
    });
    expect(joined.status).toBe(200);
    return on.as(user.token);
  };
  const prod = { ...at, environment: 'prod' };
  await on.admin('POST', '/api/v4/secrets/TARGET', { ...prod, secretValue: 'target' });
  await on.admin('POST', '/api/v4/secrets/PLAIN', { ...at, secretValue: 'plain' });
  const made = await on.admin('POST', '/api/v4/secrets/KEY', { ...at, secretValue: 'to ${prod.TARGET}' });
  const imported = await on.admin('POST', '/api/v2/secret-imports', {
    ...at,
    path: '/',
    import: { environment: 'prod', path: '/' },
  });
  expect([made.status, imported.status]).toEqual([200, 200]);
  return { project, at, prod, query, person, secretId: made.body.secret.id as string };
}

const tagOf = ({ headers }: Answer) => String(headers['etag']);
/** A response that is made for this request. */
const ANEW = { 'cache-control': 'no-cache' };
const known = (etag: string) => ({ 'if-none-match': etag });
const again = (call: Caller, url: string, etag: string) => call('GET', url, undefined, known(etag));

/** Every way to read secrets. */
const reads = ({ project, query, secretId }: Awaited<ReturnType<typeof setUp>>) => [
  `/api/v4/secrets?${query}&expandSecretReferences=true&includeImports=true&recursive=true`,
  `/api/v4/secrets/KEY?${query}&expandSecretReferences=true`,
  `/api/v4/secrets/KEY/secret-reference-tree?${query}`,
  `/api/v4/secrets/KEY/reference-dependency-tree?${query}`,
  `/api/v4/secrets/id/${secretId}`,
  `/api/v4/secrets/id/${secretId}/versions`,
  `/api/v3/secrets/raw?workspaceId=${project.id}&environment=dev&include_imports=true`,
  `/api/v3/secrets/raw?workspaceSlug=${project.slug}&environment=dev&expandSecretReferences=true`,
  `/api/v3/secrets/raw/KEY?workspaceId=${project.id}&environment=dev`,
  `/api/v3/secrets/raw/id/${secretId}`,
  `/api/v1/secret/${secretId}/secret-versions`,
  `/api/v1/secret-imports/secrets/raw?workspaceId=${project.id}&environment=dev&path=/`,
  `/api/v1/secret-imports/secrets?workspaceId=${project.id}&environment=dev&path=/`,
];

/** Queries of a read that a conditional read saves. */
const SPARED = ['secrets', 'secret_versions', 'secret_imports', 'secret_references', 'folders'];

const eventsOf = async (projectId: string) =>
  (
    await test.coffer.pool.query<{ count: string }>('select count(*) from audit_events where project_id = $1', [
      projectId,
    ])
  ).rows[0]!.count;

describe('a read of secrets', () => {
  it('has an ETag, and returns 304 for it', async () => {
    const set = await setUp();
    const tags = new Set<string>();
    for (const url of reads(set)) {
      const first = await test.admin('GET', url);
      expect([url, first.status, first.headers['cache-control']]).toEqual([url, 200, 'private, no-cache']);
      const etag = tagOf(first);
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      for (const header of [etag, `W/${etag}`, `"other", W/"another" , ${etag}`]) {
        const { status, body, headers } = await again(test.admin, url, header);
        expect([url, header, status, body, headers['etag']]).toEqual([url, header, 304, '', etag]);
      }
      expect((await again(test.admin, url, '"other"')).status).toBe(200);
      expect((await again(test.admin, url, etag.slice(1, -1))).status).toBe(200);
      tags.add(etag);
    }
    // Two paths of one operation return the same.
    expect(tags.size).toBe(reads(set).length - 3);
  });

  it('that is unchanged reads no table of secrets, opens nothing and records no event', async () => {
    const set = await setUp();
    const urls = reads(set);
    const tags = await Promise.all(urls.map(async (url) => tagOf(await test.admin('GET', url))));
    const before = await eventsOf(set.project.id);
    for (const table of SPARED) await test.owner.query(`alter table ${table} rename to ${table}_away`);
    try {
      for (const [index, url] of urls.entries()) {
        expect([url, (await again(test.admin, url, tags[index]!)).status]).toEqual([url, 304]);
        expect([url, (await test.admin('GET', url, undefined, ANEW)).status]).toEqual([url, 500]);
      }
    } finally {
      for (const table of SPARED) await test.owner.query(`alter table ${table}_away rename to ${table}`);
    }
    expect(await eventsOf(set.project.id)).toBe(before);
  });

  it('that is unchanged needs no query, except for the project of a slug', async () => {
    const set = await setUp();
    const { pool } = test.coffer;
    let asked = 0;
    const count = () => void asked++;
    for (const url of reads(set)) {
      const etag = tagOf(await test.admin('GET', url));
      const statements = async () => {
        asked = 0;
        pool.on('acquire', count);
        const { status } = await again(test.admin, url, etag);
        pool.off('acquire', count);
        return [url, status, asked];
      };
      const isBySlug = url.includes('workspaceSlug');
      // Invalidations of earlier writes may still arrive, and so may the writes once a second.
      await expect.poll(statements).toEqual([url, 304, isBySlug ? 1 : 0]);
    }
  });

  it('with a star gets 304 for existing resources, and a response for missing ones', async () => {
    const { query } = await setUp();
    const url = `/api/v4/secrets/KEY?${query}`;
    expect((await again(test.admin, url, '*')).status).toBe(304);
    expect((await again(test.admin, `/api/v4/secrets/NONE?${query}`, '*')).status).toBe(404);
    expect((await again(test.admin, url, '"x", *')).status).toBe(200);
  });

  it('gets a new response after any visible change', async () => {
    const set = await setUp();
    const { at, prod } = set;
    const [list, one] = reads(set) as [string, string];
    const tags = async () => [tagOf(await test.admin('GET', list)), tagOf(await test.admin('GET', one))];
    const before = await tags();
    expect(await tags()).toEqual(before);
    // Its target is in another environment.
    await test.admin('PATCH', '/api/v4/secrets/TARGET', { ...prod, secretValue: 'another target' });
    for (const [index, url] of [list, one].entries()) {
      const { status, body } = await again(test.admin, url, before[index]!);
      expect([status, JSON.stringify(body).includes('to another target')]).toEqual([200, true]);
    }
    const between = await tags();
    await test.admin('DELETE', '/api/v4/secrets/PLAIN', at);
    expect((await again(test.admin, list, between[0]!)).status).toBe(200);
  });

  it('has a different ETag for each request, and the same for equivalent requests', async () => {
    const { query } = await setUp();
    const tag = async (url: string) => tagOf(await test.admin('GET', url));
    const url = `/api/v4/secrets/KEY?${query}`;
    const other = ['&viewSecretValue=false', '&expandSecretReferences=true', '&version=1', '&includeImports=true'];
    const tags = await Promise.all(['', ...other].map((more) => tag(url + more)));
    expect(new Set(tags).size).toBe(1 + other.length);
    expect(await tag(`${url}&secretPath=/&viewSecretValue=true&unknown=1`)).toBe(tags[0]);
  });

  it('has a different tag for each caller, which changes with personal values', async () => {
    const { at, query, person } = await setUp();
    const [ann, ben] = [await person(), await person()];
    const url = `/api/v4/secrets?${query}&includePersonalOverrides=true`;
    const [anns, bens] = [tagOf(await ann('GET', url)), tagOf(await ben('GET', url))];
    expect(anns).not.toBe(bens);
    expect((await again(ben, url, anns)).status).toBe(200);
    await ann('POST', '/api/v4/secrets/KEY', { ...at, secretValue: "ann's", type: 'personal' });
    const { status, body } = await again(ann, url, anns);
    expect([status, JSON.stringify(body).includes("ann's")]).toEqual([200, true]);
  });

  it('is refused to a caller who may not read any more', async () => {
    const { project, query } = await setUp();
    const { id, token, call } = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    const url = `/api/v4/secrets/KEY?${query}`;
    const etag = tagOf(await call('GET', url));
    expect((await again(call, url, etag)).status).toBe(304);
    const membership = `/api/v1/projects/${project.id}/memberships/identities/${id}`;
    const give = async (role: string) =>
      expect((await test.admin('PATCH', membership, { roles: [{ role, isTemporary: false }] })).status).toBe(200);
    await give('no-access');
    expect((await again(call, url, etag)).status).toBe(403);
    await give('viewer');
    expect((await again(call, url, etag)).status).toBe(304);
    expect((await test.admin('DELETE', membership)).status).toBe(200);
    const gone = await again(call, url, etag);
    expect([gone.status, gone.body.message]).toEqual([404, 'There is no such project']);
    expect((await test.admin('DELETE', `/api/v1/identities/${id}`)).status).toBe(200);
    expect((await again(call, url, etag)).status).toBe(401);
    expect((await again(test.as(), url, etag)).status).toBe(401);
    expect((await again(test.as(`${token}x`), url, etag)).status).toBe(401);
  });

  it('is refused after the end of a temporary permission', async () => {
    const on = await testServer();
    try {
      const { project, query } = await setUp(on);
      const { id, call } = await on.identity({ projectId: project.id, projectRole: 'no-access' });
      const viewer = {
        role: 'viewer',
        isTemporary: true,
        temporaryMode: 'relative',
        temporaryRange: '1h',
        temporaryAccessStartTime: on.coffer.now().toISOString(),
      };
      const given = await on.admin('PATCH', `/api/v1/projects/${project.id}/memberships/identities/${id}`, {
        roles: [viewer, { role: 'no-access', isTemporary: false }],
      });
      expect(given.status).toBe(200);
      const url = `/api/v4/secrets/KEY?${query}`;
      const etag = tagOf(await call('GET', url));
      expect((await again(call, url, etag)).status).toBe(304);
      on.advance(2 * 3_600_000);
      expect((await again(call, url, etag)).status).toBe(403);
    } finally {
      await on.close();
    }
  });

  it('is refused to a caller whom a rule no longer matches, and after the expiry of a token', async () => {
    const { project, query, person } = await setUp();
    const url = `/api/v4/secrets/KEY?${query}`;
    const spared = async (call: Caller, stop: () => Promise<unknown>, status: number) => {
      const etag = tagOf(await call('GET', url));
      expect((await again(call, url, etag)).status).toBe(304);
      await stop();
      expect((await again(call, url, etag)).status).toBe(status);
    };
    const ofTeam = { environment: '{{identity.metadata.environment}}' };
    const { id, call } = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'secrets', action: ['describeSecret', 'readValue'], conditions: ofTeam }],
    });
    const put = (value: string) =>
      test.admin('PATCH', `/api/v1/identities/${id}`, { metadata: [{ key: 'environment', value }] });
    await put('dev');
    await spared(call, () => put('prod'), 403);
    const owner = await person();
    const made = await owner('POST', '/api/v2/service-token', {
      name: 't',
      workspaceId: project.id,
      scopes: [{ environment: 'dev', secretPath: '/' }],
      encryptedKey: '',
      iv: '',
      tag: '',
      expiresIn: null,
      permissions: ['read'],
    });
    const { serviceToken, serviceTokenData } = made.body;
    await spared(test.as(serviceToken), () => owner('DELETE', `/api/v2/service-token/${serviceTokenData.id}`), 401);
  });

  it('gets a new response after a change of its copies', async () => {
    const on = await testServer();
    const all = replications(on);
    try {
      const project = await all.project();
      const [dev, prod] = [{ environment: 'dev' }, { environment: 'prod' }];
      await project.put(prod, 'KEY', 'one');
      await project.import(dev, prod);
      await all.settle();
      const url = `/api/v3/secrets/raw?workspaceId=${project.id}&environment=dev&include_imports=true`;
      const etag = tagOf(await on.admin('GET', url));
      expect((await again(on.admin, url, etag)).status).toBe(304);
      await project.change(prod, 'KEY', { secretValue: 'two' });
      const between = tagOf(await on.admin('GET', url));
      await all.settle();
      const { status, body } = await again(on.admin, url, between);
      expect([status, JSON.stringify(body).includes('two')]).toEqual([200, true]);
    } finally {
      await all.stop();
      await on.close();
    }
  });

  it('gets a response for an invented tag, made from everything that clients can know', async () => {
    const { project, query } = await setUp();
    const { id, call } = await test.identity({ projectId: project.id, projectRole: 'no-access' });
    const operation = operationsOf(appRouter).find(
      ({ method, url }) => method === 'GET' && url === '/api/v4/secrets/{secretName}',
    )!;
    const { organizationId } = test;
    const caller = { type: 'identity', id, organizationId } as Parameters<typeof test.coffer.contextFor>[0];
    const ctx = test.coffer.contextFor(caller) as unknown as ApiCall;
    const madeUp = etagsOf(operation, (text) => hash('sha256', text, 'base64url'));
    const statuses = async (secretName: string) => {
      const given = { projectId: project.id, environment: 'dev', secretName };
      const input = operation.procedure._def.inputs![0]!.parse(given) as never;
      const state = await operation.meta.rest!.etag!(ctx, input);
      const url = `/api/v4/secrets/${secretName}?${query}`;
      return [(await call('GET', url)).status, (await again(call, url, madeUp(input, state!))).status];
    };
    expect([await statuses('KEY'), await statuses('NONE')]).toEqual([
      [403, 403],
      [403, 403],
    ]);
  });

  it('counts as a use of the token', async () => {
    const { project, query } = await setUp();
    const { body } = await test.admin('POST', '/api/v1/identities', {
      name: 'few uses',
      organizationId: test.organizationId,
    });
    const { id } = body.identity;
    await test.admin('POST', `/api/v1/projects/${project.id}/memberships/identities/${id}`, { role: 'viewer' });
    await test.admin('POST', `/api/v1/auth/token-auth/identities/${id}`, { accessTokenNumUsesLimit: 2 });
    const made = await test.admin('POST', `/api/v1/auth/token-auth/identities/${id}/tokens`, {});
    const call = test.as(made.body.accessToken);
    const url = `/api/v4/secrets/KEY?${query}`;
    const etag = tagOf(await call('GET', url));
    expect((await again(call, url, etag)).status).toBe(304);
    expect((await again(call, url, etag)).status).toBe(401);
  });

  it('is not known to another organization', async () => {
    const set = await setUp();
    const { call } = await test.foreign();
    for (const url of reads(set)) {
      const etag = tagOf(await test.admin('GET', url));
      const [tagged, plain] = [await again(call, url, etag), await call('GET', url)];
      expect([url, tagged.status, tagged.body.message]).toEqual([url, 404, plain.body.message]);
    }
  });

  it('has no tag for errors', async () => {
    const { query } = await setUp();
    for (const url of [`/api/v4/secrets/NONE?${query}`, `/api/v4/secrets/KEY?${query}&viewSecretValue=x`])
      expect((await test.admin('GET', url)).headers['etag']).toBeUndefined();
  });
});

describe('another process', () => {
  it('returns the same tags, and learns of changes within a second', async () => {
    const set = await setUp();
    const other = await anotherProcess(test);
    const { app, coffer } = other;
    try {
      const url = `/api/v4/secrets/KEY?${set.query}`;
      const elsewhere = (etag?: string) =>
        app.inject({
          method: 'GET',
          url,
          headers: { authorization: `Bearer ${test.adminIdentity.token}`, ...(etag && known(etag)) },
        });
      const etag = tagOf(await test.admin('GET', url));
      expect((await elsewhere()).headers['etag']).toBe(etag);
      expect((await elsewhere(etag)).statusCode).toBe(304);
      await test.admin('PATCH', '/api/v4/secrets/KEY', { ...set.at, secretValue: 'new' });
      expect((await again(test.admin, url, etag)).status).toBe(200);
      await expect.poll(async () => (await elsewhere(etag)).statusCode).toBe(200);

      // Without a connection for invalidations it caches nothing.
      const now = tagOf(await test.admin('GET', url));
      expect((await elsewhere(now)).statusCode).toBe(304);
      coffer.revisions.enabled = false;
      await test.admin('PATCH', '/api/v4/secrets/KEY', { ...set.at, secretValue: 'newer' });
      expect((await elsewhere(now)).statusCode).toBe(200);
    } finally {
      await other.close();
    }
  });
});

/** The resources for writes, after the writes so far. */
interface Drawn {
  readonly pick: number;
  readonly other: number;
  readonly text: string;
}

const FOLDERS = ['/', '/a', '/b'];
const KEYS = ['KEY', 'OTHER', 'THIRD'];

/** Writes of every kind. Many fail because their resource is missing; those change nothing. */
const WRITES: Readonly<Record<string, (world: PropertyWorld, drawn: Drawn) => Promise<unknown>>> = {
  create: ({ call, at }, { pick, other, text }) =>
    call('POST', `/api/v4/secrets/${key(pick)}`, { ...at(other), secretValue: text }),
  update: ({ call, at }, { pick, other, text }) =>
    call('PATCH', `/api/v4/secrets/${key(pick)}`, {
      ...at(other),
      secretValue: `${text} \${prod.TARGET} \${dev.a.KEY}`,
    }),
  comment: ({ call, at }, { pick, other, text }) =>
    call('PATCH', `/api/v4/secrets/${key(pick)}`, { ...at(other), secretComment: text }),
  remind: ({ call, at }, { pick, other, text }) =>
    call('PATCH', `/api/v4/secrets/${key(pick)}`, {
      ...at(other),
      secretReminderNote: text,
      secretReminderRepeatDays: 3,
    }),
  describe: ({ call, at }, { pick, other, text }) =>
    call('PATCH', `/api/v4/secrets/${key(pick)}`, {
      ...at(other),
      secretMetadata: [
        { key: 'open', value: text },
        { key: 'sealed', value: text, isEncrypted: true },
      ],
    }),
  rename: ({ call, at }, { pick, other }) =>
    call('PATCH', `/api/v4/secrets/${key(pick)}`, { ...at(other), newSecretName: key(pick + 1) }),
  remove: ({ call, at }, { pick, other }) => call('DELETE', `/api/v4/secrets/${key(pick)}`, at(other)),
  move: async ({ call, at }, { pick, other }) => {
    const from = at(other);
    const listed = await call('GET', `/api/v4/secrets?${new URLSearchParams(from).toString()}`);
    await call('POST', '/api/v4/secrets/move', {
      projectId: from.projectId,
      sourceEnvironment: from.environment,
      sourceSecretPath: from.secretPath,
      destinationEnvironment: from.environment,
      destinationSecretPath: FOLDERS[pick % 3],
      secretIds: (listed.body.secrets ?? []).map((secret: { id: string }) => secret.id),
    });
  },
  ownValue: ({ person, at }, { pick, other, text }) =>
    person('POST', `/api/v4/secrets/${key(pick)}`, { ...at(other), secretValue: text, type: 'personal' }),
  changeOwnValue: ({ person, at }, { pick, other, text }) =>
    person('PATCH', `/api/v4/secrets/${key(pick)}`, { ...at(other), secretValue: text, type: 'personal' }),
  dropOwnValue: ({ person, at }, { pick, other }) =>
    person('DELETE', `/api/v4/secrets/${key(pick)}`, { ...at(other), type: 'personal' }),
  elsewhere: ({ call, at }, { text }) =>
    call('PATCH', '/api/v4/secrets/TARGET', { ...at(0), environment: 'prod', secretValue: text }),
  makeTag: ({ call, projectId }, { pick }) =>
    call('POST', `/api/v1/projects/${projectId}/tags`, { slug: `tag-${pick % 2}`, color: '' }),
  putTag: async ({ call, at, tags }, { pick, other }) =>
    call('PATCH', `/api/v4/secrets/${key(pick)}`, { ...at(other), tagIds: (await tags()).map((tag) => tag.id) }),
  colourTag: async ({ call, projectId, tags }, { text }) => {
    for (const { id } of await tags()) await call('PATCH', `/api/v1/projects/${projectId}/tags/${id}`, { color: text });
  },
  renameTag: async ({ call, projectId, tags }, { pick }) => {
    for (const { id } of (await tags()).slice(0, 1))
      await call('PATCH', `/api/v1/projects/${projectId}/tags/${id}`, { slug: `tag-${2 + pick}` });
  },
  dropTag: async ({ call, projectId, tags }) => {
    for (const { id } of (await tags()).slice(0, 1)) await call('DELETE', `/api/v1/projects/${projectId}/tags/${id}`);
  },
  makeFolder: ({ call, at }, { pick }) =>
    call('POST', '/api/v2/folders', { ...at(0), path: '/', name: pick % 2 ? 'a' : 'b' }),
  renameFolder: async ({ call, at }, { pick }) => {
    const { projectId, environment } = at(0);
    const { body } = await call('GET', `/api/v2/folders?projectId=${projectId}&environment=${environment}`);
    for (const { id } of (body.folders ?? []).slice(0, 1))
      await call('PATCH', `/api/v2/folders/${id}`, { ...at(0), path: '/', name: `c${pick}` });
  },
  dropFolder: ({ call, at }, { pick }) =>
    call('DELETE', `/api/v2/folders/${pick % 2 ? 'a' : 'b'}`, { ...at(0), path: '/' }),
  import: ({ call, at }, { pick }) =>
    call('POST', '/api/v2/secret-imports', {
      ...at(0),
      path: '/',
      import: { environment: pick % 2 ? 'prod' : 'dev', path: FOLDERS[pick % 3] },
    }),
  orderImports: async ({ call, at, imports }) => {
    for (const { id } of (await imports()).slice(-1))
      await call('PATCH', `/api/v2/secret-imports/${id}`, { ...at(0), path: '/', import: { position: 1 } });
  },
  dropImport: async ({ call, at, imports }) => {
    for (const { id } of (await imports()).slice(0, 1))
      await call('DELETE', `/api/v2/secret-imports/${id}`, { ...at(0), path: '/' });
  },
  nameEnvironment: async ({ call, projectId, environmentId }, { text }) =>
    call('PATCH', `/api/v1/workspace/${projectId}/environments/${await environmentId('prod')}`, { name: `P ${text}` }),
  renameEnvironment: async ({ call, projectId, environmentId }, { pick }) =>
    call('PATCH', `/api/v1/workspace/${projectId}/environments/${await environmentId('staging')}`, {
      slug: `staging-${pick}`,
    }),
  dropEnvironment: async ({ call, projectId, environmentId }, { pick }) =>
    pick === 0 && call('DELETE', `/api/v1/workspace/${projectId}/environments/${await environmentId('prod')}`),
  give: ({ call, projectId, machineId }, { pick }) =>
    call('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${machineId}`, {
      roles: [{ role: ['viewer', 'member', 'no-access'][pick % 3], isTemporary: false }],
    }),
  restore: ({ call, projectId }, { pick }) =>
    call('POST', `/api/v1/projects/${projectId}/history/restore`, {
      environment: 'dev',
      secretPath: '/',
      revision: 12 + pick,
    }),
};

const key = (pick: number) => KEYS[pick % 3]!;

type PropertyWorld = Awaited<ReturnType<typeof propertyWorld>>;

async function propertyWorld() {
  const set = await setUp();
  const { project } = set;
  const machine = await test.identity({ projectId: project.id, projectRole: 'viewer' });
  const call = test.admin;
  const person = await set.person();
  await call('POST', '/api/v2/folders', { ...set.at, path: '/', name: 'a' });
  for (const secretPath of ['/', '/a'])
    for (const name of KEYS)
      await call('POST', `/api/v4/secrets/${name}`, { ...set.at, secretPath, secretValue: name });
  await call('POST', `/api/v1/projects/${project.id}/tags`, { slug: 'tag-0', color: '' });
  const tags = async (): Promise<{ id: string }[]> =>
    (await call('GET', `/api/v1/projects/${project.id}/tags`)).body.workspaceTags;
  await call('PATCH', '/api/v4/secrets/KEY', { ...set.at, tagIds: [(await tags())[0]!.id] });
  const own = await person('POST', '/api/v4/secrets/KEY', { ...set.at, secretValue: 'own', type: 'personal' });
  expect(own.status).toBe(200);
  const environmentId = async (slug: string): Promise<string> =>
    (await call('GET', `/api/v1/workspace/${project.id}`)).body.workspace.environments.find(
      (one: { slug: string }) => one.slug === slug,
    )?.id ?? 'none';
  return {
    call,
    person,
    machine: machine.call,
    machineId: machine.id,
    projectId: project.id,
    at: (pick: number) => ({ ...set.at, secretPath: FOLDERS[pick % 2]! }),
    tags,
    imports: async (): Promise<{ id: string }[]> =>
      (await call('GET', `/api/v2/secret-imports?${set.query}&path=/`)).body.secretImports,
    environmentId,
    urls: [
      ...reads(set),
      `/api/v4/secrets?${set.query}&secretPath=/a&includePersonalOverrides=true`,
      `/api/v4/secrets/KEY?${set.query}&type=personal`,
      `/api/v4/secrets?projectId=${project.id}&environment=prod&recursive=true`,
    ],
  };
}

describe('a tag', () => {
  it(
    'is equal only if the complete response is equal, after any writes',
    async () => {
      const drawn = fc.record({
        write: fc.constantFrom(...Object.keys(WRITES)),
        pick: fc.nat(5),
        other: fc.nat(1),
        text: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 }),
      });
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(drawn, { minLength: 16, maxLength: 24 }), async (writes) => {
          const world = await propertyWorld();
          const shown = new Map<string, string>();
          const look = async () => {
            for (const [name, caller] of Object.entries({ admin: world.call, p: world.person, m: world.machine })) {
              for (const [index, url] of world.urls.entries()) {
                const { status, body, headers } = await caller('GET', url);
                if (status !== 200) continue;
                const etag = String(headers['etag']);
                // One operation has several paths.
                const answer = `${name} ${JSON.stringify(body)}`;
                expect([index, shown.get(etag) ?? answer]).toEqual([index, answer]);
                shown.set(etag, answer);
                answered++;
              }
            }
          };
          await look();
          for (const { write, ...rest } of writes) {
            await WRITES[write]!(world, rest);
            await look();
          }
        }),
        { numRuns: runs(1, 60) },
      );
      expect(answered).toBeGreaterThan(300);
    },
    searchTime(300_000),
  );

  it('outlives the keys that values are sealed under', async () => {
    const set = await setUp();
    const before = await Promise.all(reads(set).map(async (url) => tagOf(await test.admin('GET', url))));
    const [rotation] = await rotateKeys(test.coffer, { organizationId: test.organizationId, settleMs: 20 });
    expect(rotation!.resealed).toBeGreaterThan(0);
    const after = await Promise.all(reads(set).map(async (url) => tagOf(await test.admin('GET', url))));
    expect(after).toEqual(before);
  });
});
