import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitsAll, everyFolder, everySecret, makeHistory } from '../harness/history.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const setUp = () => makeHistory(test);

describe('restoring', () => {
  it('restores a folder, in one commit that can be reverted', async () => {
    const { at, base, values, commits } = await setUp();
    const { commits: all } = await commits();
    const restore = (revision: number, message?: string) =>
      test.admin('POST', `${base}/history/restore`, { ...at, revision, ...(message && { message }) });
    const { status, body } = await restore(all[2].revision, 'back to the start');
    expect(status).toBe(200);
    expect(body.restored).toMatchObject({ revision: all[2].revision, folders: 0, commitId: expect.any(String) });
    expect(
      body.restored.secrets.map((one: { secretKey: string; change: string }) => [one.secretKey, one.change]),
    ).toEqual([
      ['A', 'changed'],
      ['B', 'added'],
    ]);
    expect(await values()).toEqual({ A: 'first A', B: 'first B' });
    const { commits: after } = await commits();
    expect(after[0]).toMatchObject({ id: body.restored.commitId, message: 'back to the start' });
    await restore(all[0].revision);
    expect(await values()).toEqual({ A: 'second A' });
    expect((await restore(all[0].revision)).body.restored).toMatchObject({ secrets: [], folders: 0, commitId: null });
  });

  it('restores a deleted folder with its contents, with their IDs', async () => {
    const { at, base, project, values } = await setUp();
    const folders = async () =>
      (await test.admin('GET', `/api/v2/folders?projectId=${project.id}&environment=dev`)).body.folders;
    const [app] = await folders();
    const revision = (await test.admin('GET', `${base}/history/tree?environment=dev`)).body.tree.revision;
    await test.admin('DELETE', `/api/v2/folders/${app.id}`, { ...at, path: '/' });
    expect(await folders()).toEqual([]);
    const restored = await test.admin('POST', `${base}/history/restore`, { ...at, revision });
    expect(restored.status).toBe(200);
    expect((await folders()).map((one: { id: string }) => one.id)).toEqual([app.id]);
    expect(await values()).toEqual({ A: 'second A' });
    const versions = await test.admin(
      'GET',
      `/api/v1/secret/${restored.body.restored.secrets[0].secretId}/secret-versions`,
    );
    expect(versions.body.secretVersions.map((one: { version: number }) => one.version)).toEqual([3, 2, 1]);
  });

  it('creates deleted tags again, with their IDs and last colors', async () => {
    const { at, base, project } = await setUp();
    const tags = `/api/v1/workspace/${project.id}/tags`;
    const { id } = (await test.admin('POST', tags, { slug: 'live', color: '#00f' })).body.workspaceTag;
    const secret = { projectId: project.id, environment: 'dev', secretPath: '/' };
    await test.admin('POST', '/api/v4/secrets/TAGGED', { ...secret, secretValue: 'v', tagIds: [id] });
    expect((await test.admin('PATCH', `${tags}/${id}`, { slug: 'running', color: '#0f0' })).status).toBe(200);
    expect((await test.admin('PATCH', `${tags}/${id}`, { color: '#f00' })).status).toBe(200);
    const { revision } = (await test.admin('GET', `${base}/history/tree?environment=dev`)).body.tree;
    await test.admin('DELETE', '/api/v4/secrets/TAGGED', secret);
    expect((await test.admin('DELETE', `${tags}/${id}`)).status).toBe(200);
    const restored = await test.admin('POST', `${base}/history/restore`, { ...at, secretPath: '/', revision });
    expect(restored.status).toBe(200);
    const { workspaceTags } = (await test.admin('GET', tags)).body;
    expect(workspaceTags).toMatchObject([{ id, slug: 'running', color: '#f00' }]);
  });

  it('needs for each step the right that the step alone needs, and otherwise does nothing', async () => {
    const { at, base, commits, withRules, values } = await setUp();
    const { commits: all } = await commits();
    const body = { ...at, revision: all[2].revision };
    const refused = async (...rules: Rule[]) => {
      const call = await withRules([commitsAll, ...rules]);
      expect(await call('POST', `${base}/history/restore`, body)).toMatchObject({ status: 403 });
      expect(await values()).toEqual({ A: 'second A' });
    };
    await refused({ subject: 'secrets', action: ['describeSecret', 'readValue', 'edit', 'delete'] });
    await refused({ subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'delete'] });
    await refused(everySecret, { ...everySecret, action: 'edit', inverted: true, conditions: { secretName: 'A' } });
    const allowed = await withRules([commitsAll, everySecret, everyFolder]);
    expect((await allowed('POST', `${base}/history/restore`, { ...at, revision: all[2].revision })).status).toBe(200);
    const remover = await withRules([commitsAll, { ...everySecret, action: ['describeSecret', 'edit', 'create'] }]);
    expect((await remover('POST', `${base}/history/restore`, { ...at, revision: 0 })).status).toBe(404);
    expect((await remover('POST', `${base}/history/restore`, { ...at, secretPath: '/', revision: 0 })).status).toBe(
      403,
    );
  });

  it('does not disclose a value that the caller may not read', async () => {
    const { at, base, project, commits, withRules } = await setUp();
    const { commits: all } = await commits();
    await test.admin('PATCH', '/api/v4/secrets/A', { ...at, newSecretName: 'CLOSED' });
    const call = await withRules([
      commitsAll,
      { ...everySecret, conditions: { secretName: { $ne: 'CLOSED' } } },
      { subject: 'secrets', action: ['describeSecret', 'edit', 'create', 'delete'] },
    ]);
    const restored = await call('POST', `${base}/history/restore`, { ...at, revision: all[1].revision });
    expect(restored).toMatchObject({ status: 403, body: { error: 'PermissionDenied' } });
    expect(project.id).toBe(at.projectId);
  });

  it('keeps locations that did not exist then', async () => {
    const { at, base } = await setUp();
    const restore = (more: object) => test.admin('POST', `${base}/history/restore`, { ...at, ...more });
    expect(await restore({ revision: 0 })).toMatchObject({ status: 404 });
    expect(await restore({ secretPath: '/none', revision: 1 })).toMatchObject({ status: 404 });
    expect(await restore({ environment: 'none', revision: 1 })).toMatchObject({ status: 404 });
  });

  it('deletes no folder with leases, and then nothing else', async () => {
    const { at, project, restore, revision, values } = await setUp();
    const then = await revision();
    await test.admin('PATCH', '/api/v4/secrets/A', { ...at, secretValue: 'third' });
    await test.admin('POST', '/api/v2/folders', { ...at, path: '/app', name: 'logins' });
    const where = { projectSlug: project.slug, environmentSlug: 'dev', path: '/app/logins' };
    const inputs = { configType: 'manual', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };
    const made = { ...where, name: 'codes', provider: { type: 'totp', inputs }, defaultTTL: '1h', maxTTL: '2h' };
    await test.admin('POST', '/api/v1/dynamic-secrets', made);
    const leases = '/api/v1/dynamic-secrets/leases';
    const { lease } = (await test.admin('POST', leases, { ...where, dynamicSecretName: 'codes' })).body;
    expect(await restore({ revision: then })).toMatchObject({ status: 400, body: { message: /Revoke the leases/ } });
    expect(await values()).toEqual({ A: 'third' });
    await test.admin('DELETE', `${leases}/${lease.id}`, {
      projectSlug: project.slug,
      environmentSlug: 'dev',
      path: where.path,
    });
    expect((await restore({ revision: then })).status).toBe(200);
    expect(await values()).toEqual({ A: 'second A' });
  });

  it('needs a moment: a request without one changes nothing', async () => {
    const { restore } = await setUp();
    expect(await restore({})).toMatchObject({ status: 400, body: { message: /time or the revision/ } });
    expect(await restore({ revison: 1 })).toMatchObject({ status: 400 });
  });

  it('is serialized for concurrent requests', async () => {
    const { at, base, commits, values } = await setUp();
    const { commits: all } = await commits();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        test.admin('POST', `${base}/history/restore`, { ...at, revision: all[index % 3].revision }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    await test.admin('POST', `${base}/history/restore`, { ...at, revision: all[2].revision });
    expect(await values()).toEqual({ A: 'first A', B: 'first B' });
  });
});

