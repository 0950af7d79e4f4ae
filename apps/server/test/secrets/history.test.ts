import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitsAll, commitsRead, everySecret, makeHistory } from '../harness/history.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const setUp = () => makeHistory(test);

const changesOf = (changes: {
  secrets: {
    change: string;
    fields: string[];
    before: { secretKey: string } | null;
    after: { secretKey: string } | null;
  }[];
}) => changes.secrets.map(({ change, fields, before, after }) => [change, (after ?? before)!.secretKey, fields]);

describe('the commits of a folder', () => {
  it('are listed newest first, with their authors, by pages', async () => {
    const { commits, project } = await setUp();
    const { commits: all, totalCount } = await commits();
    expect(totalCount).toBe(3);
    expect(all.map((one: { revision: number }) => one.revision)).toEqual(
      all.map((one: { revision: number }) => one.revision).toSorted((a: number, b: number) => b - a),
    );
    expect(all[0]).toEqual({
      id: expect.any(String),
      projectId: project.id,
      revision: expect.any(Number),
      message: null,
      actor: expect.objectContaining({ actorId: test.adminIdentity.id, actorType: 'identity' }),
      createdAt: expect.any(String),
    });
    const second = await commits('&limit=1&offset=1');
    expect([second.commits, second.totalCount]).toEqual([[all[1]], 3]);
    expect(await commits('&offset=7')).toEqual({ commits: [], totalCount: 3 });
  });

  it('optionally include those of folders below it', async () => {
    const { commits, base } = await setUp();
    const root = (await test.admin('GET', `${base}/commits?environment=dev`)).body;
    expect(root.totalCount).toBe(1);
    const all = (await test.admin('GET', `${base}/commits?environment=dev&recursive=true`)).body;
    expect(all.totalCount).toBe(1 + (await commits()).totalCount);
  });

  it('contain the changes of each', async () => {
    const { commits, base } = await setUp();
    const { commits: all } = await commits();
    const read = async (index: number) =>
      (await test.admin('GET', `${base}/commits/${all[index].id}`)).body.commit.changes;
    expect(changesOf(await read(2))).toEqual([
      ['added', 'A', []],
      ['added', 'B', []],
    ]);
    expect(changesOf(await read(0))).toEqual([['removed', 'B', []]]);
    const changed = await read(1);
    expect(changed).toMatchObject({ folders: [], hiddenCount: 0 });
    expect(changed.secrets).toEqual([
      {
        change: 'changed',
        environment: 'dev',
        secretId: expect.any(String),
        fields: ['secretValue', 'secretComment'],
        before: expect.objectContaining({ secretValue: 'first A', secretComment: '', version: 1, tags: [] }),
        after: expect.objectContaining({ secretValue: 'second A', secretComment: 'why', version: 2 }),
      },
    ]);
  });

  it('notify of a moved secret in both folders, and of a renamed folder in its parent', async () => {
    const { at, base, project } = await setUp();
    const { body } = await test.admin('GET', `/api/v4/secrets/A?${new URLSearchParams(at).toString()}`);
    await test.admin('POST', '/api/v4/secrets/move', {
      projectId: project.id,
      sourceEnvironment: 'dev',
      sourceSecretPath: '/app',
      destinationEnvironment: 'dev',
      destinationSecretPath: '/',
      secretIds: [body.secret.id],
    });
    const newest = async (secretPath: string) => {
      const listed = await test.admin('GET', `${base}/commits?environment=dev&secretPath=${secretPath}&limit=1`);
      return (await test.admin('GET', `${base}/commits/${listed.body.commits[0].id}`)).body.commit;
    };
    expect((await newest('/')).id).toBe((await newest('/app')).id);
    expect(changesOf((await newest('/')).changes)).toEqual([['changed', 'A', ['secretPath']]]);
    const { folders } = (await test.admin('GET', `/api/v2/folders?projectId=${project.id}&environment=dev`)).body;
    await test.admin('PATCH', `/api/v2/folders/${folders[0].id}`, { ...at, path: '/', name: 'web' });
    expect((await newest('/')).changes.folders).toEqual([
      {
        change: 'changed',
        environment: 'dev',
        folderId: folders[0].id,
        before: { path: '/app', description: null },
        after: { path: '/web', description: null },
      },
    ]);
  });

  it('are listed for a deleted folder, by its former path', async () => {
    const { at, base, commits, folderId } = await setUp();
    const { commits: before } = await commits();
    await test.admin('POST', '/api/v2/folders', { ...at, path: '/app', name: 'deep' });
    await test.admin('DELETE', `/api/v2/folders/${await folderId('app')}`, { ...at, path: '/' });
    const { commits: after, totalCount } = await commits();
    expect([after.slice(2), totalCount]).toEqual([before, 5]);
    const recursive = await test.admin('GET', `${base}/commits?environment=dev&secretPath=/app&recursive=true`);
    expect(recursive.body.totalCount).toBe(5);
    const never = await test.admin('GET', `${base}/commits?environment=dev&secretPath=/app/never`);
    expect(never.status).toBe(404);
    expect((await test.admin('GET', `${base}/commits?environment=prod&secretPath=/app`)).status).toBe(404);
  });

  it('do not disclose personal values', async () => {
    const { at, commits, project } = await setUp();
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    await test.admin('POST', `/api/v2/workspace/${project.id}/memberships`, { usernames: [user.email], emails: [] });
    const before = await commits();
    const person = test.as(user.token);
    const personal = { ...at, secretValue: 'mine', type: 'personal' };
    expect((await person('POST', '/api/v4/secrets/A', personal)).status).toBe(200);
    expect(await commits()).toEqual(before);
  });
});

