import { setTimeout as sleep } from 'node:timers/promises';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let secretId: string;
let tagId: string;
let environmentId: string;
let folderId: string;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  const place = { projectId, environment: 'dev', secretPath: '/' };
  secretId = (await ok(test.admin('POST', '/api/v4/secrets/KEY', { ...place, secretValue: 'v' }))).secret.id;
  const tags = `/api/v1/projects/${projectId}/tags`;
  tagId = (await ok(test.admin('POST', tags, { slug: 'red', color: '' }))).tag.id;
  const { project } = await ok(test.admin('GET', `/api/v1/projects/${projectId}`));
  environmentId = project.environments[0].id;
  const folder = { projectId, environment: 'dev', path: '/', name: 'app' };
  folderId = (await ok(test.admin('POST', '/api/v2/folders', folder))).folder.id;
});
afterAll(() => test.close());

const here = () => ({ projectId, environment: 'dev', secretPath: '/' });
const moving = () => ({
  ...{ projectId, sourceEnvironment: 'dev', sourceSecretPath: '/', destinationEnvironment: 'prod' },
  ...{ destinationSecretPath: '/', secretIds: [secretId] },
});
const movingFolder = () => ({
  ...{ projectId, sourceEnvironment: 'dev', sourceSecretPath: '/', folderNames: ['app'] },
  ...{ destinationEnvironment: 'prod', destinationSecretPath: '/' },
});
const tagging = () => ({ workspaceId: projectId, environment: 'dev', secretPath: '/', tagSlugs: ['red'] });
const REFERENCE = '${OTHER}';

/** Changes that lock the names of the project. */
const CHANGES: Record<string, (call: Caller) => Promise<Answer>> = {
  'several secrets': (call) =>
    call('POST', `/api/v1/projects/${projectId}/secrets/changes`, {
      changes: [{ environment: 'dev', secretPath: '/', delete: [{ secretKey: 'KEY' }] }],
    }),
  'a new secret with a reference': (call) => call('POST', '/api/v4/secrets/NEW', { ...here(), secretValue: REFERENCE }),
  'new secrets with references': (call) =>
    call('POST', '/api/v4/secrets/batch', { ...here(), secrets: [{ secretKey: 'NEW', secretValue: REFERENCE }] }),
  'the name of a secret': (call) => call('PATCH', '/api/v4/secrets/KEY', { ...here(), newSecretName: 'OTHER' }),
  'the names of secrets': (call) =>
    call('PATCH', '/api/v4/secrets/batch', { ...here(), secrets: [{ secretKey: 'KEY', newSecretName: 'OTHER' }] }),
  'the tags of a secret': (call) => call('POST', '/api/v3/secrets/tags/KEY', tagging()),
  'tags that a secret loses': (call) => call('DELETE', '/api/v3/secrets/tags/KEY', tagging()),
  'the folder of a secret': (call) => call('POST', '/api/v4/secrets/move', moving()),
  'a copy of a secret': (call) => call('POST', '/api/v4/secrets/duplicate', moving()),
  'the name of a folder': (call) =>
    call('PATCH', `/api/v2/folders/${folderId}`, { projectId, environment: 'dev', path: '/', name: 'web' }),
  'the place of a folder': (call) => call('POST', '/api/v2/folders/move', movingFolder()),
  'a copy of a folder': (call) => call('POST', '/api/v2/folders/copy', movingFolder()),
  'a deleted folder': (call) =>
    call('DELETE', `/api/v2/folders/${folderId}`, { projectId, environment: 'dev', path: '/' }),
  'the slug of an environment': (call) =>
    call('PATCH', `/api/v1/projects/${projectId}/environments/${environmentId}`, { slug: 'other' }),
  'the slug of a tag': (call) => call('PATCH', `/api/v1/projects/${projectId}/tags/${tagId}`, { slug: 'blue' }),
  'a deleted tag': (call) => call('DELETE', `/api/v1/projects/${projectId}/tags/${tagId}`),
  'an import': (call) =>
    call('POST', '/api/v2/secret-imports', {
      ...{ projectId, environment: 'dev', path: '/', import: { environment: 'prod', path: '/' } },
    }),
};

/** The same for a value of one's own in place of a secret. */
const OWN_CHANGES: typeof CHANGES = {
  'a reference': (call) =>
    call('PATCH', '/api/v4/secrets/KEY', { ...here(), type: 'personal', secretValue: REFERENCE }),
  tags: (call) => call('PATCH', '/api/v4/secrets/KEY', { ...here(), type: 'personal', tagIds: [tagId] }),
  'added tags': (call) => call('POST', '/api/v3/secrets/tags/KEY', { ...tagging(), type: 'personal' }),
};

