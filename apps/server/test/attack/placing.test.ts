import type { Rule } from '@coffer/domain';
import { makeRotation, makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const SECRETS = ['describeSecret', 'readValue', 'create', 'edit', 'delete'];
const secrets = (conditions?: Rule['conditions'], action = SECRETS): Rule => ({
  subject: 'secrets',
  action,
  ...(conditions && { conditions }),
});
const forbid = (conditions: Rule['conditions'], action = ['create', 'edit', 'delete']): Rule => ({
  ...secrets(conditions, action),
  inverted: true,
});
const FOLDERS: Rule = { subject: 'secret-folders', action: ['read', 'create', 'edit', 'delete'] };
const ENVIRONMENTS: Rule = { subject: 'environments', action: ['read', 'edit'] };
const ok = ({ status, body }: Answer) => {
  expect(status === 200 ? 200 : [status, body]).toBe(200);
  return body;
};
const REFUSED = { status: 403, body: { error: 'PermissionDenied' } };

/**
 * A project with the folders /deploy (with the secret DB, in dev and prod) and /mine (empty), and the tags `release` and
 * `mine`. `value` is what others get who read a place.
 */
async function setUp() {
  const { admin } = test;
  const { id: projectId, slug: projectSlug } = await test.project();
  const at = (secretPath: string, environment = 'dev') => ({ projectId, environment, secretPath });
  const folder = async (name: string, environment: string): Promise<string> =>
    ok(await admin('POST', '/api/v2/folders', { projectId, environment, path: '/', name })).folder.id;
  const ids: Record<string, string> = {};
  for (const environment of ['dev', 'prod'])
    for (const name of ['deploy', 'mine']) ids[`${environment}:${name}`] = await folder(name, environment);
  for (const { id, slug } of ok(await admin('GET', `/api/v1/workspace/${projectId}`)).workspace.environments)
    ids[slug] = id;
  for (const slug of ['release', 'mine'])
    ids[`tag:${slug}`] = ok(
      await admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug, color: '' }),
    ).workspaceTag.id;
  const put = (call: Caller, name: string, place: object, more: object = {}) =>
    call('POST', `/api/v4/secrets/${name}`, { ...place, secretValue: 'forged', ...more });
  for (const environment of ['dev', 'prod'])
    ok(await put(admin, 'DB', at('/deploy', environment), { secretValue: 'genuine', tagIds: [ids['tag:release']] }));
  const value = async (secretPath: string, environment = 'dev') =>
    (await admin('GET', `/api/v4/secrets/DB?${new URLSearchParams(at(secretPath, environment)).toString()}`)).body
      .secret?.secretValue as unknown;
  const attacker = async (...rules: Rule[]) => (await test.identity({ projectId, rules })).call;
  const rename = (call: Caller, id: string, name: string) =>
    call('PATCH', `/api/v2/folders/${id}`, { projectId, environment: 'dev', path: '/', name });
  const renameEnvironment = (call: Caller, from: string, slug: string) =>
    call('PATCH', `/api/v1/projects/${projectId}/environments/${ids[from]}`, { slug });
  const deleteDeploy = () =>
    admin('DELETE', `/api/v2/folders/${ids['dev:deploy']}`, { projectId, environment: 'dev', path: '/' });
  return {
    ...{ projectId, projectSlug, at, ids, put, value, attacker, rename, renameEnvironment, deleteDeploy },
  };
}