describe('the commits of folders that a caller does not see', () => {
  const hides: Rule[] = ['secrets', 'secret-folders'].map((subject) => ({
    ...{ subject, action: subject === 'secrets' ? ['describeSecret', 'readValue', 'read'] : ['read'], inverted: true },
    conditions: { secretPath: { $glob: '/app/hidden{,/**}' } },
  }));

  it('are neither listed with those of a folder above nor found by ID, also once the folder is deleted', async () => {
    const { at, base, query, commits, withRules, revision, project } = await setUp();
    const call = await withRules([commitsRead, { subject: 'secret-folders', action: 'read' }, everySecret, ...hides]);
    const listed = async () => (await call('GET', `${base}/commits?${query}&recursive=true`)).body;
    const before = await listed();
    await test.admin('POST', '/api/v2/folders', { ...at, path: '/app', name: 'hidden' });
    const hidden = { ...at, secretPath: '/app/hidden' };
    const empty = await revision();
    await test.admin('POST', '/api/v4/secrets/TOP', { ...hidden, secretValue: 'x' });
    const message = 'take TOP back';
    await test.admin('POST', `${base}/history/restore`, { ...hidden, revision: empty, message });
    const own = async () => {
      const { totalCount, commits: shown } = await listed();
      return { totalCount, messages: shown.map((one: { message: string | null }) => one.message) };
    };
    // The one that created the folder is one of /app.
    expect(await own()).toEqual({
      totalCount: before.totalCount + 1,
      messages: [null, ...before.commits.map((one: { message: string | null }) => one.message)],
    });
    const [latest] = (await commits('&recursive=true')).commits;
    expect(latest).toMatchObject({ message });
    const read = (by: typeof call, id: string) => by('GET', `${base}/commits/${id}`);
    expect((await read(test.admin, latest.id)).status).toBe(200);
    const [refused, unknown] = [await read(call, latest.id), await read(call, project.id)];
    expect([refused.status, refused.body.message]).toEqual([404, unknown.body.message]);
    await test.admin('DELETE', `/api/v2/folders/hidden`, { ...at, path: '/app' });
    expect((await read(call, latest.id)).status).toBe(404);
    expect(JSON.stringify(await listed())).not.toContain('TOP');
  });
});