describe('restoring discloses nothing:', () => {
  it('a value from before the secret was moved to where the caller may not read is not restored as a copy', async () => {
    const { restore, moveAway, withRules, revision, values } = await setUp();
    const then = await revision();
    await moveAway('A', 'prod');
    const call = await withRules([commitsAll, everyFolder, { ...everySecret, conditions: { environment: 'dev' } }]);
    expect(await restore({ revision: then }, call)).toMatchObject({ status: 403, body: { error: 'PermissionDenied' } });
    expect(await values()).toEqual({});
    expect((await restore({ revision: then })).status).toBe(200);
  });

  it('contents from when the folder had a name under which the caller may not read stay there', async () => {
    const { at, restore, renameFolder, withRules, revision } = await setUp();
    const then = await revision();
    await test.admin('PATCH', '/api/v4/secrets/A', { ...at, secretValue: 'harmless' });
    await renameFolder('app', 'open');
    const call = await withRules([commitsAll, everyFolder, { ...everySecret, conditions: { secretPath: '/open' } }]);
    const changed = await restore({ secretPath: '/open', revision: then }, call);
    expect(changed).toMatchObject({ status: 403, body: { error: 'PermissionDenied' } });
    await test.admin('DELETE', '/api/v4/secrets/A', { ...at, secretPath: '/open' });
    expect(await restore({ secretPath: '/open', revision: then }, call)).toMatchObject({ status: 403 });
    expect((await restore({ secretPath: '/open', revision: then })).status).toBe(200);
  });

  it('a refusal names no secret that the caller does not see', async () => {
    const { at, restore, withRules, revision } = await setUp();
    const then = await revision();
    await test.admin('POST', '/api/v4/secrets/VEILED', { ...at, secretValue: 'x' });
    const call = await withRules([commitsAll, everyFolder, { ...everySecret, conditions: { secretName: 'A' } }]);
    const refused = await restore({ revision: then }, call);
    expect([refused.status, JSON.stringify(refused.body).includes('VEILED')]).toEqual([403, false]);
  });

  it('an answer names no secret that the caller does not see: added, changed or deleted', async () => {
    const { at, restore, withRules, revision } = await setUp();
    await test.admin('POST', '/api/v4/secrets/GONE', { ...at, secretValue: 'x' });
    await test.admin('POST', '/api/v4/secrets/CHANGED', { ...at, secretValue: 'x' });
    const then = await revision();
    await test.admin('DELETE', '/api/v4/secrets/GONE', at);
    await test.admin('PATCH', '/api/v4/secrets/CHANGED', { ...at, secretValue: 'y' });
    await test.admin('PATCH', '/api/v4/secrets/A', { ...at, secretValue: 'y' });
    await test.admin('POST', '/api/v4/secrets/NEW', { ...at, secretValue: 'x' });
    const blind = { subject: 'secrets', action: ['create', 'edit', 'delete'] };
    const call = await withRules([
      ...[commitsAll, everyFolder, blind],
      { subject: 'secrets', action: ['describeSecret'], conditions: { secretName: 'A' } },
    ]);
    const { status, body } = await restore({ revision: then }, call);
    expect([status, body.restored.secrets]).toEqual([200, [expect.objectContaining({ secretKey: 'A' })]]);
    const { rows } = await test.coffer.pool.query<{ count: number }>(
      `select (data ->> 'secretCount')::int as count from audit_events where type = 'tree.restored' order by id desc limit 1`,
    );
    expect(rows).toEqual([{ count: 4 }]);
  });

  it('a commit is not named after a folder that its reader may not see', async () => {
    const { restore, commits } = await setUp();
    await restore({ revision: (await commits()).commits[2].revision });
    expect((await commits()).commits[0].message).toMatch(/^Restored to revision \d+$/);
  });
});

