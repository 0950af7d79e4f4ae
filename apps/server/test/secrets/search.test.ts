import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ok } from '../harness/groups.ts';
import { DEV, PROD, replications } from '../harness/replication.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

interface Found {
  environment: string;
  secretPath: string;
  secretKey: string;
}

/** A project with secrets in several environments and folders. */
async function setUp() {
  const { id: projectId } = await test.project();
  await ok(test.admin('POST', '/api/v2/folders', { projectId, environment: 'dev', path: '/', name: 'app' }));
  const url = `/api/v1/projects/${projectId}/secrets/search`;
  const search = (text: string, more = '', call: Caller = test.admin) =>
    call('GET', `${url}?search=${encodeURIComponent(text)}${more}`);
  return {
    projectId,
    url,
    put: (environment: string, secretPath: string, keys: readonly (string | object)[]) =>
      ok(
        test.admin('POST', '/api/v4/secrets/batch', {
          ...{ projectId, environment, secretPath },
          secrets: keys.map((key) => ({
            secretValue: 'zvaluez',
            ...(typeof key === 'string' ? { secretKey: key } : key),
          })),
        }),
      ),
    search,
    /** `KEY in dev:/` for each secret, in order. */
    names: async (...asked: Parameters<typeof search>) =>
      (await ok(search(...asked))).secrets.map(
        ({ secretKey, environment, secretPath }: Found) => `${secretKey} in ${environment}:${secretPath}`,
      ),
    reader: async (rules: object[]) => (await test.identity({ projectId, rules: rules as never })).call,
  };
}

describe('a search of secrets', () => {
  it('finds a part of the name in all environments and folders, in any case; beginnings first', async () => {
    const { put, search, names } = await setUp();
    await put('dev', '/', ['OTHER_DB', 'DB_URL', 'DB']);
    await put('dev', '/app', ['my.db.url']);
    await put('prod', '/', ['db_url', 'UNRELATED']);
    expect((await search('dB')).body).toEqual({
      secrets: [
        { id: expect.any(String), secretKey: 'DB', environment: 'dev', secretPath: '/' },
        ...Array.from({ length: 4 }, () => expect.any(Object)),
      ],
    });
    const found = await names('dB');
    expect([found[0], found.slice(1, 3).toSorted(), found.slice(3)]).toEqual([
      'DB in dev:/',
      ['DB_URL in dev:/', 'db_url in prod:/'],
      ['my.db.url in dev:/app', 'OTHER_DB in dev:/'],
    ]);
    expect(await names('nothing')).toEqual([]);
  });

  it('takes the text as it is', async () => {
    const { put, names } = await setUp();
    await put('dev', '/', ['100%', 'A_B', 'AxB', 'a\\b']);
    expect(await names('%')).toEqual(['100% in dev:/']);
    expect(await names('a_b')).toEqual(['A_B in dev:/']);
    expect(await names('\\')).toEqual(['a\\b in dev:/']);
    expect(await names("' or true --")).toEqual([]);
  });

  it('returns as many as asked for', async () => {
    const { put, search, names } = await setUp();
    await put(
      'dev',
      '/',
      Array.from({ length: 30 }, (_, index) => `KEY_${index + 10}`),
    );
    expect(await names('key_1', '&limit=3')).toEqual(['KEY_10 in dev:/', 'KEY_11 in dev:/', 'KEY_12 in dev:/']);
    expect(await names('key')).toHaveLength(20);
    expect(await names('key', '&limit=100')).toHaveLength(30);
    const statuses = [await search('key', '&limit=101'), await search(''), await search('x'.repeat(256))];
    expect(statuses.map(({ status }) => status)).toEqual([422, 422, 422]);
  });

  it('finds what the caller may describe, behind any number of others', async () => {
    const { projectId, put, names, reader } = await setUp();
    const tag = (await ok(test.admin('POST', `/api/v1/projects/${projectId}/tags`, { slug: 'closed', color: '' })))
      .workspaceTag.id;
    await put('dev', '/', [...Array.from({ length: 60 }, (_, index) => `KEY_${index}`), 'OPEN_KEY']);
    await put('dev', '/app', ['KEY_X', { secretKey: 'KEY_Y', tagIds: [tag] }]);
    await put('prod', '/', ['KEY_Z']);
    const toDescribe = { subject: 'secrets', action: ['describeSecret'] };
    const call = await reader([
      { ...toDescribe, conditions: { secretPath: '/app' } },
      { ...toDescribe, conditions: { secretName: 'OPEN_KEY' } },
      { ...toDescribe, inverted: true, conditions: { secretTags: { $in: ['closed'] } } },
    ]);
    expect(await names('key', '&limit=2', call)).toEqual(['KEY_X in dev:/app', 'OPEN_KEY in dev:/']);
    expect(await names('key', '', await reader([]))).toEqual([]);
    expect(await names('key', '', await reader([{ subject: 'secrets', action: ['readValue'] }]))).toEqual([]);
  });

  it('does not find the copies of a replication', async () => {
    const replication = replications(test);
    onTestFinished(() => replication.stop());
    const project = await replication.project();
    await project.put(PROD, 'KEY', 'value');
    await project.import(DEV, PROD, true);
    await replication.settle();
    expect(await project.copies()).toBe(1);
    const { secrets } = await ok(test.admin('GET', `/api/v1/projects/${project.id}/secrets/search?search=key`));
    expect(secrets).toEqual([expect.objectContaining({ secretKey: 'KEY', environment: 'prod', secretPath: '/' })]);
  });

  it('is for members of the project, with a token', async () => {
    const { search, url } = await setUp();
    const { call: foreign } = await test.foreign();
    const { call: outsider } = await test.identity();
    expect([(await search('a', '', foreign)).status, (await search('a', '', outsider)).status]).toEqual([404, 404]);
    expect((await test.as()('GET', `${url}?search=a`)).status).toBe(401);
  });

  it('leaves an event, without what was searched for', async () => {
    const { projectId, put, names } = await setUp();
    await put('dev', '/', ['KEY']);
    await names('key');
    await names('zpastedz');
    const { rows } = await test.coffer.pool.query<{ data: object }>(
      `select data from audit_events where project_id = $1 and published = 'search-secrets' order by created_at, id`,
      [projectId],
    );
    expect(rows.map(({ data }) => data)).toEqual([{ numberOfSecrets: 1 }, { numberOfSecrets: 0 }]);
  });
});

