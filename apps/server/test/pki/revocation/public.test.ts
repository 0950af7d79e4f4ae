import { randomUUID } from 'node:crypto';
import { readCrl } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Certificates, type MadeAuthority } from '../../harness/certificates.ts';
import { openssl } from '../../harness/openssl.ts';
import { judgeOcsp, OCSP_REQUEST, OCSP_RESPONSE, ocspRequest, rawly } from '../../harness/revocation.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const CRL_TYPE = 'application/pkix-crl';
const UNKNOWN = randomUUID();

let test: TestServer;
let of: Certificates;
let ca: MadeAuthority;
let raw: ReturnType<typeof rawly>;
beforeAll(async () => {
  test = await testServer();
  raw = rawly(test);
  of = await Certificates.in(test);
  ca = await of.authority();
});
afterAll(() => test.close());

describe('a revocation list', () => {
  it('is public as DER and as PEM, with its content type and an ETag', async () => {
    const der = await raw('GET', `/api/v1/pki/crl/${ca.keyId}/der`);
    expect(der).toMatchObject({ status: 200, type: CRL_TYPE });
    expect(der.headers).toMatchObject({
      'cache-control': 'public, max-age=30',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
      expires: expect.any(String),
    });
    const pem = await raw('GET', `/api/v1/pki/crl/${ca.keyId}`);
    expect(pem).toMatchObject({ status: 200, type: CRL_TYPE });
    expect(readCrl(pem.octets.toString()).der).toEqual(der.octets);
    expect(pem.headers['etag']).not.toBe(der.headers['etag']);
    for (const [url, { headers }] of [
      [`/api/v1/pki/crl/${ca.keyId}/der`, der],
      [`/api/v1/pki/crl/${ca.keyId}`, pem],
    ] as const) {
      const again = await raw('GET', url, undefined, { 'if-none-match': `"other", ${String(headers['etag'])}` });
      expect([again.status, again.octets.length, again.headers['etag']]).toEqual([304, 0, headers['etag']]);
      const other = await raw('GET', url, undefined, { 'if-none-match': '"other"' });
      expect([other.status, other.octets.length > 100]).toEqual([200, true]);
    }
  });

  it('is answered whole over tRPC, whatever the client has', async () => {
    const { headers, octets } = await raw('GET', `/api/v1/pki/crl/${ca.keyId}/der`);
    const input = encodeURIComponent(JSON.stringify({ crlId: ca.keyId }));
    const { status, body } = await test.as()('GET', `/api/trpc/revocation.getDer?input=${input}`, undefined, {
      'if-none-match': String(headers['etag']),
    });
    expect([status, Buffer.from(body.result.data.body, 'base64')]).toEqual([200, octets]);
  });

  it('is identified by its time as well, once no other of the same second can follow', async () => {
    const url = `/api/v1/pki/crl/${(await of.authority()).keyId}/der`;
    expect((await raw('GET', url)).headers['last-modified']).toBe(undefined);
    test.advance(60_000);
    const time = String((await raw('GET', url)).headers['last-modified']);
    const since = async (given: string, more = {}) =>
      (await raw('GET', url, undefined, { 'if-modified-since': given, ...more })).status;
    expect(await since(time)).toBe(304);
    expect(await since(new Date(test.coffer.now()).toUTCString())).toBe(200);
    expect(await since('nonsense')).toBe(200);
    // A client with a tag gets only that check.
    expect(await since(time, { 'if-none-match': '"other"' })).toBe(200);
  });
});

it('returns the same headers for HEAD as for GET', async () => {
  const [{ id }] = (await test.coffer.pool.query<{ id: string }>('select id from ca_certificates limit 1')).rows as [
    { id: string },
  ];
  const request = ocspRequest(ca, (await of.issue(ca.id)).certificate).toString('base64');
  for (const path of [`crl/${ca.keyId}`, `crl/${ca.keyId}/der`, `ca/${ca.id}/certificates/${id}/der`]) {
    const [head, get] = [await raw('HEAD', `/api/v1/pki/${path}`), await raw('GET', `/api/v1/pki/${path}`)];
    expect([head.status, head.type, head.headers['etag']]).toEqual([200, get.type, get.headers['etag']]);
    expect([head.headers['content-length'], head.octets.length]).toEqual([String(get.octets.length), 0]);
  }
  expect(await raw('HEAD', `/api/v1/pki/ocsp/${ca.keyId}/${request}`)).toMatchObject({
    status: 200,
    type: OCSP_RESPONSE,
  });
  expect((await raw('HEAD', `/api/v1/pki/crl/${UNKNOWN}`)).status).toBe(404);
});