describe('what refers to the secrets of a restored folder', () => {
  const person = async (projectId: string) => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    await test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, { usernames: [user.email], emails: [] });
    return test.as(user.token);
  };
  const read = async (call: Caller, place: object, more: object = {}) => {
    const query = new URLSearchParams({ ...place, expandSecretReferences: 'true', ...more }).toString();
    return (await call('GET', `/api/v4/secrets/A?${query}`)).body.secret.secretValue;
  };

  it('follows a secret that gets its name back', async () => {
    const { at, restore, revision } = await setUp();
    const root = { ...at, secretPath: '/' };
    const then = await revision();
    await test.admin('PATCH', '/api/v4/secrets/A', { ...at, newSecretName: 'RENAMED' });
    await test.admin('POST', '/api/v4/secrets/A', { ...root, secretValue: '${dev.app.RENAMED}' });
    expect((await restore({ revision: then })).status).toBe(200);
    expect(await read(test.admin, root, { expandSecretReferences: false })).toBe('${dev.app.A}');
    expect(await read(test.admin, root)).toBe('second A');
  });

  it('stays readable, also from personal values, when folders get their names back and secrets are moved back', async () => {
    const { at, project, restore, renameFolder, moveAway, revision } = await setUp();
    await test.admin('POST', '/api/v4/secrets/C', { ...at, secretValue: 'of C' });
    const then = await revision();
    const call = await person(project.id);
    await moveAway('A', 'dev');
    await renameFolder('app', 'web');
    const root = { ...at, secretPath: '/' };
    const made = await call('POST', '/api/v4/secrets/A', { ...root, secretValue: '${dev.web.C}', type: 'personal' });
    expect(made.status).toBe(200);
    const deeper = { ...at, secretPath: '/web', secretValue: '${dev.web.C}+', type: 'personal' };
    expect((await call('POST', '/api/v4/secrets/C', deeper)).status).toBe(200);
    expect((await restore({ secretPath: '/', revision: then })).status).toBe(200);
    expect(await read(call, at, { type: 'personal' })).toBe('of C');
    const own = new URLSearchParams({ ...at, type: 'personal', expandSecretReferences: 'true' }).toString();
    expect((await call('GET', `/api/v4/secrets/C?${own}`)).body.secret.secretValue).toBe('of C+');
    // The recorded references are correct: they follow again.
    await test.admin('PATCH', '/api/v4/secrets/C', { ...at, newSecretName: 'D' });
    expect(await read(call, at, { type: 'personal' })).toBe('of C');
  });
});