/** The status of a change while somebody has the names of the project. */
async function whileLocked(change: () => Promise<Answer>): Promise<number> {
  const client = await test.owner.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 17))', [projectId]);
    return (await change()).status;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('attack: a member without rights', () => {
  it.each(Object.entries(CHANGES))('does not wait for, nor take, the lock of names: %s', async (_, change) => {
    const { call } = await test.identity({ projectId, projectRole: 'no-access' });
    expect([403, 404]).toContain(await whileLocked(() => change(call)));
  });

  it.each(Object.entries(OWN_CHANGES))('does not do so by a value of its own: %s', async (name, change) => {
    const email = `${name.replace(' ', '-')}-${projectId}@example.com`;
    const user = await makeUser(test.coffer, { email, organizationId: test.organizationId });
    const membership = { emails: [email], roleSlugs: ['no-access'] };
    await ok(test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, membership));
    expect(await whileLocked(() => change(test.as(user.token)))).toBe(404);
  });
});

describe('attack: a member who asks for access', () => {
  it('waits for nobody else who holds the names without changing them', async () => {
    const { project } = await ok(test.admin('GET', `/api/v1/projects/${projectId}`));
    const [asking, approving] = await Promise.all(
      ['asking', 'approving'].map(async (name) => {
        const email = `${name}-${projectId}@example.com`;
        const user = await makeUser(test.coffer, { email, organizationId: test.organizationId });
        const membership = { emails: [email], roleSlugs: ['no-access'] };
        await ok(test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, membership));
        return user;
      }),
    );
    const approvers = [{ type: 'user', id: approving!.id }];
    const policy = { projectSlug: project.slug, environment: 'dev', secretPath: '/', approvers };
    await ok(test.admin('POST', '/api/v1/access-approvals/policies', policy));
    const conditions = { environment: 'dev', secretPath: '/' };
    const permissions = [{ subject: 'secrets', action: ['readValue'], conditions }];
    const client = await test.owner.connect();
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 17))', [projectId]);
      const url = `/api/v1/access-approvals/requests?projectSlug=${project.slug}`;
      const { status } = await test.as(asking!.token)('POST', url, { permissions, isTemporary: false });
      expect(status).toBe(200);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('attack: a member who may see nothing', () => {
  it.each<[string, (call: Caller) => Promise<Answer>]>([
    [
      'a value of its own',
      (call) => call('POST', '/api/v4/secrets/KEY', { ...here(), type: 'personal', secretValue: 'v' }),
    ],
    ['another value', (call) => call('PATCH', '/api/v4/secrets/KEY', { ...here(), secretValue: 'v' })],
    ['a deletion', (call) => call('DELETE', '/api/v4/secrets/KEY', here())],
  ])('does not wait for, nor lock, a secret: %s', async (name, change) => {
    const email = `${name.replaceAll(' ', '-')}-${projectId}@example.com`;
    const user = await makeUser(test.coffer, { email, organizationId: test.organizationId });
    const membership = { emails: [email], roleSlugs: ['no-access'] };
    await ok(test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, membership));
    const client = await test.owner.connect();
    try {
      await client.query('begin');
      await client.query('select from secrets where id = $1 for update', [secretId]);
      expect(await change(test.as(user.token))).toMatchObject({ status: 403 });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('attack: a member who may delete nothing', () => {
  it('does not wait for, nor lock, the folders of an environment', async () => {
    const { call } = await test.identity({ projectId, projectRole: 'no-access' });
    const client = await test.owner.connect();
    try {
      await client.query('begin');
      await client.query('select from environments where id = $1 for update', [environmentId]);
      const place = { projectId, environment: 'dev', path: '/' };
      expect(await call('DELETE', `/api/v2/folders/${folderId}`, place)).toMatchObject({ status: 403 });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('attack: a member who changes a name to which thousands of values refer, again and again', () => {
  const LOCK_TIMEOUT = 500;

  /** The answer to a change of a tag beside a transaction that has the names of its project for so long. */
  async function besides(held: number): Promise<Answer> {
    const other = await testServer({ lockTimeout: LOCK_TIMEOUT });
    const { id } = await other.project();
    const tags = `/api/v1/projects/${id}/tags`;
    const { tag } = await ok(other.admin('POST', tags, { slug: 'red', color: '' }));
    const client = await other.owner.connect();
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 17))', [id]);
      const asked = other.admin('PATCH', `${tags}/${tag.id}`, { slug: 'blue' });
      await Promise.race([sleep(held), asked]);
      await client.query('rollback');
      return await asked;
    } finally {
      client.release();
      await other.close();
    }
  }

  it('lets others change names, who wait for longer than for a lock', async () => {
    expect((await besides(1.5 * LOCK_TIMEOUT)).status).toBe(200);
  });

  it('makes nobody wait without an end', async () => {
    expect(await besides(60_000)).toMatchObject({ status: 503 });
  });
});
