import { randomUUID } from 'node:crypto';
import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Certificates, eventsOf, ok } from '../../harness/certificates.ts';
import { TIME, UUID } from '../../harness/folder-tree.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

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
const without = ({ body, status }: { body: object; status: number }) => ({ status, body: { ...body, reqId: '' } });
const events = (pkiCollectionId: string) => eventsOf(test, { pkiCollectionId });

describe('the items of a collection', () => {
  it('are certificates and authorities of its project, each once', async () => {
    const collection = await make();
    const ca = await of.authority();
    const leaf = await of.issue(ca.id, { friendlyName: 'Front door' });
    const items = `${BASE}/${collection.id}/items`;
    const added = ok(await test.admin('POST', items, { type: 'certificate', itemId: leaf.id }));
    expect(added).toEqual({
      id: UUID,
      createdAt: TIME,
      updatedAt: TIME,
      pkiCollectionId: collection.id,
      type: 'certificate',
      itemId: leaf.id,
    });
    const authority = ok(await test.admin('POST', items, { type: 'ca', itemId: ca.id }));
    expect(authority).toMatchObject({ type: 'ca', itemId: ca.id });
    const again = await test.admin('POST', items, { type: 'certificate', itemId: leaf.id });
    expect([again.status, again.body.message]).toEqual([400, 'The item is already in the collection']);
    expect((await test.admin('POST', items, { type: 'ca', itemId: ca.id })).status).toBe(400);

    const listed = ok(await test.admin('GET', items));
    expect(listed).toEqual({
      collectionItems: [
        { ...added, notBefore: TIME, notAfter: TIME, friendlyName: 'Front door' },
        { ...authority, notBefore: TIME, notAfter: TIME, friendlyName: expect.any(String) },
      ],
      totalCount: 2,
    });
    const ofType = async (type: string) => {
      const { collectionItems, totalCount } = ok(await test.admin('GET', `${items}?type=${type}`));
      return [collectionItems.map(({ itemId }: { itemId: string }) => itemId), totalCount];
    };
    expect(await ofType('certificate')).toEqual([[leaf.id], 1]);
    expect(await ofType('ca')).toEqual([[ca.id], 1]);

    expect(ok(await test.admin('DELETE', `${items}/${added.id}`))).toEqual(added);
    expect(await ofType('certificate')).toEqual([[], 0]);
    expect((await test.admin('DELETE', `${items}/${added.id}`)).status).toBe(404);
    expect(ok(await test.admin('POST', items, { type: 'certificate', itemId: leaf.id })).id).not.toBe(added.id);
    expect((await events(collection.id)).slice(1)).toEqual([
      'pki_collection.item_added',
      'pki_collection.item_added',
      'pki_collection.item_removed',
      'pki_collection.item_added',
    ]);
  });

  it('is listed in pages', async () => {
    const collection = await make();
    const ca = await of.authority();
    const items = `${BASE}/${collection.id}/items`;
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { id } = await of.issue(ca.id);
      ok(await test.admin('POST', items, { type: 'certificate', itemId: id }));
      ids.push(id);
    }
    const page = async (query: string) => {
      const { collectionItems, totalCount } = ok(await test.admin('GET', `${items}?${query}`));
      return [collectionItems.map(({ itemId }: { itemId: string }) => itemId), totalCount];
    };
    expect(await page('limit=2')).toEqual([ids.slice(0, 2), 3]);
    expect(await page('offset=2&limit=2')).toEqual([ids.slice(2), 3]);
    expect(await page('offset=5')).toEqual([[], 3]);
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'offset=x', 'type=key'])
      expect([query, (await test.admin('GET', `${items}?${query}`)).status]).toEqual([query, 422]);
  });

  it('are added when they are issued, and removed when they are deleted', async () => {
    const collection = await make();
    const ca = await of.authority();
    const leaf = await of.issue(ca.id, { pkiCollectionId: collection.id });
    const items = `${BASE}/${collection.id}/items`;
    expect(ok(await test.admin('GET', items)).collectionItems).toMatchObject([{ itemId: leaf.id }]);
    ok(await test.admin('DELETE', `/api/v1/pki/certificates/${leaf.serialNumber}`));
    expect(ok(await test.admin('GET', items))).toEqual({ collectionItems: [], totalCount: 0 });
    ok(await test.admin('POST', items, { type: 'ca', itemId: ca.id }));
    ok(await test.admin('DELETE', `${BASE}/${collection.id}`));
    expect((await test.admin('GET', `/api/v1/cert-manager/ca/internal/${ca.id}`)).status).toBe(200);
  });

  it('is nothing of other projects, of another kind, or unknown', async () => {
    const collection = await make();
    const elsewhere = await Certificates.in(test);
    const ca = await elsewhere.authority();
    const leaf = await elsewhere.issue(ca.id);
    const add = async (type: string, itemId: string) =>
      without(await test.admin('POST', `${BASE}/${collection.id}/items`, { type, itemId }));
    const unknown = await add('certificate', UNKNOWN);
    expect(unknown.status).toBe(404);
    expect(await add('certificate', leaf.id)).toEqual(unknown);
    expect(await add('certificate', ca.id)).toEqual(unknown);
    expect(await add('certificate', 'nonsense')).toEqual(unknown);
    expect((await add('ca', ca.id)).status).toBe(404);
    expect((await add('ca', leaf.id)).status).toBe(404);
  });

  it('must be visible to the caller who adds them', async () => {
    const collection = await make();
    const ca = await of.authority();
    const [seen, unseen] = [
      await of.issue(ca.id, { commonName: 'a.seen.example', altNames: '' }),
      await of.issue(ca.id),
    ];
    const rules = [
      { subject: 'pki-collections', action: ['read', 'create'] },
      { subject: 'certificates', action: 'read', conditions: { commonName: { $glob: '*.seen.example' } } },
    ];
    const { call } = await test.identity({ projectId, rules });
    const add = (type: string, itemId: string) => call('POST', `${BASE}/${collection.id}/items`, { type, itemId });
    expect((await add('certificate', unseen.id)).status).toBe(403);
    expect((await add('ca', ca.id)).status).toBe(403);
    expect((await add('certificate', seen.id)).status).toBe(200);
  });

  it('can be added by callers who may see all names of a certificate, and not if one of them is forbidden', async () => {
    const collection = await make();
    const ca = await of.authority();
    const [both, alone] = [
      await of.issue(ca.id, { commonName: 'a.seen.example', altNames: 'a.seen.example, b.other.example' }),
      await of.issue(ca.id, { commonName: 'a.seen.example', altNames: 'a.seen.example' }),
    ];
    const rule = (more: object) => ({ subject: 'certificates', action: 'read', ...more }) satisfies Rule;
    const adding = async (...rules: Rule[]) => {
      const collections = { subject: 'pki-collections', action: ['read', 'create', 'delete'] };
      const { call } = await test.identity({ projectId, rules: [collections, ...rules] });
      const items = `${BASE}/${collection.id}/items`;
      const statuses: number[] = [];
      for (const { id } of [both, alone]) {
        const { status, body } = await call('POST', items, { type: 'certificate', itemId: id });
        statuses.push(status);
        if (status === 200) ok(await call('DELETE', `${items}/${body.id}`));
      }
      return statuses;
    };
    expect(await adding(rule({ conditions: { altNames: { $glob: '*.seen.example' } } }))).toEqual([403, 200]);
    const forbidden = rule({ inverted: true, conditions: { altNames: { $eq: 'b.other.example' } } });
    expect(await adding(rule({}), forbidden)).toEqual([403, 200]);
  });

  it('are listed and counted for callers who may read them', async () => {
    const collection = await make();
    const ca = await of.authority();
    const items = `${BASE}/${collection.id}/items`;
    const names = ['a.seen.example', 'b.other.example', 'c.seen.example'];
    const ids: string[] = [];
    for (const name of names) {
      const { id } = await of.issue(ca.id, { commonName: name, altNames: name, pkiCollectionId: collection.id });
      ids.push(id);
    }
    ok(await test.admin('POST', items, { type: 'ca', itemId: ca.id }));
    const seen = async (rules: Rule[], query = '') => {
      const collections = { subject: 'pki-collections', action: 'read' };
      const { call } = await test.identity({ projectId, rules: [collections, ...rules] });
      const { collectionItems, totalCount } = ok(await call('GET', `${items}${query}`));
      return [collectionItems.map(({ itemId }: { itemId: string }) => itemId), totalCount];
    };
    const authorities = { subject: 'certificate-authorities', action: 'read' };
    const some = { subject: 'certificates', action: 'read', conditions: { altNames: { $glob: '*.seen.example' } } };
    expect(await seen([])).toEqual([[], 0]);
    expect(await seen([authorities])).toEqual([[ca.id], 1]);
    expect(await seen([authorities, { subject: 'certificates', action: 'read' }])).toEqual([[...ids, ca.id], 4]);
    const none = { subject: 'certificates', action: 'read', inverted: true };
    expect(await seen([authorities, { ...none, inverted: false }, none])).toEqual([[ca.id], 1]);
    expect(await seen([some])).toEqual([[ids[0], ids[2]], 2]);
    expect(await seen([some], '?offset=1&limit=1')).toEqual([[ids[2]], 2]);
    expect(await seen([some, authorities], '?type=ca')).toEqual([[ca.id], 1]);
  });
});