describe('attack: moving resources, by renaming, to where the caller may not create them', () => {
  it('a folder in place of a renamed one is rejected, both times', async () => {
    const { ids, at, put, value, attacker, rename } = await setUp();
    const call = await attacker(FOLDERS, secrets({ secretPath: { $glob: '/mine' } }));
    expect(await put(call, 'NEW', at('/deploy'))).toMatchObject(REFUSED);
    ok(await put(call, 'DB', at('/mine')));
    expect(await rename(call, ids['dev:deploy']!, 'deploy-old')).toMatchObject(REFUSED);
    ok(await rename(test.admin, ids['dev:deploy']!, 'deploy-old'));
    expect(await rename(call, ids['dev:mine']!, 'deploy')).toMatchObject(REFUSED);
    expect([await value('/deploy'), await value('/deploy-old')]).toEqual([undefined, 'genuine']);
  });

  it('a folder, to where a rule forbids to create, is refused', async () => {
    const { ids, at, put, value, attacker, rename, deleteDeploy } = await setUp();
    const call = await attacker(FOLDERS, secrets(), forbid({ secretPath: '/deploy' }));
    ok(await put(call, 'DB', at('/mine')));
    ok(await deleteDeploy());
    expect(await rename(call, ids['dev:mine']!, 'deploy')).toMatchObject(REFUSED);
    expect(await value('/deploy')).toBeUndefined();
    ok(await rename(call, ids['dev:mine']!, 'free'));
  });

  it('folders that are swapped in one batch are rejected', async () => {
    const { ids, at, put, value, attacker, projectSlug } = await setUp();
    const call = await attacker(FOLDERS, secrets({ secretPath: { $glob: '/mine' } }));
    ok(await put(call, 'DB', at('/mine')));
    const folders = [
      { id: ids['dev:deploy'], environment: 'dev', name: 'old' },
      { id: ids['dev:mine'], environment: 'dev', name: 'deploy' },
    ];
    for (const version of ['v1', 'v2'])
      expect(await call('PATCH', `/api/${version}/folders/batch`, { projectSlug, folders })).toMatchObject(REFUSED);
    expect(await value('/deploy')).toBe('genuine');
  });

  it('a service token cannot rename out of its scopes, nor their contents', async () => {
    const { ids, at, put, value, rename, projectId, deleteDeploy } = await setUp();
    const owner = await makeUser(test.coffer, { organizationId: test.organizationId });
    ok(
      await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, {
        ...{ usernames: [owner.email], emails: [], roleSlugs: ['admin'] },
      }),
    );
    const scopes = ['/', '/mine'].map((secretPath) => ({ environment: 'dev', secretPath }));
    const { serviceToken } = ok(
      await test.as(owner.token)('POST', '/api/v2/service-token', {
        ...{ name: 'x', workspaceId: projectId, scopes, permissions: ['read', 'write'], expiresIn: 3600 },
      }),
    );
    const call = test.as(serviceToken);
    ok(await put(call, 'DB', at('/mine')));
    expect(await rename(call, ids['dev:deploy']!, 'mine-too')).toMatchObject(REFUSED);
    ok(await deleteDeploy());
    expect(await rename(call, ids['dev:mine']!, 'deploy')).toMatchObject(REFUSED);
    expect(await value('/deploy')).toBeUndefined();
  });

  it('an environment, to a slug under which the caller may not create, is rejected, and so is renaming it away', async () => {
    const { at, put, value, attacker, renameEnvironment } = await setUp();
    const call = await attacker(FOLDERS, ENVIRONMENTS, secrets({ environment: 'dev' }));
    ok(await put(call, 'DB', at('/mine')));
    expect(await renameEnvironment(call, 'prod', 'prod-old')).toMatchObject(REFUSED);
    ok(await renameEnvironment(test.admin, 'prod', 'prod-old'));
    expect(await renameEnvironment(call, 'dev', 'prod')).toMatchObject(REFUSED);
    expect(await value('/mine', 'prod')).toBeUndefined();
    const forbidden = await attacker(FOLDERS, ENVIRONMENTS, secrets(), forbid({ environment: 'prod' }));
    expect(await renameEnvironment(forbidden, 'dev', 'prod')).toMatchObject(REFUSED);
    ok(await renameEnvironment(forbidden, 'dev', 'local'));
  });

  it('dynamic secrets, imports and folders, to where the caller may not create them, are rejected', async () => {
    const { ids, attacker, rename, deleteDeploy, projectId, projectSlug } = await setUp();
    ok(await deleteDeploy());
    const of = (subject: string, action: string[], conditions: Rule['conditions']): Rule => ({
      ...{ subject, action, conditions },
    });
    const mine = { secretPath: { $glob: '/mine{,/**}' } };
    const root = of('secret-folders', ['create', 'edit'], { secretPath: '/' });
    const dynamic = ['read-root-credential', 'create-root-credential', 'edit-root-credential', 'lease'];
    const call = await attacker(
      ...[root, of('dynamic-secrets', dynamic, mine), of('secret-imports', ['read', 'create'], mine)],
      ...[of('secret-folders', ['create'], mine), secrets({ environment: 'prod' }, ['describeSecret'])],
    );
    const dev = { projectId, environment: 'dev' };
    const holdings = {
      dynamic: () =>
        call('POST', '/api/v1/dynamic-secrets', {
          ...{ projectSlug, environmentSlug: 'dev', path: '/mine', name: 'db', defaultTTL: '1h' },
          provider: { type: 'totp', inputs: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' } },
        }),
      import: () =>
        call('POST', '/api/v2/secret-imports', {
          ...{ ...dev, path: '/mine', import: { environment: 'prod', path: '/mine' } },
        }),
      folder: () => call('POST', '/api/v2/folders', { ...dev, path: '/mine', name: 'below' }),
    };
    const emptied = async () => {
      ok(await test.admin('DELETE', `/api/v2/folders/${ids['dev:mine']}`, { ...dev, path: '/' }));
      ids['dev:mine'] = ok(await test.admin('POST', '/api/v2/folders', { ...dev, path: '/', name: 'mine' })).folder.id;
    };
    for (const [what, make] of Object.entries(holdings)) {
      ok(await make());
      expect([what, (await rename(call, ids['dev:mine']!, 'deploy')).status]).toEqual([what, 403]);
      await emptied();
    }
    ok(await rename(call, ids['dev:mine']!, 'deploy'));
  });

  it.each(['folder', 'environment'])(
    'secrets that a rotation is about to create, by another name of its %s, are rejected',
    async (what) => {
      const { ids, attacker, rename, renameEnvironment, deleteDeploy, projectId } = await setUp();
      const { organizationId } = test;
      const planned = { secretsMapping: { username: 'DB', password: 'PASSWORD' }, isRotated: false };
      await makeRotation(test.coffer, { organizationId, projectId, name: 'first', secretPath: '/mine', ...planned });
      const conditions = { environment: 'dev', secretPath: { $glob: '/mine' } };
      const rest: Rule[] = [FOLDERS, ENVIRONMENTS, { subject: 'secret-rotation', action: ['create'] }];
      ok(await deleteDeploy());
      const renamed = (call: Caller) =>
        what === 'folder' ? rename(call, ids['dev:mine']!, 'deploy') : renameEnvironment(call, 'dev', 'live');
      expect(await renamed(await attacker(...rest, secrets(conditions)))).toMatchObject(REFUSED);
      expect(await renamed(await attacker(...rest, secrets({ secretName: 'DB' })))).toMatchObject(REFUSED);
      ok(await renamed(await attacker(...rest, secrets({ secretName: { $in: ['DB', 'PASSWORD'] } }))));
    },
  );

  it('a tag, to a forbidden slug, is rejected, and so is taking that slug from others', async () => {
    const { ids, at, put, attacker, projectId } = await setUp();
    const call = await attacker(
      { subject: 'tags', action: ['read', 'edit'] },
      secrets({ secretTags: { $in: ['mine'] } }),
    );
    const tagged = (slug: string) => ({ tagIds: [ids[`tag:${slug}`]] });
    const change = (as: Caller, tag: string, slug: string) =>
      as('PATCH', `/api/v1/projects/${projectId}/tags/${ids[`tag:${tag}`]}`, { slug });
    expect(await put(call, 'NEW', at('/mine'), tagged('release'))).toMatchObject(REFUSED);
    ok(await put(call, 'DB', at('/mine'), tagged('mine')));
    expect(await change(call, 'release', 'release-old')).toMatchObject(REFUSED);
    ok(await change(test.admin, 'release', 'release-old'));
    expect(await change(call, 'mine', 'release')).toMatchObject(REFUSED);
  });

  it('secrets without a tag, by deleting the tag, are rejected', async () => {
    const { ids, at, put, attacker, projectId } = await setUp();
    const reading = ['describeSecret', 'readValue'];
    const mine = { secretTags: { $in: ['mine'] } };
    const consumer = await attacker(secrets(undefined, reading), forbid(mine, reading));
    const value = async () =>
      (await consumer('GET', `/api/v4/secrets/OWN?${new URLSearchParams(at('/mine')).toString()}`)).body.secret
        ?.secretValue as unknown;
    const tags: Rule = { subject: 'tags', action: ['read', 'create', 'edit', 'delete'] };
    const deletion = (as: Caller, tag: string) =>
      as('DELETE', `/api/v1/workspace/${projectId}/tags/${ids[`tag:${tag}`]}`);
    const untagging = (as: Caller) => as('PATCH', '/api/v4/secrets/OWN', { ...at('/mine'), tagIds: [] });
    const limited = [
      await attacker(tags, secrets(mine)),
      await attacker(tags, secrets(), forbid({ secretTags: { $ne: 'mine' } }, ['create'])),
      await attacker(tags, secrets({ secretPath: '/deploy' })),
    ];
    expect(await put(limited[0]!, 'OWN', at('/mine'))).toMatchObject(REFUSED);
    ok(await put(limited[0]!, 'OWN', at('/mine'), { tagIds: [ids['tag:mine']] }));
    for (const call of limited) {
      expect(await untagging(call)).toMatchObject(REFUSED);
      expect(await deletion(call, 'mine')).toMatchObject(REFUSED);
    }
    expect(await value()).toBeUndefined();
    // Whoever may untag each of them deletes the tag, and so does anybody where no secret has it.
    ok(await deletion(await attacker(tags, secrets(undefined, ['describeSecret', 'readValue', 'edit'])), 'mine'));
    expect(await value()).toBe('forged');
    ok(await test.admin('PATCH', '/api/v4/secrets/DB', { ...at('/deploy'), tagIds: [] }));
    ok(await test.admin('PATCH', '/api/v4/secrets/DB', { ...at('/deploy', 'prod'), tagIds: [] }));
    ok(await deletion(await attacker(tags), 'release'));
  });

  it('a tag on one secret, or a rename of it, that a rule forbids to create, is rejected', async () => {
    const { at, put, attacker, ids } = await setUp();
    const call = await attacker(
      ...[secrets(), forbid({ secretTags: { $in: ['release'] } }, ['create'])],
      ...[forbid({ secretName: 'GUARDED' }, ['create']), forbid({ secretName: 'KEPT' }, ['delete'])],
    );
    for (const name of ['OWN', 'KEPT']) ok(await put(call, name, at('/mine')));
    const change = (name: string, what: object) =>
      call('PATCH', `/api/v4/secrets/${name}`, { ...at('/mine'), ...what });
    expect(await change('OWN', { tagIds: [ids['tag:release']] })).toMatchObject(REFUSED);
    expect(await change('OWN', { newSecretName: 'GUARDED' })).toMatchObject(REFUSED);
    expect(await change('KEPT', { newSecretName: 'OTHER' })).toMatchObject(REFUSED);
    ok(await change('OWN', { newSecretName: 'OTHER', tagIds: [ids['tag:mine']] }));
  });

  it('a caller with edit but not create can rename and tag single secrets in place', async () => {
    const { at, attacker, ids } = await setUp();
    const call = await attacker(secrets({ secretPath: '/deploy' }, ['describeSecret', 'edit']));
    const what = { newSecretName: 'OTHER', tagIds: [ids['tag:mine']] };
    expect((await call('PATCH', '/api/v4/secrets/DB', { ...at('/deploy'), ...what })).status).toBe(200);
  });

  it('the former name of a folder, by restoring it, is refused', async () => {
    const { ids, value, attacker, rename, projectId } = await setUp();
    const base = `/api/v1/projects/${projectId}/history`;
    const { revision } = ok(await test.admin('GET', `${base}/tree?environment=dev&secretPath=/none`)).tree;
    ok(await rename(test.admin, ids['dev:deploy']!, 'old'));
    const restore = (as: Caller) => as('POST', `${base}/restore`, { environment: 'dev', secretPath: '/', revision });
    const rollback: Rule = { subject: 'commits', action: ['read', 'perform-rollback'] };
    expect(
      await restore(await attacker(rollback, FOLDERS, secrets(), forbid({ secretPath: '/deploy' }))),
    ).toMatchObject(REFUSED);
    expect(await value('/old')).toBe('genuine');
    ok(await restore(test.admin));
    expect(await value('/deploy')).toBe('genuine');
  });
});