describe('404, the same for every id that has no list', () => {
  it.each([
    ['GET', '/api/v1/pki/crl/ID'],
    ['GET', '/api/v1/pki/crl/ID/der'],
    ['POST', '/api/v1/pki/ocsp/ID'],
    ['GET', '/api/v1/pki/ocsp/ID/MAA='],
  ] as const)('%s %s', async (method, path) => {
    const answers = [];
    for (const id of [UNKNOWN, 'nonsense', ca.id]) {
      const body = method === 'POST' ? Buffer.from('MAA=', 'base64') : undefined;
      const { status, octets } = await raw(
        method,
        path.replace('ID', id),
        body,
        body && { 'content-type': OCSP_REQUEST },
      );
      answers.push({ status, ...JSON.parse(octets.toString()), reqId: '' });
    }
    expect(answers[0]).toMatchObject({ status: 404 });
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
  });
});

describe('the OCSP responder', () => {
  it('declares its content type', async () => {
    const { status, body } = await test.as()(
      'POST',
      `/api/v1/pki/ocsp/${ca.keyId}`,
      {},
      { 'content-type': 'text/x-odd' },
    );
    expect([status, body.message]).toEqual([415, `Send the body as ${OCSP_REQUEST}`]);
  });

  it('returns unknown for serial numbers that it has not issued, and for those of other authorities', async () => {
    const asked = openssl(['ocsp', '-issuer', 'ca.pem', '-no_nonce', '-serial', '0x1234', '-reqout', 'request.der'], {
      'ca.pem': ca.certificate,
    }).file('request.der');
    const { octets } = await raw('POST', `/api/v1/pki/ocsp/${ca.keyId}`, asked, { 'content-type': OCSP_REQUEST });
    const said = openssl(
      ['ocsp', '-issuer', 'ca.pem', '-serial', '0x1234', '-respin', 'response.der', '-CAfile', 'ca.pem'],
      { 'ca.pem': ca.certificate, 'response.der': octets },
    );
    expect(said.text).toContain('0x1234: unknown');
    const other = await of.authority();
    const leaf = await of.issue(other.id);
    const wrong = await raw('POST', `/api/v1/pki/ocsp/${ca.keyId}`, ocspRequest(other, leaf.certificate), {
      'content-type': OCSP_REQUEST,
    });
    expect(openssl(['ocsp', '-respin', 'a.der', '-resp_text', '-noverify'], { 'a.der': wrong.octets }).text).toContain(
      'Cert Status: unknown',
    );
  });

  it('repeats the nonce of a request, and forbids caching of the response', async () => {
    const leaf = await of.issue(ca.id);
    const asked = ocspRequest(ca, leaf.certificate, ['-nonce']);
    const { octets, headers } = await raw('POST', `/api/v1/pki/ocsp/${ca.keyId}`, asked, {
      'content-type': OCSP_REQUEST,
    });
    expect(headers['cache-control']).toBe('no-store');
    const said = openssl(
      ['ocsp', '-issuer', 'ca.pem', '-reqin', 'request.der', '-respin', 'response.der', '-CAfile', 'ca.pem'],
      { 'ca.pem': ca.certificate, 'request.der': asked, 'response.der': octets },
    );
    expect(said.text).toContain('Response verify OK');
    expect(said.text).not.toContain('WARNING');
    const inPath = await raw('GET', `/api/v1/pki/ocsp/${ca.keyId}/${encodeURIComponent(asked.toString('base64'))}`);
    expect([inPath.status, inPath.headers['cache-control']]).toEqual([200, 'no-store']);
  });

  it('accepts the request in the path, encoded or not, with a cacheable response', async () => {
    const leaf = await of.issue(ca.id);
    await of.revoke(leaf);
    const asked = ocspRequest(ca, leaf.certificate);
    const base64 = asked.toString('base64');
    for (const path of [encodeURIComponent(base64), base64]) {
      const { status, type, octets, headers } = await raw('GET', `/api/v1/pki/ocsp/${ca.keyId}/${path}`);
      expect([status, type]).toEqual([200, OCSP_RESPONSE]);
      expect(headers).toMatchObject({
        'cache-control': 'max-age=300, public, no-transform, must-revalidate',
        'last-modified': expect.any(String),
        expires: expect.any(String),
      });
      expect(judgeOcsp(ca, leaf.certificate, octets).text).toContain('leaf.pem: revoked');
    }
  });

  it('accepts a request in the path that ends with slashes, which base64 can contain', async () => {
    const ask = async () => ocspRequest(ca, (await of.issue(ca.id)).certificate);
    let asked = await ask();
    // One serial number of some hundreds is shorter.
    while (asked.length % 3 > 0) asked = await ask();
    for (const [ending, slashes] of [
      [[0x12, 0x34, 0x3f], /[^/]\/$/],
      [[0x12, 0x3f, 0xff], /[^/]\/\/$/],
      [[0xff, 0xff, 0xff], /\/{4}$/],
    ] as const) {
      asked.set(ending, asked.length - ending.length);
      const base64 = asked.toString('base64');
      expect(base64).toMatch(slashes);
      for (const path of [base64, encodeURIComponent(base64), `${base64}?any=1`]) {
        const { octets } = await raw('GET', `/api/v1/pki/ocsp/${ca.keyId}/${path}`);
        expect([path, octets.length > 100]).toEqual([path, true]);
      }
    }
  });

  it('answers several questions of one request', async () => {
    const leaves = [await of.issue(ca.id), await of.issue(ca.id)];
    await of.revoke(leaves[1]!);
    const files = { 'ca.pem': ca.certificate, 'a.pem': leaves[0]!.certificate, 'b.pem': leaves[1]!.certificate };
    const both = ['ocsp', '-issuer', 'ca.pem', '-cert', 'a.pem', '-cert', 'b.pem', '-no_nonce'];
    const asked = openssl([...both, '-reqout', 'request.der'], files).file('request.der');
    const { octets } = await raw('POST', `/api/v1/pki/ocsp/${ca.keyId}`, asked, { 'content-type': OCSP_REQUEST });
    const said = openssl([...both, '-respin', 'r.der', '-CAfile', 'ca.pem'], { ...files, 'r.der': octets });
    expect(said.text).toContain('a.pem: good');
    expect(said.text).toContain('b.pem: revoked');
  });

  it('reports malformed requests', async () => {
    const unreadable = [
      Buffer.from('MAA=', 'base64'),
      Buffer.from('nonsense'),
      Buffer.alloc(40_000, 0x30),
      Buffer.of(),
    ];
    for (const octets of unreadable) {
      const {
        status,
        type,
        octets: said,
      } = await raw('POST', `/api/v1/pki/ocsp/${ca.keyId}`, octets, {
        'content-type': OCSP_REQUEST,
      });
      expect([status, type]).toEqual([200, OCSP_RESPONSE]);
      expect(openssl(['ocsp', '-respin', 'a.der', '-noverify'], { 'a.der': said }).text).toContain('malformedrequest');
    }
    const inPath = await raw('GET', `/api/v1/pki/ocsp/${ca.keyId}/MAA=`);
    expect([inPath.status, inPath.type, inPath.headers['cache-control']]).toEqual([200, OCSP_RESPONSE, 'no-store']);
  });

  it('refuses bodies that are far too long, or of another type', async () => {
    const url = `/api/v1/pki/ocsp/${ca.keyId}`;
    expect((await raw('POST', url, Buffer.alloc(200_000), { 'content-type': OCSP_REQUEST })).status).toBe(413);
    expect((await raw('POST', url, Buffer.from('a'), { 'content-type': 'text/plain' })).status).toBe(415);
    expect(await raw('POST', url)).toMatchObject({ status: 200, type: OCSP_RESPONSE });
    expect((await raw('GET', `${url}/not-base64!`)).status).toBe(422);
    expect((await raw('GET', `${url}/${'A'.repeat(2100)}`)).status).toBe(422);
  });

  it('responds to clients that accept JSON, too', async () => {
    const leaf = await of.issue(ca.id);
    const question = ocspRequest(ca, leaf.certificate).toString('base64');
    const { octets } = await raw(
      'POST',
      `/api/v1/pki/ocsp/${ca.keyId}`,
      Buffer.from(JSON.stringify({ ocspRequest: question })),
      {
        'content-type': 'application/json',
      },
    );
    expect(judgeOcsp(ca, leaf.certificate, octets).text).toContain('leaf.pem: good');
  });
});
