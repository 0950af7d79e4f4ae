import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess } from '../../harness/another-process.ts';
import { Authorities } from '../../harness/authorities.ts';
import { CA, DAY, nameOf, ok } from '../../harness/certificates.ts';
import { makeRequest } from '../../harness/csr.ts';
import { openssl } from '../../harness/openssl.ts';
import { testServer, type Caller, type TestServer } from '../../harness/test-server.ts';

let test: TestServer;
let of: Authorities;
beforeAll(async () => {
  test = await testServer();
  of = await Authorities.in(test);
});
afterAll(() => test.close());

const foreignCsr = () => makeRequest({ subject: `/CN=${nameOf('Foreign')}` }).csr;
const textOf = (certificate: string) =>
  openssl(['x509', '-in', 'a.pem', '-noout', '-text'], { 'a.pem': certificate }).text;

const sign = (id: string, body: object, call = test.admin) => call('POST', `${CA}/${id}/sign-intermediate`, body);

describe('signing an intermediate', () => {
  it('respects the path length and the expiry of the signing authority', async () => {
    const root = await of.make({ maxPathLength: 1, notAfter: of.inDays(100) });
    const csr = foreignCsr();
    expect((await sign(root.id, { csr, notAfter: of.inDays(10), maxPathLength: 1 })).body.message).toContain(
      'path length',
    );
    expect((await sign(root.id, { csr, notAfter: of.inDays(101) })).status).toBe(400);
    expect((await sign(root.id, { csr, notAfter: of.inDays(10), notBefore: of.inDays(-1000) })).status).toBe(400);
    const { certificate } = ok(await sign(root.id, { csr, notAfter: of.inDays(10) }));
    const text = textOf(certificate);
    expect(text).toContain('CA:TRUE, pathlen:0');
    expect(text).toContain(`/api/v1/pki/crl/`);
    const last = await of.make({ type: 'intermediate', parentCaId: root.id });
    expect(last.configuration.maxPathLength).toBe(0);
    expect((await sign(last.id, { csr, notAfter: of.inDays(10) })).body).toMatchObject({
      message: expect.stringContaining('no authority can be below it'),
    });
  });

  it('has the name constraints of the order, as roots have theirs', async () => {
    const root = await of.make({ nameConstraints: { permitted: [{ type: 'dns', value: 'example.com' }] } });
    expect(root.configuration.nameConstraints).toEqual({
      permitted: [{ type: 'dns', value: 'example.com' }],
      excluded: [],
    });
    const { certificate } = ok(
      await sign(root.id, {
        csr: foreignCsr(),
        notAfter: of.inDays(10),
        nameConstraints: { excluded: [{ type: 'ip', value: '10.0.0.0/8' }] },
      }),
    );
    const text = textOf(certificate);
    expect(text).toMatch(/Excluded:\s+IP:10\.0\.0\.0\/255\.0\.0\.0/);
    const rootText = textOf((await of.certificateOf(root.id)).certificate);
    expect(rootText).toMatch(/Name Constraints: critical\s+Permitted:\s+DNS:example\.com/);
  });

  it('refuses CSRs that request unsupported content, or that are contradictory', async () => {
    const root = await of.make({ commonName: 'Refusing Root' });
    const asking = (...extensions: string[]) => makeRequest({ subject: `/CN=${nameOf('Foreign')}`, extensions }).csr;
    const named = (subject: string) => makeRequest({ subject }).csr;
    const broken = foreignCsr().split('\n');
    broken[3] = broken[3]!.split('').toReversed().join('');
    const cases: [string, string][] = [
      ['alternative names', asking('subjectAltName=DNS:example.com')],
      ['an extended key usage', asking('extendedKeyUsage=serverAuth')],
      ['a key usage', asking('keyUsage=keyEncipherment')],
      ['another extension', asking('1.2.3.4=DER:0500')],
      ['an attribute of its own', named('/CN=A/serialNumber=1')],
      ['the name of the root', named('/CN=Refusing Root')],
      ['no name', named('/')],
      ['a broken signature', broken.join('\n')],
      ['a key of 1024 bits', makeRequest({ key: ['rsa:1024'] }).csr],
      ['no CSR', 'nonsense'],
    ];
    const found: Record<string, number> = {};
    for (const [what, csr] of cases) found[what] = (await sign(root.id, { csr, notAfter: of.inDays(10) })).status;
    expect(found).toEqual(Object.fromEntries(cases.map(([what]) => [what, 400])));
    expect(await of.events(root.id)).toEqual(['created']);
  });

  it('stores what it returns, with the findings of the linter', async () => {
    const root = await of.make({});
    const { serialNumber } = ok(await sign(root.id, { csr: foreignCsr(), notAfter: of.inDays(10) }));
    const { rows } = await test.coffer.pool.query(
      'select serial_number, is_ca, status, source, jsonb_typeof(lint) as lint from certificates where ca_id = $1',
      [root.id],
    );
    expect(rows).toEqual([
      { serial_number: serialNumber, is_ca: true, status: 'active', source: 'sign', lint: 'array' },
    ]);
    expect(await of.events(root.id)).toEqual(['created', 'signed_intermediate']);
  });

  it('is not done by an authority that is disabled or has expired, here and in other processes', async () => {
    const other = await anotherProcess(test);
    try {
      const root = await of.make({ notAfter: of.inDays(20) });
      const body = { csr: foreignCsr(), notAfter: of.inDays(10) };
      const there: Caller = async (method, url, payload) => {
        const headers = { authorization: `Bearer ${test.adminIdentity.token}` };
        const answer = await other.app.inject({ method, url, headers, ...(payload && { payload }) });
        return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
      };
      ok(await sign(root.id, body, there));
      ok(await test.admin('PATCH', `${CA}/${root.id}`, { status: 'disabled' }));
      // Without waiting: the stored row is checked.
      for (const call of [there, test.admin])
        expect((await sign(root.id, { ...body, csr: foreignCsr() }, call)).status).toBe(400);
      ok(await test.admin('PATCH', `${CA}/${root.id}`, { status: 'active' }));
      ok(await sign(root.id, { ...body, csr: foreignCsr() }));
      test.advance(21 * DAY);
      expect((await sign(root.id, { csr: foreignCsr(), notAfter: of.inDays(1) })).body.message).toContain('expired');
    } finally {
      await other.close();
    }
  });
});