describe('the past', () => {
  it('is read as of a time and as of a revision, of a folder and of the whole project', async () => {
    const { base, query, between, commits } = await setUp();
    const keys = async (more: string, where = query) =>
      (await test.admin('GET', `${base}/history/tree?${where}${more}`)).body.tree.environments.map(
        (one: { slug: string; secrets: { secretKey: string; secretValue: string }[] }) => [
          one.slug,
          ...one.secrets.map(({ secretKey, secretValue }) => `${secretKey}=${secretValue}`),
        ],
      );
    const { commits: all } = await commits();
    expect(await keys('')).toEqual([['dev', 'A=second A']]);
    expect(await keys(`&at=${between}`)).toEqual([['dev', 'A=second A', 'B=first B']]);
    expect(await keys(`&revision=${all[2].revision}`)).toEqual([['dev', 'A=first A', 'B=first B']]);
    expect(await keys('&revision=0')).toEqual([['dev']]);
    expect(await keys(`&at=${between}`, 'secretPath=/')).toEqual([
      ['dev', 'A=second A', 'B=first B'],
      ['staging'],
      ['prod'],
    ]);
    const hidden = await test.admin('GET', `${base}/history/tree?${query}&viewSecretValue=false`);
    expect(hidden.body.tree.environments[0].secrets[0]).toMatchObject({ secretKey: 'A', secretValueHidden: true });
  });

  it('is compared with the present, or with another past', async () => {
    const { base, query, between, commits } = await setUp();
    const { commits: all } = await commits();
    const compare = async (more: string) => (await test.admin('GET', `${base}/history/compare?${query}${more}`)).body;
    const { changes, fromRevision } = await compare(`&from=${between}`);
    expect(fromRevision).toBe(all[1].revision);
    expect(changesOf(changes)).toEqual([['removed', 'B', []]]);
    expect(changesOf((await compare(`&fromRevision=${all[2].revision}&to=${between}`)).changes)).toEqual([
      ['changed', 'A', ['secretValue', 'secretComment']],
    ]);
    expect((await compare('')).changes).toEqual({ folders: [], secrets: [], hiddenCount: 0 });
  });

  it('is compared, and read by commits, without values on request', async () => {
    const { base, query, commits } = await setUp();
    const { commits: all } = await commits();
    const compared = await test.admin('GET', `${base}/history/compare?${query}&fromRevision=0&viewSecretValue=false`);
    const commit = await test.admin('GET', `${base}/commits/${all[1].id}?viewSecretValue=false`);
    for (const { status, body } of [compared, commit]) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/first A|second A/);
    }
    expect(changesOf(commit.body.commit.changes)).toEqual([['changed', 'A', ['secretValue', 'secretComment']]]);
  });

  it('is filtered by resource: invisible ones are omitted, unreadable values are hidden', async () => {
    const { base, query, between, withRules } = await setUp();
    const tree = async (rules: Rule[]) => {
      const call = await withRules([commitsRead, ...rules]);
      const { body } = await call('GET', `${base}/history/tree?${query}&at=${between}`);
      return body.tree.environments[0].secrets.map((one: { secretKey: string; secretValueHidden: boolean }) => [
        one.secretKey,
        one.secretValueHidden,
      ]);
    };
    expect(await tree([{ subject: 'secrets', action: 'describeSecret', conditions: { secretName: 'B' } }])).toEqual([
      ['B', true],
    ]);
    expect(await tree([{ ...everySecret, conditions: { secretPath: '/other' } }])).toEqual([]);
    const call = await withRules([commitsRead, { ...everySecret, conditions: { secretName: 'A' } }]);
    const compared = await call('GET', `${base}/history/compare?${query}&fromRevision=0`);
    expect(changesOf(compared.body.changes)).toEqual([['added', 'A', []]]);
  });

  it('of a secret includes locations that the caller may not see now', async () => {
    const { at, base, query, between, withRules, project } = await setUp();
    const { body } = await test.admin('GET', `/api/v4/secrets/A?${new URLSearchParams(at).toString()}`);
    await test.admin('POST', '/api/v4/secrets/move', {
      projectId: project.id,
      sourceEnvironment: 'dev',
      sourceSecretPath: '/app',
      destinationEnvironment: 'prod',
      destinationSecretPath: '/',
      secretIds: [body.secret.id],
    });
    const call = await withRules([commitsRead, { ...everySecret, conditions: { environment: 'dev' } }]);
    const seen = await call('GET', `${base}/history/tree?${query}&at=${between}`);
    expect(seen.body.tree.environments[0].secrets.map((one: { secretKey: string }) => one.secretKey)).toEqual(['B']);
  });

  it('has no future time, and either a time or a revision', async () => {
    const { base, query, between } = await setUp();
    const ask = (more: string) => test.admin('GET', `${base}/history/tree?${query}${more}`);
    expect(await ask('&revision=999999')).toMatchObject({ status: 400, body: { message: /newest revision/ } });
    expect(await ask(`&revision=1&at=${between}`)).toMatchObject({ status: 400 });
    expect(await ask('&at=yesterday')).toMatchObject({ status: 422 });
    expect(await ask('&revision=-1')).toMatchObject({ status: 422 });
    expect(await ask('&at=2999-01-01T00:00:00Z')).toMatchObject({ status: 200 });
  });
});