describe('a search in all projects', () => {
  const everywhere = (text: string, call: Caller, more = '') =>
    ok(call('GET', `/api/v1/secrets/search?search=${encodeURIComponent(text)}${more}`));

  it('finds secrets and folders in the projects of the caller, the wished one first', async () => {
    const [one, two] = [await setUp(), await setUp()];
    await one.put('dev', '/app', ['EVERYWHERE_ONE']);
    await two.put('prod', '/', ['everywhere_two']);
    await ok(
      test.admin('POST', '/api/v2/folders', {
        ...{ projectId: two.projectId, environment: 'dev', path: '/app', name: 'Everywhere' },
      }),
    );
    const { projects } = await everywhere('everywhere', test.admin, `&firstProjectId=${two.projectId}`);
    expect(projects).toEqual([
      {
        projectId: two.projectId,
        projectName: expect.any(String),
        secrets: [expect.objectContaining({ secretKey: 'everywhere_two', environment: 'prod', secretPath: '/' })],
        folders: [{ path: '/app/Everywhere', environments: ['dev'] }],
      },
      {
        projectId: one.projectId,
        projectName: expect.any(String),
        secrets: [expect.objectContaining({ secretKey: 'EVERYWHERE_ONE', environment: 'dev', secretPath: '/app' })],
        folders: [],
      },
    ]);
    expect(JSON.stringify(projects)).not.toContain('zvaluez');
  });

  it('finds no more than asked for, secrets and folders together, and of many of both half each', async () => {
    const { projectId, put } = await setUp();
    await put('dev', '/', ['MOST_1', 'MOST_2', 'MOST_3']);
    for (const name of ['most-1', 'most-2', 'most-3'])
      await ok(test.admin('POST', '/api/v2/folders', { projectId, environment: 'dev', path: '/', name }));
    const counts = async (limit: number) => {
      const { projects } = await everywhere('most', test.admin, `&limit=${limit}`);
      return projects.map((one: { secrets: unknown[]; folders: unknown[] }) => [
        one.secrets.length,
        one.folders.length,
      ]);
    };
    expect(await counts(6)).toEqual([[3, 3]]);
    expect(await counts(5)).toEqual([[3, 2]]);
    expect(await counts(3)).toEqual([[2, 1]]);
    expect(await counts(1)).toEqual([[1, 0]]);
  });

  it('shows nothing of other projects, nor what the caller may not describe or see', async () => {
    const { put, reader } = await setUp();
    await put('dev', '/', ['LIMITED_SEEN', 'LIMITED_HIDDEN']);
    await put('dev', '/app', ['LIMITED_BELOW']);
    const call = await reader([
      {
        subject: 'secrets',
        action: ['describeSecret'],
        conditions: { secretPath: '/', secretName: { $eq: 'LIMITED_SEEN' } },
      },
    ]);
    const { projects } = await everywhere('limited', call);
    expect(projects.flatMap((one: { secrets: Found[] }) => one.secrets.map(({ secretKey }) => secretKey))).toEqual([
      'LIMITED_SEEN',
    ]);
    expect((await everywhere('app', call)).projects).toEqual([]);
    const other = await setUp();
    await other.put('dev', '/', ['LIMITED_OTHER']);
    expect(JSON.stringify(await everywhere('limited', call))).not.toContain('LIMITED_OTHER');
  });

  it('takes a foreign or malformed first project as none, and refuses a call without a token', async () => {
    const { put } = await setUp();
    await put('dev', '/', ['FIRST_NOBODY']);
    for (const id of ['no-id', '7f7d1f2a-3c4b-4d5e-8f60-718293a4b5c6'])
      expect((await everywhere('first_nobody', test.admin, `&firstProjectId=${id}`)).projects).toHaveLength(1);
    expect((await test.as()('GET', '/api/v1/secrets/search?search=x')).status).toBe(401);
  });
});
