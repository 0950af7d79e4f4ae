import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, makeIssuer, ok, type Issuer } from '../harness/certificates.ts';
import { TIME, UUID } from '../harness/folder-tree.ts';
import { issuingServer } from '../harness/issuing.ts';
import type { Caller, TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let ca: Issuer;
beforeAll(async () => {
  ({ test, projectId, ca } = await issuingServer());
});
afterAll(() => test.close());

const NEWER = '/api/v1/cert-manager/certificate-templates';
const OLDER = '/api/v1/pki/certificate-templates';

let number = 0;
const wanted = (more: object = {}) => ({
  caId: ca.id,
  name: `template-${number++}`,
  commonName: '.*\\.example\\.com',
  subjectAlternativeName: '.*\\.example\\.com',
  ttl: '90d',
  ...more,
});
const create = async (more: object = {}) => ok(await test.admin('POST', NEWER, wanted(more)));

describe('a certificate template', () => {
  it.each([NEWER, OLDER])('is created, read, changed and deleted at %s', async (url) => {
    const given = wanted({ keyUsages: ['digitalSignature'], extendedKeyUsages: ['clientAuth', 'serverAuth'] });
    const template = ok(await test.admin('POST', url, given));
    expect(template).toEqual({ id: UUID, ...given, pkiCollectionId: null, projectId, caName: ca.name });
    const one = `${url}/${template.id}`;
    expect(ok(await test.admin('GET', one))).toEqual(template);
    const changes = { name: `${given.name}-b`, ttl: '30d', extendedKeyUsages: [] };
    expect(ok(await test.admin('PATCH', one, changes))).toEqual({ ...template, ...changes });
    expect(ok(await test.admin('PATCH', one, {}))).toEqual({ ...template, ...changes });
    expect(ok(await test.admin('DELETE', one))).toEqual({ ...template, ...changes });
    expect((await test.admin('GET', one)).status).toBe(404);
    expect(await eventsOf(test, { certificateTemplateId: template.id })).toEqual([
      'certificate_template.created',
      'certificate_template.updated',
      'certificate_template.updated',
      'certificate_template.deleted',
    ]);
  });

  it('has the published usages by default', async () => {
    expect(await create()).toMatchObject({ keyUsages: ['digitalSignature', 'keyEncipherment'], extendedKeyUsages: [] });
  });

  it('is listed by project and by authority, by name', async () => {
    const { id: own } = await test.project();
    const issuer = await makeIssuer(test, own);
    for (const name of ['b', 'a', 'c']) await create({ caId: issuer.id, name });
    const names = ({ certificateTemplates }: { certificateTemplates: { name: string }[] }) =>
      certificateTemplates.map(({ name }) => name);
    const page = ok(await test.admin('GET', `${NEWER}?projectId=${own}&offset=1&limit=1`));
    expect([names(page), page.totalCount]).toEqual([['b'], 3]);
    const all = ok(await test.admin('GET', `/api/v2/workspace/${own}/certificate-templates`));
    expect([names(all), Object.keys(all)]).toEqual([['a', 'b', 'c'], ['certificateTemplates']]);
    const ofAuthority = ok(await test.admin('GET', `/api/v1/pki/ca/${issuer.id}/certificate-templates`));
    expect(names(ofAuthority)).toEqual(['a', 'b', 'c']);
    expect(ofAuthority.certificateTemplates[0]).toMatchObject({ createdAt: TIME, updatedAt: TIME });
    expect(Object.keys(ofAuthority.certificateTemplates[0])).not.toContain('projectId');
    const { call } = await test.identity({
      projectId: own,
      rules: [{ subject: 'certificate-templates', action: 'read', conditions: { name: { $in: ['a', 'c'] } } }],
    });
    expect(names(ok(await call('GET', `/api/v2/workspace/${own}/certificate-templates`)))).toEqual(['a', 'c']);
    expect(names(ok(await call('GET', `/api/v1/pki/ca/${issuer.id}/certificate-templates`)))).toEqual(['a', 'c']);
  });

  it('has a unique name in the project', async () => {
    const { name } = await create();
    const again = await test.admin('POST', NEWER, wanted({ name }));
    expect([again.status, again.body.message]).toEqual([
      400,
      'A certificate template with this name already exists in the project',
    ]);
    const other = await create();
    expect((await test.admin('PATCH', `${NEWER}/${other.id}`, { name })).status).toBe(400);
  });

  it.each([
    [{ commonName: '(' }, 400],
    [{ subjectAlternativeName: '(?=a)' }, 400],
    [{ subjectAlternativeName: '(a)\\1' }, 400],
    [{ subjectAlternativeName: '(.?.?){1000}' }, 400],
    [{ pkiCollectionId: randomUUID() }, 404],
    [{ pkiCollectionId: 'none' }, 404],
    [{ caId: 'none' }, 404],
    [{ caId: randomUUID() }, 404],
    [{ name: ' ' }, 422],
    [{ name: 'x'.repeat(65) }, 422],
    [{ commonName: '' }, 422],
    [{ ttl: 'long' }, 422],
    [{ keyUsages: ['all'] }, 422],
    [{ extendedKeyUsages: 'serverAuth' }, 422],
    [{ name: 'a\0b' }, 422],
  ])('is refused with %j', async (more, status) => {
    expect((await test.admin('POST', NEWER, wanted(more))).status).toBe(status);
    const { id } = await create();
    expect((await test.admin('PATCH', `${NEWER}/${id}`, more)).status).toBe(status);
  });

  it('moves to another authority of its project only', async () => {
    const { id } = await create();
    const [near, far] = [await makeIssuer(test, projectId), await makeIssuer(test, (await test.project()).id)];
    expect(ok(await test.admin('PATCH', `${NEWER}/${id}`, { caId: near.id }))).toMatchObject({
      caId: near.id,
      caName: near.name,
    });
    expect((await test.admin('PATCH', `${NEWER}/${id}`, { caId: far.id })).status).toBe(400);
  });

  it('leaves its certificates when it is deleted', async () => {
    const { id } = await create();
    const body = { certificateTemplateId: id, commonName: 'a.example.com' };
    const { serialNumber } = ok(await test.admin('POST', '/api/v1/pki/certificates/issue-certificate', body));
    const url = `/api/v1/pki/certificates/${serialNumber}`;
    expect(ok(await test.admin('GET', url)).certificate.certificateTemplateId).toBe(id);
    ok(await test.admin('DELETE', `${NEWER}/${id}`));
    expect(ok(await test.admin('GET', url)).certificate.certificateTemplateId).toBe(null);
  });

  it('is matched in a time that grows with the name alone', async () => {
    const { id } = await create({ commonName: '(a+)+b', subjectAlternativeName: '((a*)*)*b' });
    const body = { certificateTemplateId: id, commonName: 'a'.repeat(60) };
    expect((await test.admin('POST', '/api/v1/pki/certificates/issue-certificate', body)).status).toBe(400);
  });
});

describe('rights to certificate templates', () => {
  it('are separate for each operation, and use the name', async () => {
    const { id, name } = await create();
    const [mine, others] = ['mine', 'others'];
    const operations = [
      ['GET', `${NEWER}?projectId=${projectId}`, undefined, 'read'],
      ['GET', `/api/v2/workspace/${projectId}/certificate-templates`, undefined, 'read'],
      ['GET', `/api/v1/pki/ca/${ca.id}/certificate-templates`, undefined, 'read'],
      ['GET', `${NEWER}/${id}`, undefined, 'read'],
      ['GET', `${OLDER}/${id}`, undefined, 'read'],
      ['POST', NEWER, wanted({ name: mine }), 'create'],
      ['PATCH', `${NEWER}/${id}`, { ttl: '1d' }, 'edit'],
      ['DELETE', `${NEWER}/${id}`, undefined, 'delete'],
    ] as const;
    const member = async (rules: readonly { subject: string; action: string | string[] }[]) =>
      (await test.identity({ projectId, rules })).call;
    const all = ['read', 'create', 'edit', 'delete', 'issue-cert', 'list-certs'];
    const outsiders: Caller[] = [(await test.foreign()).call, (await test.identity()).call];
    for (const [method, url, body, action] of operations) {
      const isList = method === 'GET' && !url.endsWith(id);
      const but = await member([{ subject: 'certificate-templates', action: all.filter((one) => one !== action) }]);
      expect([method, url, (await test.as()(method, url, body)).status]).toEqual([method, url, 401]);
      const refused = await but(method, url, body);
      const answer = isList ? [refused.status, refused.body.certificateTemplates] : [refused.status];
      expect([method, url, ...answer]).toEqual([method, url, ...(isList ? [200, []] : [403])]);
      for (const outsider of outsiders) {
        const { status, body: answered } = await outsider(method, url, body);
        expect([method, url, status]).toEqual([method, url, 404]);
        const unknown = url.replace(id, randomUUID()).replace(ca.id, randomUUID()).replace(projectId, randomUUID());
        const sent = body && 'caId' in body ? { ...body, caId: randomUUID() } : body;
        const { reqId: _, ...known } = answered;
        expect((await outsider(method, unknown, sent)).body).toMatchObject(known);
      }
    }
    const named = (one: string) => ({ subject: 'certificate-templates', action: all, conditions: { name: one } });
    const other = await member([named(others)]);
    for (const [method, url, body] of operations.slice(3))
      expect([method, url, (await other(method, url, body)).status]).toEqual([method, url, 403]);
    const reading = { subject: 'certificate-authorities', action: 'read' };
    const own = await member([named(name), named(mine), reading]);
    expect((await own('PATCH', `${NEWER}/${id}`, { name: others })).status).toBe(403);
    for (const [method, url, body] of operations)
      expect([method, url, (await own(method, url, body)).status]).toEqual([method, url, 200]);
  });
});
