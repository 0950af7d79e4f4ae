import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Certificates, eventsOf, ok } from '../../harness/certificates.ts';
import { TIME, UUID } from '../../harness/folder-tree.ts';
import { testServer, type Caller, type TestServer } from '../../harness/test-server.ts';

const BASE = '/api/v1/pki/collections';
const UNKNOWN = randomUUID();

let test: TestServer;
let of: Certificates;
let projectId: string;
beforeAll(async () => {
  test = await testServer();
  of = await Certificates.in(test);
  projectId = of.projectId;
});
afterAll(() => test.close());

const make = async (more: object = {}) =>
  ok(await test.admin('POST', BASE, { projectId, name: 'Web', description: 'Faces the world', ...more }));
const withRules = async (...actions: string[]): Promise<Caller> =>
  (await test.identity({ projectId, rules: [{ subject: 'pki-collections', action: actions }] })).call;
const without = ({ body, status }: { body: object; status: number }) => ({ status, body: { ...body, reqId: '' } });
const events = (pkiCollectionId: string) => eventsOf(test, { pkiCollectionId });

describe('a collection', () => {
  it('is created as published: flat, its name trimmed and not unique', async () => {
    const body = { projectId, name: '  Web ', description: 'Faces the world' };
    const made = ok(await test.admin('POST', BASE, body));
    expect(made).toEqual({
      id: UUID,
      createdAt: TIME,
      updatedAt: TIME,
      projectId,
      name: 'Web',
      description: 'Faces the world',
    });
    expect(ok(await test.admin('POST', BASE, { projectId, name: 'Web' }))).toMatchObject({ description: '' });
    expect(ok(await test.admin('POST', BASE, { projectId, name: '' }))).toMatchObject({ name: '' });
    expect(await events(made.id)).toEqual(['pki_collection.created']);
  });

  it('is read, updated in the given fields, and deleted', async () => {
    const made = await make();
    expect(ok(await test.admin('GET', `${BASE}/${made.id}`))).toEqual(made);
    const changed = ok(await test.admin('PATCH', `${BASE}/${made.id}`, { name: 'Inside' }));
    expect(changed).toEqual({ ...made, name: 'Inside', updatedAt: TIME });
    expect(ok(await test.admin('PATCH', `${BASE}/${made.id}`, { description: '' }))).toMatchObject({
      name: 'Inside',
      description: '',
    });
    const deleted = ok(await test.admin('DELETE', `${BASE}/${made.id}`));
    expect(deleted).toMatchObject({ id: made.id, name: 'Inside' });
    expect((await test.admin('GET', `${BASE}/${made.id}`)).status).toBe(404);
    expect(await events(made.id)).toEqual([
      'pki_collection.created',
      'pki_collection.updated',
      'pki_collection.updated',
      'pki_collection.deleted',
    ]);
  });

  it('is listed with the others of its project', async () => {
    const own = await Certificates.in(test);
    const [one, two] = [await make({ projectId: own.projectId }), await make({ projectId: own.projectId })];
    for (const path of [
      `/api/v2/workspace/${own.projectId}/pki-collections`,
      `/api/v1/projects/${own.projectId}/pki-collections`,
    ])
      expect(ok(await test.admin('GET', path))).toEqual({ collections: [one, two] });
  });

  it('rejects invalid input', async () => {
    expect((await test.admin('POST', BASE, { projectId })).status).toBe(422);
    expect((await test.admin('POST', BASE, { name: 'x' })).status).toBe(422);
    expect((await test.admin('POST', BASE, { projectId, name: 'x'.repeat(256) })).status).toBe(422);
    expect((await test.admin('POST', BASE, { projectId, name: 'a\0b' })).status).toBe(422);
    expect((await test.admin('POST', BASE, { projectId: UNKNOWN, name: 'x' })).status).toBe(404);
  });
});

describe('at the same time', () => {
  it('a collection is deleted once', async () => {
    const { id } = await make();
    const answers = await Promise.all([1, 2, 3].map(() => test.admin('DELETE', `${BASE}/${id}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    expect(await events(id)).toEqual(['pki_collection.created', 'pki_collection.deleted']);
  });

  it('an item is added once, and none to a deleted collection', async () => {
    const { id } = await make();
    const ca = await of.authority();
    const add = (itemId: string) => test.admin('POST', `${BASE}/${id}/items`, { type: 'ca', itemId });
    const twice = await Promise.all([add(ca.id), add(ca.id), add(ca.id)]);
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    const other = await of.authority();
    const [deleted, added, changed] = await Promise.all([
      test.admin('DELETE', `${BASE}/${id}`),
      add(other.id),
      test.admin('PATCH', `${BASE}/${id}`, { name: 'x' }),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(added.status);
    expect([200, 404]).toContain(changed.status);
    expect((await events(id)).at(-1)).toBe('pki_collection.deleted');
  });
});

describe('whom a collection refuses', () => {
  const operations = (id: string, itemId: string) =>
    [
      ['GET', `/api/v2/workspace/${projectId}/pki-collections`, 'read'],
      ['POST', BASE, 'create', { projectId, name: 'x' }],
      ['GET', `${BASE}/${id}`, 'read'],
      ['PATCH', `${BASE}/${id}`, 'edit', { name: 'x' }],
      ['POST', `${BASE}/${id}/items`, 'create', { type: 'ca', itemId: UNKNOWN }],
      ['GET', `${BASE}/${id}/items`, 'read'],
      ['DELETE', `${BASE}/${id}/items/${itemId}`, 'delete'],
      ['DELETE', `${BASE}/${id}`, 'delete'],
    ] as const;

  it('refuses callers without a token, of another organization, and without the right', async () => {
    const collection = await make();
    const ca = await of.authority();
    const item = ok(await test.admin('POST', `${BASE}/${collection.id}/items`, { type: 'ca', itemId: ca.id }));
    const foreign = await test.foreign();
    const outsider = await test.identity();
    for (const [method, url, action, body] of operations(collection.id, item.id)) {
      const name = `${method} ${url}`;
      expect([name, (await test.as()(method, url, body)).status]).toEqual([name, 401]);
      const hidden = without(await foreign.call(method, url, body));
      expect([name, hidden.status]).toEqual([name, 404]);
      expect([name, (await outsider.call(method, url, body)).status]).toEqual([name, 404]);
      const others = ['read', 'create', 'edit', 'delete'].filter((one) => one !== action);
      expect([name, (await (await withRules(...others))(method, url, body)).status]).toEqual([name, 403]);
    }
    const ofOne = operations(collection.id, item.id).filter(([, url]) => url.startsWith(`${BASE}/`));
    for (const [method, url, , body] of ofOne) {
      const hidden = without(await foreign.call(method, url, body));
      expect(hidden).toEqual(without(await foreign.call(method, url.replace(collection.id, UNKNOWN), body)));
      expect((await test.admin(method, url.replace(collection.id, 'nonsense'), body)).status).toBe(404);
    }
    expect(ok(await test.admin('GET', `${BASE}/${collection.id}`))).toEqual(collection);
  });
});
