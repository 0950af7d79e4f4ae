import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** A project with the secret HIDDEN (tagged `closed`) and PUBLIC in dev, and an empty folder /open. */
async function setUp() {
  const { admin } = test;
  const project = await test.project();
  const at = { projectId: project.id, environment: 'dev' };
  const query = `projectId=${project.id}&environment=dev`;
  const tag = async (slug: string): Promise<string> =>
    (await admin('POST', `/api/v1/workspace/${project.id}/tags`, { slug, color: '' })).body.workspaceTag.id;
  const tags = { closed: await tag('closed'), open: await tag('open') };
  await admin('POST', '/api/v1/folders', { workspaceId: project.id, environment: 'dev', name: 'open' });
  const hidden = await admin('POST', '/api/v4/secrets/HIDDEN', { ...at, secretValue: 'h1dden', tagIds: [tags.closed] });
  await admin('POST', '/api/v4/secrets/PUBLIC', { ...at, secretValue: 'public' });
  const withRules = async (rules: Rule[]) => (await test.identity({ projectId: project.id, rules })).call;
  return { project, at, query, tags, hiddenId: hidden.body.secret.id as string, withRules };
}

/** An answer without what differs from call to call. */
const comparable = ({ status, body: { reqId: _reqId, ...body } }: Answer) => ({ status, body });

describe('a value that is hidden', () => {
  const ALL = ['describeSecret', 'create', 'edit', 'delete'];
  const but = (conditions: Rule['conditions']): Rule[] => [
    { subject: 'secrets', action: ALL },
    { subject: 'secrets', action: 'readValue', conditions },
  ];

  it('is not disclosed by moving the secret to where it could be read', async () => {
    const { at, query, hiddenId, withRules } = await setUp();
    const call = await withRules(but({ secretPath: '/open' }));
    const move = { ...at, sourceEnvironment: 'dev', destinationEnvironment: 'dev', destinationSecretPath: '/open' };
    expect((await call('POST', '/api/v4/secrets/move', { ...move, secretIds: [hiddenId] })).status).toBe(403);
    expect((await test.admin('GET', `/api/v4/secrets/HIDDEN?${query}`)).status).toBe(200);
  });

  it('is not disclosed by a name under which it could be read', async () => {
    const { at, withRules } = await setUp();
    const call = await withRules(but({ secretName: { $glob: 'PUB*' } }));
    const renamed = await call('PATCH', '/api/v4/secrets/HIDDEN', { ...at, newSecretName: 'PUB' });
    expect(renamed).toMatchObject({ status: 403, body: { error: 'PermissionDenied' } });
    const secrets = [{ secretKey: 'HIDDEN', newSecretName: 'PUB' }];
    expect((await call('PATCH', '/api/v4/secrets/batch', { ...at, secrets })).status).toBe(403);
    expect((await call('PATCH', '/api/v4/secrets/PUBLIC', { ...at, newSecretName: 'PUB' })).status).toBe(200);
  });

  it('is not disclosed by adding a tag that permits it, or removing the one that forbids it', async () => {
    const { at, tags, withRules } = await setUp();
    const opened = await withRules(but({ secretTags: { $in: ['open'] } }));
    const closed = await withRules([
      { subject: 'secrets', action: ['read', 'edit'] },
      { subject: 'secrets', action: 'readValue', conditions: { secretTags: { $in: ['closed'] } }, inverted: true },
    ]);
    const { projectId, ...place } = at;
    const tag = (method: 'POST' | 'DELETE', slug: string) =>
      [method, '/api/v3/secrets/tags/HIDDEN', { ...place, workspaceId: projectId, tagSlugs: [slug] }] as const;
    expect((await opened('PATCH', '/api/v4/secrets/HIDDEN', { ...at, tagIds: [tags.open] })).status).toBe(403);
    expect((await opened(...tag('POST', 'open'))).status).toBe(403);
    expect((await closed('PATCH', '/api/v4/secrets/HIDDEN', { ...at, tagIds: [] })).status).toBe(403);
    expect((await closed(...tag('DELETE', 'closed'))).status).toBe(403);
    const kept = await closed('PATCH', '/api/v4/secrets/HIDDEN', { ...at, secretComment: 'kept' });
    expect(kept.body.secret).toMatchObject({ secretValueHidden: true, secretValue: '<hidden>' });
  });

  it('does not name the reference if it refuses a cycle', async () => {
    const { at, withRules } = await setUp();
    const prod = { ...at, environment: 'prod' };
    await test.admin('POST', '/api/v4/secrets/VISIBLE', { ...at, secretValue: '${prod.UNSEEN}' });
    await test.admin('POST', '/api/v4/secrets/UNSEEN', { ...prod, secretValue: '${dev.LOOP}' });
    const call = await withRules([
      { subject: 'secrets', action: ['read', 'create'], conditions: { environment: 'dev' } },
    ]);
    const refused = await call('POST', '/api/v4/secrets/LOOP', { ...at, secretValue: '${VISIBLE}' });
    expect(refused.body.details.cycle).toEqual(['dev/LOOP', 'dev/VISIBLE', '…', 'dev/LOOP']);
    expect(JSON.stringify(refused.body)).not.toContain('UNSEEN');
  });
});