describe('attack: deleting, by renaming, what a rule forbids to delete', () => {
  it('a folder or environment with such a secret cannot be renamed', async () => {
    const { ids, attacker, rename, renameEnvironment } = await setUp();
    const call = await attacker(FOLDERS, ENVIRONMENTS, secrets(), forbid({}, ['delete']));
    expect(await rename(call, ids['dev:deploy']!, 'away')).toMatchObject(REFUSED);
    expect(await renameEnvironment(call, 'prod', 'away')).toMatchObject(REFUSED);
    ok(await rename(call, ids['dev:mine']!, 'away'));
  });

  it('environments, tags and roles keep their slugs if a rule forbids to delete or create them', async () => {
    const { ids, projectId, attacker } = await setUp();
    const roles = `/api/v1/projects/${projectId}/roles`;
    const { role } = ok(await test.admin('POST', roles, { slug: 'deployer', name: 'deployer', permissions: [] }));
    const kinds = {
      environments: `/api/v1/projects/${projectId}/environments/${ids['prod']}`,
      tags: `/api/v1/projects/${projectId}/tags/${ids['tag:release']}`,
      role: `${roles}/${role.id}`,
    };
    for (const [subject, url] of Object.entries(kinds)) {
      const all: Rule[] = [secrets(), FOLDERS, { subject, action: ['read', 'create', 'edit', 'delete'] }];
      for (const action of ['delete', 'create']) {
        const call = await attacker(...all, { subject, action: [action], inverted: true });
        expect([subject, action, (await call('PATCH', url, { slug: 'away' })).body]).toMatchObject([
          ...[subject, action, REFUSED.body],
        ]);
        if (subject !== 'tags') ok(await call('PATCH', url, { name: `${action}-is-forbidden` }));
      }
      const editor = await attacker(secrets(), FOLDERS, { subject, action: ['edit'] });
      expect([subject, (await editor('PATCH', url, { slug: 'away' })).status]).toEqual([subject, 200]);
    }
  });

  it.each(['move', 'duplicate'])('by %s over it is rejected, and a personal value of it stays', async (how) => {
    const { at, put, value, attacker, projectId } = await setUp();
    const owner = await makeUser(test.coffer, { organizationId: test.organizationId });
    ok(
      await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, {
        ...{ usernames: [owner.email], emails: [], roleSlugs: ['member'] },
      }),
    );
    const personal = test.as(owner.token);
    ok(await put(personal, 'DB', at('/deploy'), { secretValue: 'own', type: 'personal' }));
    const overwrite = async (call: Caller) => {
      const { secret } = ok(await put(call, 'DB', at('/mine')));
      return call('POST', `/api/v4/secrets/${how}`, {
        ...{ projectId, sourceEnvironment: 'dev', sourceSecretPath: '/mine', secretIds: [secret.id] },
        ...{ destinationEnvironment: 'dev', destinationSecretPath: '/deploy', shouldOverwrite: true },
      });
    };
    const forbidden = await attacker(FOLDERS, secrets(), forbid({ secretPath: '/deploy' }, ['delete']));
    expect(await overwrite(forbidden)).toMatchObject(REFUSED);
    expect(await value('/deploy')).toBe('genuine');
    const query = new URLSearchParams({ ...at('/deploy'), type: 'personal' }).toString();
    expect(ok(await personal('GET', `/api/v4/secrets/DB?${query}`)).secret.secretValue).toBe('own');
    ok(await test.admin('DELETE', '/api/v4/secrets/DB', at('/mine')));
    ok(await overwrite(await attacker(secrets(undefined, SECRETS.slice(0, 4)), secrets({ secretPath: '/mine' }))));
    expect(await value('/deploy')).toBe('forged');
  });
});
