import { randomUUID, X509Certificate } from 'node:crypto';
import { signerOf, signerOfKey } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authorities, SERIAL_NUMBER } from '../../harness/authorities.ts';
import { CA, nameOf, ok } from '../../harness/certificates.ts';
import { TIME, UUID } from '../../harness/folder-tree.ts';
import { openssl } from '../../harness/openssl.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Authorities;
let projectId: string;
let slug: string;
beforeAll(async () => {
  test = await testServer();
  ({ id: projectId, slug } = await test.project());
  of = new Authorities(test, projectId);
});
afterAll(() => test.close());

const V1 = '/api/v1/pki/ca';
const SERIAL = expect.stringMatching(SERIAL_NUMBER);

describe('creating a certificate authority', () => {
  it('returns the published shape of a root, which has its certificate immediately', async () => {
    const before = test.coffer.now().getTime();
    const root = await of.make(
      {
        commonName: 'Example Root',
        organization: 'Example',
        ou: 'PKI',
        country: 'DE',
        province: 'Berlin',
        locality: 'Berlin',
        maxPathLength: 2,
        notAfter: of.inDays(3650),
      },
      { name: 'example-root', status: 'active', enableDirectIssuance: false },
    );
    expect(root).toEqual({
      id: UUID,
      projectId,
      name: 'example-root',
      type: 'internal',
      status: 'active',
      enableDirectIssuance: false,
      ocspResponder: 'authority',
      createdAt: TIME,
      updatedAt: TIME,
      configuration: {
        type: 'root',
        friendlyName: 'CN=Example Root,OU=PKI,O=Example,L=Berlin,ST=Berlin,C=DE',
        commonName: 'Example Root',
        organization: 'Example',
        ou: 'PKI',
        country: 'DE',
        province: 'Berlin',
        locality: 'Berlin',
        dn: 'CN=Example Root,OU=PKI,O=Example,L=Berlin,ST=Berlin,C=DE',
        keyAlgorithm: 'EC_prime256v1',
        maxPathLength: 2,
        nameConstraints: null,
        parentCaId: null,
        notBefore: TIME,
        notAfter: TIME,
        serialNumber: SERIAL,
        activeCaCertId: UUID,
      },
    });
    expect(before - new Date(root.configuration.notBefore).getTime()).toBeLessThanOrEqual(61_000);
    expect(ok(await test.admin('GET', `${CA}/${root.id}`))).toEqual(root);
    const listed = ok(await test.admin('GET', `${CA}?projectId=${projectId}`));
    expect(listed).toContainEqual(root);
    const { certificate, certificateChain, serialNumber } = await of.certificateOf(root.id);
    expect([serialNumber, certificateChain]).toEqual([root.configuration.serialNumber, '']);
    const text = openssl(['x509', '-in', 'a.pem', '-noout', '-text'], { 'a.pem': certificate }).text;
    expect(text).toContain('CA:TRUE, pathlen:2');
    expect(text).toContain('Digital Signature, Certificate Sign, CRL Sign');
    expect(new X509Certificate(certificate).serialNumber.toLowerCase().padStart(40, '0')).toBe(serialNumber);
    expect(await of.events(root.id)).toEqual(['created']);
  });

  it('leaves an intermediate pending without its certificate', async () => {
    const { status, configuration, id } = await of.make({ type: 'intermediate', commonName: 'Waiting' });
    expect([status, configuration.serialNumber, configuration.notAfter]).toEqual(['pending-certificate', null, null]);
    expect((await test.admin('GET', `${CA}/${id}/certificate`)).status).toBe(404);
    const { text } = openssl(['req', '-in', 'a.csr', '-noout', '-verify', '-text'], { 'a.csr': await of.csrOf(id) });
    expect(text).toContain('verify OK');
    expect(text).toContain('CA:TRUE');
    expect(text).toMatch(/Subject: CN ?= ?Waiting/);
    expect((await test.admin('PATCH', `${CA}/${id}`, { status: 'active' })).body.message).toContain(
      'no certificate yet',
    );
    const ctx = of.platform();
    await expect(signerOf(ctx, id)).rejects.toMatchObject({ code: 'certificate_authority.not_active' });
  });

  it('has a unique name in a project, also for concurrent creations', async () => {
    const name = nameOf('same');
    const body = { projectId, name, configuration: { type: 'root', commonName: 'A', keyAlgorithm: 'EC_prime256v1' } };
    const answers = await Promise.all([1, 2, 3, 4].map(() => test.admin('POST', CA, body)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.body).toMatchObject({
      error: 'BadRequest',
      message: 'A certificate authority with this name already exists in the project',
    });
    const { rows } = await test.coffer.pool.query(
      'select count(*)::int as keys from ca_keys k join certificate_authorities a on a.id = k.ca_id where a.name = $1',
      [name],
    );
    expect(rows).toEqual([{ keys: 1 }]);
    const elsewhere = (await test.project()).id;
    expect((await test.admin('POST', CA, { ...body, projectId: elsewhere })).status).toBe(200);
  });

  it.each([
    ['an empty name', { commonName: '' }, 400],
    ['a country of three letters', { country: 'DEU' }, 422],
    ['a country of digits', { country: '12' }, 400],
    ['a NUL', { commonName: 'a\0b' }, 422],
    ['an unknown key', { keyAlgorithm: 'RSA_1024' }, 422],
    ['a path length below any', { maxPathLength: -2 }, 422],
    ['no time at all', { notBefore: '2030-01-02T00:00:00Z', notAfter: '2030-01-01T00:00:00Z' }, 400],
    ['the past', { notAfter: '2001-01-01T00:00:00Z' }, 400],
    ['a time that is none', { notAfter: 'soon' }, 422],
    ['a root below another', { parentCaId: randomUUID() }, 400],
    ['a constraint that is no address', { nameConstraints: { permitted: [{ type: 'ip', value: 'nonsense' }] } }, 400],
  ])('refuses %s', async (_what, configuration, status) => {
    const all = { type: 'root', commonName: 'A', keyAlgorithm: 'EC_prime256v1', ...configuration };
    const answer = await test.admin('POST', CA, { projectId, name: nameOf('bad'), configuration: all });
    expect([answer.status, answer.body]).toEqual([status, expect.anything()]);
  });
});

describe('changing and deleting', () => {
  it('updates the name, the status and the issuing options, and keeps the certificate', async () => {
    const root = await of.make({});
    const url = `${CA}/${root.id}`;
    const name = nameOf('renamed');
    expect(ok(await test.admin('PATCH', url, { name, status: 'disabled', enableDirectIssuance: false }))).toEqual({
      ...root,
      name,
      status: 'disabled',
      enableDirectIssuance: false,
      updatedAt: TIME,
    });
    const { configuration } = root;
    const sent = { ...configuration, friendlyName: 'Friendly' };
    expect(ok(await test.admin('PATCH', url, { configuration: sent })).configuration).toEqual(sent);
    expect((await test.admin('PATCH', url, { configuration: { commonName: 'Other' } })).status).toBe(400);
    const other = await of.make({});
    expect((await test.admin('PATCH', url, { name: other.name })).status).toBe(400);
    expect((await test.admin('PATCH', url, { status: 'pending-certificate' })).status).toBe(422);
    expect(await of.events(root.id)).toEqual(['created', 'updated', 'updated']);
  });

  it('deletes it with its keys and its issued certificates, and disables those below', async () => {
    const root = await of.make({});
    const below = await of.make({ type: 'intermediate', parentCaId: root.id });
    const ctx = of.platform();
    const { caKeyId } = await signerOf(ctx, root.id);
    const last = ok(await test.admin('DELETE', `${CA}/${root.id}`));
    expect(last).toEqual(root);
    expect((await test.admin('GET', `${CA}/${root.id}`)).status).toBe(404);
    await expect(signerOf(ctx, root.id)).rejects.toMatchObject({ code: 'certificate_authority.not_found' });
    expect(await signerOfKey(ctx, caKeyId)).toBeUndefined();
    const { rows } = await test.coffer.pool.query(
      'select (select count(*)::int from ca_keys where ca_id = $1) as keys, (select count(*)::int from certificates where ca_id = $1) as certificates',
      [root.id],
    );
    expect(rows).toEqual([{ keys: 0, certificates: 0 }]);
    expect(ok(await test.admin('GET', `${CA}/${below.id}`))).toMatchObject({
      status: 'disabled',
      configuration: { parentCaId: null },
    });
  });
});

describe('the older paths', () => {
  it('return the same authorities flat, under their own names', async () => {
    const body = {
      projectSlug: slug,
      type: 'root',
      friendlyName: 'Older Root',
      commonName: 'Older',
      organization: 'Example',
      ou: '',
      country: '',
      province: '',
      locality: '',
      notAfter: '2040-01-01T00:00:00Z',
      maxPathLength: -1,
      keyAlgorithm: 'EC_prime256v1',
    };
    const { ca } = ok(await test.admin('POST', V1, body));
    expect(ca).toEqual({
      id: UUID,
      createdAt: TIME,
      updatedAt: TIME,
      parentCaId: null,
      projectId,
      type: 'root',
      status: 'active',
      name: expect.stringMatching(/^older-root-[a-z0-9]{8}$/),
      friendlyName: 'Older Root',
      organization: 'Example',
      ou: '',
      country: '',
      province: '',
      locality: '',
      commonName: 'Older',
      dn: 'CN=Older,O=Example',
      serialNumber: SERIAL,
      maxPathLength: -1,
      keyAlgorithm: 'EC_prime256v1',
      notBefore: TIME,
      notAfter: '2040-01-01T00:00:00.000Z',
      activeCaCertId: UUID,
      requireTemplateForIssuance: false,
    });
    expect(ok(await test.admin('GET', `${V1}/${ca.id}`))).toEqual({ ca });
    const changed = ok(await test.admin('PATCH', `${V1}/${ca.id}`, { requireTemplateForIssuance: true }));
    expect(changed.ca).toMatchObject({ requireTemplateForIssuance: true, status: 'active' });
    expect(ok(await test.admin('GET', `${CA}/${ca.id}`)).enableDirectIssuance).toBe(false);
    const query = 'status=active&friendlyName=Older%20Root&commonName=Older&limit=5&offset=0';
    const { cas } = ok(await test.admin('GET', `/api/v2/workspace/${slug}/cas?${query}`));
    expect(cas).toEqual([changed.ca]);
    for (const path of ['certificate', 'ca-certificates'])
      expect(ok(await test.admin('GET', `${V1}/${ca.id}/${path}`))).toEqual(
        ok(await test.admin('GET', `${CA}/${ca.id}/${path}`)),
      );
    ok(await test.admin('POST', `${V1}/${ca.id}/renew`, { type: 'existing', notAfter: '2041-01-01T00:00:00Z' }));
    const waiting = ok(await test.admin('POST', V1, { ...body, type: 'intermediate', commonName: 'Older Below' })).ca;
    const { csr } = ok(await test.admin('GET', `${V1}/${waiting.id}/csr`));
    const signed = ok(
      await test.admin('POST', `${V1}/${ca.id}/sign-intermediate`, { csr: csr.trim(), notAfter: of.inDays(5) }),
    );
    ok(await test.admin('POST', `${V1}/${waiting.id}/import-certificate`, signed));
    expect(ok(await test.admin('DELETE', `${V1}/${waiting.id}`)).ca.status).toBe('active');
  });
});

describe('the certificate of an authority', () => {
  it('can be fetched publicly as DER, once', async () => {
    const root = await of.make({});
    const url = `${V1}/${root.id}/certificates/${root.configuration.activeCaCertId}/der`;
    const answer = await test.app.inject({ method: 'GET', url });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pkix-cert']);
    expect(answer.rawPayload.equals(new X509Certificate((await of.certificateOf(root.id)).certificate).raw)).toBe(true);
    const { etag } = answer.headers;
    const again = await test.app.inject({ method: 'GET', url, headers: { 'if-none-match': etag as string } });
    expect(again.statusCode).toBe(304);
    const other = await of.make({});
    for (const wrong of [
      `${V1}/${other.id}/certificates/${root.configuration.activeCaCertId}/der`,
      `${V1}/${root.id}/certificates/${randomUUID()}/der`,
      `${V1}/x/certificates/y/der`,
    ])
      expect((await test.as()('GET', wrong)).status).toBe(404);
  });
});