describe('an actor without permissions at a place', () => {
  it('gets the same error for an existing and an unknown folder or name', async () => {
    const { project, at, query, hiddenId, withRules } = await setUp();
    const call = await withRules([
      { subject: 'secrets', action: ['read'], conditions: { environment: 'prod' } },
      { subject: 'dynamic-secrets', action: ['lease'], conditions: { environment: 'prod' } },
    ]);
    const both = async (ask: (name: string) => Promise<Answer>) => {
      const [there, absent] = [await ask('HIDDEN'), await ask('NOTHING')];
      const text = (answer: Answer) => JSON.stringify(comparable(answer)).replaceAll(/HIDDEN|NOTHING/g, 'X');
      expect(text(there)).toBe(text(absent));
    };
    const folders = async (ask: (path: string) => Promise<Answer>) => {
      const [there, absent] = [await ask('/open'), await ask('/nope')];
      const text = (answer: Answer) => JSON.stringify(comparable(answer)).replaceAll(/open|nope/g, 'x');
      expect(text(there)).toBe(text(absent));
    };
    await both((name) => call('GET', `/api/v4/secrets/${name}?${query}`));
    await both((name) => call('PATCH', `/api/v4/secrets/${name}`, { ...at, secretValue: 'v' }));
    await both((name) => call('DELETE', `/api/v4/secrets/${name}`, at));
    await both((name) => call('POST', `/api/v4/secrets/${name}`, { ...at, secretValue: 'v' }));
    for (const mode of ['failOnNotFound', 'ignore', 'upsert'])
      await both((secretKey) => call('PATCH', '/api/v4/secrets/batch', { ...at, mode, secrets: [{ secretKey }] }));
    await folders((path) => call('GET', `/api/v4/secrets?${query}&secretPath=${path}`));
    await folders((path) => call('GET', `/api/v4/secrets?${query}&secretPath=${path}&recursive=true`));
    await folders((path) => call('POST', '/api/v4/secrets/A', { ...at, secretPath: path, secretValue: 'v' }));
    await folders((path) =>
      call('GET', `/api/v1/secret-imports?workspaceId=${project.id}&environment=dev&path=${path}`),
    );
    const place = `projectSlug=${project.slug}&environmentSlug=dev`;
    await folders((path) => call('GET', `/api/v1/dynamic-secrets?${place}&path=${path}`));
    expect((await call('GET', `/api/v4/secrets/id/${hiddenId}`)).status).toBe(403);
  });

  it('is told no source of an import of which it sees nothing, unless it may read imports, nor whether it exists', async () => {
    const { project, at, query, withRules } = await setUp();
    const { projectId, environment } = at;
    const source = { workspaceId: projectId, environment: 'prod', name: 'source' };
    const { folder } = (await test.admin('POST', '/api/v1/folders', source)).body;
    for (const path of ['/', '/source']) {
      const made = { workspaceId: projectId, environment, path: '/open', import: { environment: 'prod', path } };
      expect((await test.admin('POST', '/api/v1/secret-imports', made)).status).toBe(200);
    }
    const rule = (subject: string, on: string): Rule => {
      const action = subject === 'secrets' ? ['describeSecret', 'readValue'] : ['read'];
      return { subject, action, conditions: { environment: on, secretPath: { $glob: '/{open,source}' } } };
    };
    const listedFor = async (...rules: Rule[]) => {
      const call = await withRules(rules);
      const of = `workspaceId=${project.id}&environment=dev&path=/open`;
      const listed = await call('GET', `/api/v4/secrets?${query}&secretPath=/open&includeImports=true`);
      const alone = await call('GET', `/api/v1/secret-imports/secrets/raw?${of}`);
      expect(alone.body.secrets.length).toBe(listed.body.imports.length);
      return listed.body.imports.map((one: { secretPath: string; folderId: string }) => [one.secretPath, one.folderId]);
    };
    expect(await listedFor(rule('secrets', 'dev'))).toEqual([]);
    expect(await listedFor(rule('secret-imports', 'dev'))).toEqual([
      ['/', null],
      ['/source', null],
    ]);
    expect(await listedFor(rule('secrets', 'prod'))).toEqual([['/source', folder.id]]);
  });

  it('finds out nothing through personal values', async () => {
    const { project, at, query } = await setUp();
    const email = `${project.slug}@example.com`;
    const user = await makeUser(test.coffer, { email, organizationId: test.organizationId });
    await test.admin('POST', `/api/v2/workspace/${project.id}/memberships`, {
      emails: [email],
      roleSlugs: ['no-access'],
    });
    const ann = test.as(user.token);
    const ask = async (method: 'POST' | 'PATCH' | 'DELETE' | 'GET') => {
      const of = (name: string) =>
        method === 'GET'
          ? ann(method, `/api/v4/secrets/${name}?${query}&type=personal`)
          : ann(method, `/api/v4/secrets/${name}`, { ...at, type: 'personal', secretValue: 'v' });
      const text = async (name: string) => JSON.stringify(comparable(await of(name))).replaceAll(name, 'X');
      expect([method, await text('HIDDEN')]).toEqual([method, await text('NOTHING')]);
    };
    for (const method of ['POST', 'PATCH', 'DELETE', 'GET'] as const) await ask(method);
  });
});