describe('importing a certificate', () => {
  const importing = (id: string, certificate: string, certificateChain: string) =>
    test.admin('POST', `${CA}/${id}/import-certificate`, { certificate, certificateChain });

  /** A root of OpenSSL, which certifies the key of a CSR as told, with the name of the CSR or another one. */
  function outside(csr: string, extensions: string, subject?: string) {
    const made = openssl([
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384', '-nodes', '-days', '1000'],
      ...['-subj', '/CN=Outside Root', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
      ...['-keyout', 'r.key', '-out', 'r.pem'],
    ]);
    const files = { 'r.key': made.file('r.key'), 'r.pem': made.file('r.pem'), 'e.cnf': extensions };
    const key = openssl(['req', '-in', 'a.csr', '-pubkey', '-noout', '-out', 'p.pem'], { 'a.csr': csr }).file('p.pem');
    const args = ['x509', '-req', '-in', 'a.csr', '-CA', 'r.pem', '-CAkey', 'r.key', '-days', '100', '-out', 'c.pem'];
    const run = openssl([...args, '-force_pubkey', 'p.pem', '-extfile', 'e.cnf'], {
      ...files,
      'a.csr': subject === undefined ? csr : makeRequest({ subject }).csr,
      'p.pem': key,
    });
    expect([run.code, run.text]).toEqual([0, expect.anything()]);
    return { certificate: run.file('c.pem').toString(), root: made.file('r.pem').toString() };
  }
  const AUTHORITY = 'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\n';

  it('accepts and uses a certificate of an external authority', async () => {
    const { id } = await of.make({ type: 'intermediate', keyAlgorithm: 'RSA_2048' });
    const { certificate, root } = outside(
      await of.csrOf(id),
      `${AUTHORITY}nameConstraints=critical,permitted;DNS:example.com\nsubjectKeyIdentifier=hash\n`,
    );
    // Many files begin with the certificate itself, or contain one of the others twice.
    ok(await importing(id, certificate, `${certificate}${root}${root}`));
    const authority = ok(await test.admin('GET', `${CA}/${id}`));
    expect(authority).toMatchObject({
      status: 'active',
      configuration: {
        parentCaId: null,
        maxPathLength: 0,
        nameConstraints: { permitted: [{ type: 'dns', value: 'example.com' }] },
        serialNumber: new X509Certificate(certificate).serialNumber.toLowerCase(),
      },
    });
    expect((await of.certificateOf(id)).certificateChain.trim()).toBe(root.trim());
    expect(
      (await test.admin('POST', `${CA}/${id}/renew`, { type: 'existing', notAfter: of.inDays(10) })).body,
    ).toMatchObject({
      message: expect.stringContaining('signed externally'),
    });
    // A renewal with another key: the previous one is used until the new one is certified.
    const { csr } = ok(await test.admin('POST', `${CA}/${id}/csr`));
    expect(ok(await test.admin('POST', `${CA}/${id}/csr`)).csr).not.toBe('');
    const next = outside(csr, AUTHORITY);
    ok(await importing(id, next.certificate, next.root));
    const versions = ok(await test.admin('GET', `${CA}/${id}/ca-certificates`));
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([1, 2]);
    const keys = versions.map((one: { certificate: string }) => new X509Certificate(one.certificate).publicKey);
    expect(keys[0].equals(keys[1])).toBe(false);
    expect(await of.events(id)).toEqual(['created', 'request_made', 'imported', 'key_prepared', 'imported']);
  });

  /** A member of the project with these rights to authorities. */
  const holder = async (...action: string[]) =>
    (
      await test.identity({
        projectId: of.projectId,
        rules: [{ subject: 'certificate-authorities', action: ['read', ...action] }],
      })
    ).call;

  it('takes the right to create for the first one, and to renew for every other one, which is no other authority', async () => {
    const [creator, renewer, editor] = [await holder('create'), await holder('renew'), await holder('renew', 'edit')];
    const root = await of.make({});
    const bring = async (call: Caller, id: string, certificate: string, certificateChain: string) =>
      (await call('POST', `${CA}/${id}/import-certificate`, { certificate, certificateChain })).status;
    const below = async (id: string, more: object = {}) => {
      const body = { csr: await of.csrOf(id), notAfter: of.inDays(50), ...more };
      const { certificate, certificateChain } = ok(await sign(root.id, body));
      return [certificate, certificateChain] as const;
    };
    const elsewhere = async (id: string) => {
      const { certificate, root: above } = outside(await of.csrOf(id), AUTHORITY);
      return [certificate, above] as const;
    };
    const { id: first } = await of.make({ type: 'intermediate' });
    for (const call of [renewer, editor]) expect(await bring(call, first, ...(await elsewhere(first)))).toBe(403);
    expect(await bring(creator, first, ...(await elsewhere(first)))).toBe(200);
    // The root is another one with the same name.
    for (const call of [creator, renewer]) expect(await bring(call, first, ...(await elsewhere(first)))).toBe(403);
    expect(await bring(editor, first, ...(await elsewhere(first)))).toBe(200);

    const { id } = await of.make({ type: 'intermediate', parentCaId: root.id });
    ok(await test.admin('PATCH', `${CA}/${id}/auto-renewal`, { enableAutoRenewal: true }));
    const before = ok(await test.admin('GET', `${CA}/${id}`));
    const constrained = { nameConstraints: { permitted: [{ type: 'dns', value: 'nothing.invalid' }] } };
    for (const other of [await elsewhere(id), await below(id, constrained), await below(id, { maxPathLength: 0 })])
      for (const call of [creator, renewer]) expect(await bring(call, id, ...other)).toBe(403);
    expect(ok(await test.admin('GET', `${CA}/${id}`))).toEqual(before);
    expect(await bring(creator, id, ...(await below(id)))).toBe(403);
    expect(await bring(renewer, id, ...(await below(id)))).toBe(200);
    expect(ok(await test.admin('GET', `${CA}/${id}/auto-renewal`)).enableAutoRenewal).toBe(true);
    expect(await bring(editor, id, ...(await elsewhere(id)))).toBe(200);
  });

  it('rejects another name for a key that has signed, because verifiers find its lists and responses by name', async () => {
    const { id } = await of.make({ type: 'intermediate' });
    const first = outside(await of.csrOf(id), AUTHORITY, '/CN=First/serialNumber=7/OU=A/OU=B');
    ok(await importing(id, first.certificate, first.root));
    const renamed = outside(await of.csrOf(id), AUTHORITY, '/CN=Second');
    expect((await importing(id, renamed.certificate, renamed.root)).body).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('another name'),
    });
    // By its CSR, with the complete name.
    const again = outside(await of.csrOf(id), AUTHORITY);
    ok(await importing(id, again.certificate, again.root));
    // A new key may have any.
    const { csr } = ok(await test.admin('POST', `${CA}/${id}/csr`));
    const next = outside(csr, AUTHORITY, '/CN=Second');
    ok(await importing(id, next.certificate, next.root));
  });

  it('rejects a certificate that is revoked here', async () => {
    const root = await of.make({});
    const { id } = await of.make({ type: 'intermediate' });
    const order = { csr: await of.csrOf(id), notAfter: of.inDays(100) };
    const signed = ok(await test.admin('POST', `${CA}/${root.id}/sign-intermediate`, order));
    await of.revoke(signed);
    expect((await importing(id, signed.certificate, signed.certificateChain)).body.message).toContain('revoked');
  });

  it('rejects a chain that violates a path length, which OpenSSL would sign', async () => {
    const { id } = await of.make({ type: 'intermediate' });
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const usage = 'keyUsage=critical,keyCertSign,cRLSign';
    const root = openssl([
      ...['req', '-x509', ...key, '-days', '1000', '-subj', '/CN=Short Root', '-keyout', 'r.key', '-out', 'r.pem'],
      ...['-addext', 'basicConstraints=critical,CA:TRUE,pathlen:0', '-addext', usage],
    ]);
    const files = { 'r.key': root.file('r.key'), 'r.pem': root.file('r.pem'), 'e.cnf': AUTHORITY };
    const request = openssl(['req', '-new', ...key, '-subj', '/CN=Middle', '-keyout', 'm.key', '-out', 'm.csr']);
    const below = (ca: string, caKey: string, csr: string, more: Record<string, string | Uint8Array>) =>
      openssl(
        [
          ...['x509', '-req', '-in', csr, '-CA', ca, '-CAkey', caKey],
          ...['-days', '900', '-extfile', 'e.cnf', '-out', 'out.pem'],
        ],
        { ...files, ...more },
      ).file('out.pem');
    const middle = below('r.pem', 'r.key', 'm.csr', { 'm.csr': request.file('m.csr') });
    const own = { 'm.pem': middle, 'm.key': request.file('m.key'), 'a.csr': await of.csrOf(id) };
    const certificate = below('m.pem', 'm.key', 'a.csr', own).toString();
    const answer = await importing(id, certificate, `${middle.toString()}${root.file('r.pem').toString()}`);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/below/)]);
    expect(ok(await test.admin('GET', `${CA}/${id}`)).status).toBe('pending-certificate');
  });

  it('refuses what does not fit, by its rule', async () => {
    const { id } = await of.make({ type: 'intermediate' });
    const { id: otherId } = await of.make({ type: 'intermediate' });
    const csr = await of.csrOf(id);
    const good = outside(csr, AUTHORITY);
    const stranger = outside(await of.csrOf(otherId), AUTHORITY);
    const leaf = outside(csr, 'basicConstraints=CA:FALSE\n');
    const noLists = outside(csr, 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n');
    const nameless = outside(csr, AUTHORITY, '/');
    const cases: Record<string, [string, string]> = {
      'for a key other than': [stranger.certificate, stranger.root],
      'of no authority': [leaf.certificate, leaf.root],
      'that may sign no lists': [noLists.certificate, noLists.root],
      'without a name': [nameless.certificate, nameless.root],
      'without a chain': [good.certificate, ''],
      'with the chain of another': [good.certificate, stranger.root],
      'that is none': ['nonsense', good.root],
      'with a chain that is none': [good.certificate, 'nonsense'],
    };
    const found: Record<string, number> = {};
    for (const [what, [certificate, chain]] of Object.entries(cases))
      found[what] = (await importing(id, certificate, chain)).status;
    expect(found).toEqual(Object.fromEntries(Object.keys(cases).map((what) => [what, 400])));
    const root = await of.make({});
    expect((await importing(root.id, good.certificate, good.root)).status).toBe(400);
    expect(ok(await test.admin('GET', `${CA}/${id}`)).status).toBe('pending-certificate');
    test.advance(200 * DAY);
    expect((await importing(id, good.certificate, good.root)).body.message).toContain('valid until');
  });
});