describe('restoring the whole project', () => {
  it('restores every environment, and moves secrets back with their IDs', async () => {
    const { base, project, restore, moveAway, revision, commits } = await setUp();
    const place = { projectId: project.id, environment: 'staging', secretPath: '/' };
    await test.admin('POST', '/api/v4/secrets/S', { ...place, secretValue: 'was' });
    const tree = async (more = '') => {
      const { environments } = (await test.admin('GET', `${base}/history/tree?${more}`)).body.tree;
      return environments.map(({ slug, secrets }: { slug: string; secrets: Record<string, string>[] }) => [
        slug,
        ...secrets.map((one) => [one['id'], one['secretPath'], one['secretKey'], one['secretValue']]),
      ]);
    };
    const [then, was] = [await revision(), await tree()];
    await moveAway('A', 'prod');
    await test.admin('PATCH', '/api/v4/secrets/S', { ...place, secretValue: 'is' });
    await test.admin('POST', '/api/v4/secrets/NEW', { ...place, environment: 'prod', secretValue: 'x' });
    const restored = await restore({ environment: undefined, secretPath: undefined, revision: then });
    expect(restored.status).toBe(200);
    expect(await tree()).toEqual(was);
    const { commit } = (await test.admin('GET', `${base}/commits/${restored.body.restored.commitId}`)).body;
    expect(new Set(commit.changes.secrets.map((one: { environment: string }) => one.environment))).toEqual(
      new Set(['dev', 'staging', 'prod']),
    );
    expect((await commits()).commits[0].id).toBe(commit.id);
  });

  it('skips environments without the folder then, and is rejected if none had it', async () => {
    const { at, restore, revision, values } = await setUp();
    const everywhere = { environment: undefined };
    expect((await restore({ ...everywhere, revision: 0 })).status).toBe(404);
    const then = await revision();
    const inProd = { ...at, environment: 'prod' };
    await test.admin('POST', '/api/v2/folders', { ...inProd, path: '/', name: 'app' });
    await test.admin('POST', '/api/v4/secrets/P', { ...inProd, secretValue: 'stays' });
    await test.admin('DELETE', '/api/v4/secrets/A', at);
    expect((await restore({ ...everywhere, revision: then })).status).toBe(200);
    expect(await values()).toEqual({ A: 'second A' });
    const query = new URLSearchParams(inProd).toString();
    expect((await test.admin('GET', `/api/v4/secrets/P?${query}`)).body.secret.secretValue).toBe('stays');
  });
});

describe('a restoration while others write', () => {
  it('restores exactly the state of its revision, whatever is committed around it', async () => {
    const { at, base, query, restore, revision } = await setUp();
    const then = await revision();
    const make = (secretKey: string) => test.admin('POST', `/api/v4/secrets/${secretKey}`, { ...at, secretValue: 'n' });
    const wrong: unknown[] = [];
    for (let round = 0; round < 12; round++) {
      const [, , restored] = await Promise.all([
        make(`M${round}`),
        test.admin('PATCH', '/api/v4/secrets/A', { ...at, secretValue: `v${round}` }),
        restore({ revision: then }),
        make(`N${round}`),
      ]);
      expect(restored.status).toBe(200);
      const { commitId } = restored.body.restored;
      if (commitId === null) continue;
      const { commit } = (await test.admin('GET', `${base}/commits/${commitId}`)).body;
      const left = await test.admin('GET', `${base}/history/tree?${query}&revision=${commit.revision}`);
      const { secrets } = left.body.tree.environments[0];
      const values = secrets.map((one: Record<string, string>) => `${one['secretKey']}=${one['secretValue']}`);
      if (values.join() !== 'A=second A') wrong.push(values);
    }
    expect(wrong).toEqual([]);
  });
});