describe('a snapshot', () => {
  it('is the state of a folder after a commit: listed, counted, read and rolled back to', async () => {
    const { base, project, values } = await setUp();
    const query = 'environment=dev&path=/app';
    const { secretSnapshots } = (await test.admin('GET', `${base}/secret-snapshots?${query}`)).body;
    expect(secretSnapshots).toHaveLength(3);
    const counted = await test.admin('GET', `/api/v1/workspace/${project.id}/secret-snapshots/count?${query}`);
    expect(counted.body).toEqual({ count: 3 });
    const older = await test.admin('GET', `/api/v1/workspace/${project.id}/secret-snapshots?${query}`);
    expect(older.body).toEqual({ secretSnapshots });
    const first = secretSnapshots[2];
    expect(Object.keys(first).toSorted()).toEqual(
      ['createdAt', 'envId', 'folderId', 'id', 'parentFolderId', 'updatedAt'].toSorted(),
    );
    const { secretSnapshot } = (await test.admin('GET', `/api/v1/secret-snapshot/${first.id}`)).body;
    expect(secretSnapshot).toMatchObject({ projectId: project.id, environment: { slug: 'dev' }, folderVersion: [] });
    expect(secretSnapshot.secretVersions.map((one: { secretValue: string }) => one.secretValue)).toEqual([
      'first A',
      'first B',
    ]);
    const [{ id, secretId }] = secretSnapshot.secretVersions;
    const { secretVersions } = (await test.admin('GET', `/api/v1/secret/${secretId}/secret-versions`)).body;
    expect(secretVersions.at(-1)).toMatchObject({ id, version: 1 });
    const rolled = await test.admin('POST', `/api/v1/secret-snapshot/${first.id}/rollback`);
    expect([rolled.status, rolled.body]).toEqual([200, { secretSnapshot: first }]);
    expect(await values()).toEqual({ A: 'first A', B: 'first B' });
  });

  it('needs the older rights: secret-rollback to read and to create', async () => {
    const { base, withRules } = await setUp();
    const query = 'environment=dev&path=/app';
    const { secretSnapshots } = (await test.admin('GET', `${base}/secret-snapshots?${query}`)).body;
    const { id } = secretSnapshots[2];
    const none = await withRules([commitsAll, everySecret]);
    expect((await none('GET', `${base}/secret-snapshots?${query}`)).status).toBe(403);
    const reader = await withRules([{ subject: 'secret-rollback', action: 'read' }, everySecret]);
    expect((await reader('GET', `/api/v1/secret-snapshot/${id}`)).status).toBe(200);
    expect((await reader('POST', `/api/v1/secret-snapshot/${id}/rollback`)).status).toBe(403);
    const { call: foreign } = await test.foreign();
    expect((await foreign('GET', `/api/v1/secret-snapshot/${id}`)).status).toBe(404);
  });
});

describe('a rule that forbids the history by one of its names', () => {
  const both: Rule[] = [commitsAll, { subject: 'secret-rollback', action: ['read', 'create'] }, everySecret];

  it.each<[string, Rule, number]>([
    ['reading commits', { subject: 'commits', action: 'read', inverted: true }, 403],
    ['reading snapshots', { subject: 'secret-rollback', action: 'read', inverted: true }, 403],
    ['restoring by commits', { subject: 'commits', action: 'perform-rollback', inverted: true }, 200],
    ['restoring by snapshots', { subject: 'secret-rollback', action: 'create', inverted: true }, 200],
  ])('forbids it by the other one: %s', async (_, rule, read) => {
    const { at, base, query, commits, withRules } = await setUp();
    const { commits: all } = await commits();
    const folder = `${base}/secret-snapshots?environment=dev&path=/app`;
    const [{ id }] = (await test.admin('GET', folder)).body.secretSnapshots;
    const call = await withRules([...both, rule]);
    const reads = [
      `${base}/commits?${query}`,
      `${base}/history/tree?${query}`,
      folder,
      `/api/v1/secret-snapshot/${id}`,
    ];
    for (const url of reads) expect([url, (await call('GET', url)).status]).toEqual([url, read]);
    const restore = read === 403 ? 200 : 403;
    const body = { ...at, revision: all[0].revision };
    expect((await call('POST', `${base}/history/restore`, body)).status).toBe(restore);
    expect((await call('POST', `/api/v1/secret-snapshot/${id}/rollback`)).status).toBe(restore);
  });
});

describe('history', () => {
  it('is rejected without a token, for another organization, non-members and without the permission', async () => {
    const { at, base, query, commits, withRules } = await setUp();
    const { commits: all } = await commits();
    const asks = (call: TestServer['admin']) =>
      Promise.all([
        call('GET', `${base}/commits?${query}`),
        call('GET', `${base}/commits/${all[0].id}`),
        call('GET', `${base}/history/tree?${query}`),
        call('GET', `${base}/history/compare?${query}`),
        call('POST', `${base}/history/restore`, { ...at, revision: all[2].revision }),
      ]);
    const statuses = async (call: TestServer['admin']) => (await asks(call)).map((answer) => answer.status);
    expect(new Set(await statuses(test.as()))).toEqual(new Set([401]));
    expect(new Set(await statuses((await test.foreign()).call))).toEqual(new Set([404]));
    expect(new Set(await statuses((await test.identity()).call))).toEqual(new Set([404]));
    expect(new Set(await statuses(await withRules([everySecret])))).toEqual(new Set([403]));
    const foreignCommit = await test.admin('GET', `/api/v1/projects/${(await test.project()).id}/commits/${all[0].id}`);
    const unknown = await test.admin('GET', `${base}/commits/none`);
    expect([foreignCommit.status, foreignCommit.body.message]).toEqual([404, unknown.body.message]);
  });
});