describe('a personal value', () => {
  it('may refer to the shared one that it overrides', async () => {
    const { project, at, query } = await setUp();
    const email = `${project.slug}@example.com`;
    const user = await makeUser(test.coffer, { email, organizationId: test.organizationId });
    await test.admin('POST', `/api/v2/workspace/${project.id}/memberships`, { emails: [email], roleSlugs: ['member'] });
    const ann = test.as(user.token);
    await ann('POST', '/api/v4/secrets/PUBLIC', { ...at, secretValue: '${PUBLIC}!', type: 'personal' });
    const read = await ann('GET', `/api/v4/secrets/PUBLIC?${query}&type=personal&expandSecretReferences=true`);
    expect(read.body.secret.secretValue).toBe('public!');
  });
});

describe('overwriting by a move or copy', () => {
  it('is logged as deleted, and its copy is complete', async () => {
    const { project, at, hiddenId } = await setUp();
    await test.admin('PATCH', '/api/v4/secrets/HIDDEN', { ...at, secretReminderRecipients: ['ann@example.com'] });
    await test.admin('POST', '/api/v4/secrets/HIDDEN', { ...at, secretPath: '/open', secretValue: 'old' });
    const copied = await test.admin('POST', '/api/v4/secrets/duplicate', {
      projectId: project.id,
      sourceEnvironment: 'dev',
      destinationEnvironment: 'dev',
      destinationSecretPath: '/open',
      secretIds: [hiddenId],
      shouldOverwrite: true,
    });
    expect(copied.body.secrets[0]).toMatchObject({ secretReminderRecipients: ['ann@example.com'], version: 1 });
    const text = `select data from audit_events where project_id = $1 and type = 'secrets.deleted'`;
    const rows = await test.coffer.query<{ data: object }>({ name: 'test.overwritten', text }, [project.id]);
    expect(rows).toMatchObject([{ data: { secretPath: '/open', secrets: [{ secretKey: 'HIDDEN' }] } }]);
  });
});
