import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let tagId: string;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  const tagged = await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'closed', color: '' });
  tagId = tagged.body.workspaceTag.id;
  for (const name of ['vault', 'open'])
    await test.admin('POST', '/api/v2/folders', { projectId, environment: 'dev', name, path: '/' });
});
afterAll(() => test.close());

/** The first value of a secret, which not everybody may read. */
const first = (name: string) => `first ${name}`;
const everything: Rule[] = [
  { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'] },
  { subject: 'secret-folders', action: ['create', 'edit', 'delete'] },
  { subject: 'environments', action: ['read', 'edit'] },
  { subject: 'tags', action: ['read', 'edit', 'delete'] },
  { subject: 'commits', action: ['read', 'perform-rollback'] },
  { subject: 'secret-rollback', action: ['read', 'create'] },
];
const but = (conditions: Rule['conditions']): Rule[] => [
  ...everything,
  { subject: 'secrets', action: ['readValue'], conditions, inverted: true },
];

interface Place {
  readonly environment: string;
  readonly secretPath: string;
}
const inVault: Place = { environment: 'dev', secretPath: '/vault' };
const inOpen: Place = { environment: 'dev', secretPath: '/open' };

/** Creates the first version of a secret; returns its ID. */
async function store(name: string, at: Place, more: object = {}): Promise<string> {
  const { body } = await test.admin('POST', `/api/v4/secrets/${name}`, {
    projectId,
    ...at,
    secretValue: first(name),
    ...more,
  });
  return body.secret.id;
}

const change = (name: string, at: Place, more: object) =>
  test.admin('PATCH', `/api/v4/secrets/${name}`, { projectId, ...at, ...more });

const move = (id: string, from: Place, to: Place) =>
  test.admin('POST', '/api/v4/secrets/move', {
    projectId,
    sourceEnvironment: from.environment,
    sourceSecretPath: from.secretPath,
    destinationEnvironment: to.environment,
    destinationSecretPath: to.secretPath,
    secretIds: [id],
  });

const revision = async (): Promise<number> =>
  (await test.admin('GET', `/api/v1/projects/${projectId}/history/tree?environment=prod`)).body.tree.revision;

/** Every operation that returns former versions, as one caller sees it. */
async function allAnswers(call: Caller, id: string, name: string, at: Place): Promise<string> {
  const query = new URLSearchParams({ ...at, projectId, version: '1' }).toString();
  const old = new URLSearchParams({ ...at, workspaceId: projectId, version: '1' }).toString();
  const base = `/api/v1/projects/${projectId}`;
  const { commits } = (await test.admin('GET', `${base}/commits?environment=dev&secretPath=/&recursive=true`)).body;
  const revisions = Array.from({ length: (await revision()) + 1 }, (_, index) => index);
  const answers = [
    await call('GET', `/api/v4/secrets/${name}?${query}`),
    await call('GET', `/api/v3/secrets/raw/${name}?${old}`),
    await call('GET', `/api/v1/secret/${id}/secret-versions?offset=0&limit=20`),
    await call('GET', `/api/v4/secrets/id/${id}/versions?offset=0&limit=20`),
    await call('GET', `${base}/history/compare?from=2020-01-01T00:00:00Z`),
  ];
  for (const one of revisions) answers.push(await call('GET', `${base}/history/tree?revision=${one}`));
  for (const commit of commits) answers.push(await call('GET', `${base}/commits/${commit.id}`));
  return JSON.stringify(answers.map(({ body }) => body));
}

describe('attack: former versions of a secret', () => {
  it('is not read by version after the tag that closed it was taken off', async () => {
    const id = await store('TAGGED', inOpen, { tagIds: [tagId] });
    await change('TAGGED', inOpen, { tagIds: [], secretValue: 'for everybody' });
    const { call } = await test.identity({ projectId, rules: but({ secretTags: { $in: ['closed'] } }) });
    const seen = await allAnswers(call, id, 'TAGGED', inOpen);
    expect(seen.includes(first('TAGGED'))).toBe(false);
    expect(seen.includes('for everybody')).toBe(true);
    expect((await allAnswers(test.admin, id, 'TAGGED', inOpen)).includes(first('TAGGED'))).toBe(true);
  });

  it('cannot be read by version after a move or rename to where it may be read', async () => {
    const [moved, renamed] = [await store('MOVED', inVault), await store('VAULT_KEY', inOpen)];
    await change('MOVED', inVault, { secretValue: 'for everybody' });
    await move(moved, inVault, inOpen);
    await change('VAULT_KEY', inOpen, { newSecretName: 'KEY', secretValue: 'for everybody' });
    const outside = await test.identity({ projectId, rules: but({ secretPath: { $glob: '/vault/**' } }) });
    expect((await allAnswers(outside.call, moved, 'MOVED', inOpen)).includes(first('MOVED'))).toBe(false);
    const read = new URLSearchParams({ ...inOpen, projectId, version: '1' }).toString();
    expect((await outside.call('GET', `/api/v4/secrets/MOVED?${read}`)).status).toBe(403);
    const byName = await test.identity({ projectId, rules: but({ secretName: { $glob: 'VAULT_*' } }) });
    expect((await byName.call('GET', `/api/v4/secrets/KEY?${read}`)).status).toBe(403);
    const { body } = await byName.call('GET', `/api/v1/secret/${renamed}/secret-versions?offset=0&limit=20`);
    expect(JSON.stringify(body)).not.toContain(first('VAULT_KEY'));
  });

  it('is not read by version after the folder, the environment or the tag got another name', async () => {
    const at = { environment: 'staging', secretPath: '/inner' };
    const folder = await test.admin('POST', '/api/v2/folders', {
      projectId,
      environment: 'staging',
      name: 'inner',
      path: '/',
    });
    const tag = await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'early', color: '' });
    const { id: earlyId } = tag.body.workspaceTag;
    const id = await store('HELD', at, { tagIds: [earlyId] });
    const environments = (await test.admin('GET', `/api/v1/workspace/${projectId}`)).body.workspace.environments;
    const staging = environments.find((one: { slug: string }) => one.slug === 'staging').id;
    await change('HELD', at, { secretValue: 'for everybody' });
    await test.admin('PATCH', `/api/v2/folders/${folder.body.folder.id}`, {
      ...{ projectId, environment: 'staging', path: '/' },
      name: 'outer',
    });
    await test.admin('PATCH', `/api/v1/workspace/${projectId}/environments/${staging}`, { slug: 'later' });
    await test.admin('PATCH', `/api/v1/workspace/${projectId}/tags/${earlyId}`, { slug: 'late' });
    const now = { environment: 'later', secretPath: '/outer' };
    const read = new URLSearchParams({ ...now, projectId, version: '1' }).toString();
    for (const conditions of [
      { environment: 'staging' },
      { environment: 'later' },
      { secretPath: '/inner' },
      { secretPath: '/outer' },
      { secretTags: { $in: ['early'] } },
      { secretTags: { $in: ['late'] } },
    ]) {
      const { call } = await test.identity({ projectId, rules: but(conditions) });
      expect([conditions, (await call('GET', `/api/v4/secrets/HELD?${read}`)).status]).toEqual([conditions, 403]);
      const { body } = await call('GET', `/api/v4/secrets/id/${id}/versions?offset=0&limit=20`);
      expect(JSON.stringify(body)).not.toContain(first('HELD'));
    }
    expect((await test.admin('GET', `/api/v4/secrets/HELD?${read}`)).body.secret.secretValue).toBe(first('HELD'));
    // A deleted tag still hides what it hid.
    await test.admin('DELETE', `/api/v1/workspace/${projectId}/tags/${earlyId}`);
    const { call } = await test.identity({ projectId, rules: but({ secretTags: { $in: ['early'] } }) });
    expect((await call('GET', `/api/v4/secrets/HELD?${read}`)).status).toBe(403);
  });

  it('cannot be restored, by a restoration or a rollback, to where it may be read', async () => {
    const { body } = await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, {
      slug: 'closed-then',
      color: '',
    });
    const ownTagId = body.workspaceTag.id;
    const id = await store('BACK', inOpen, { tagIds: [ownTagId] });
    const then = await revision();
    await change('BACK', inOpen, { tagIds: [], secretValue: 'for everybody' });
    await test.admin('DELETE', `/api/v1/workspace/${projectId}/tags/${ownTagId}`);
    const { call } = await test.identity({ projectId, rules: but({ secretTags: { $in: ['closed-then'] } }) });
    const restored = await call('POST', `/api/v1/projects/${projectId}/history/restore`, {
      ...inOpen,
      revision: then,
    });
    expect(restored.status).toBe(403);
    expect((await allAnswers(call, id, 'BACK', inOpen)).includes(first('BACK'))).toBe(false);
  });
});
