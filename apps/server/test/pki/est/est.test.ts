import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeAuthority } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, DAY } from '../../harness/certificates.ts';
import {
  basic,
  certificatesOf,
  estWorld,
  HEADER,
  OPEN,
  PASSPHRASE,
  pemsIn,
  request,
  shown,
  type EstWorld,
} from '../../harness/est.ts';
import { ok } from '../../harness/groups.ts';
import type { TestServer } from '../../harness/test-server.ts';

let world: EstWorld;
let test: TestServer;
beforeAll(async () => {
  world = await estWorld();
  ({ test } = world);
});
afterAll(() => test.close());

/** A name on which clients enroll is a template's, or a profile's; they see no difference. */
const PLACES = [
  { kind: 'template', place: (config?: object) => world.template(config), column: 'certificate_template_id' },
  { kind: 'profile', place: (config?: object) => world.profile(config), column: 'profile_id' },
] as const;

describe.each(PLACES)('enrolling by EST on a $kind', ({ kind, place, column }) => {
  it('gets the certificates of the authority', async () => {
    const id = await place(OPEN);
    const { statusCode: status, body, headers } = await test.app.inject({ url: `/.well-known/est/${id}/cacerts` });
    const [root, ...more] = await certificatesOf({ status, body, headers });
    const own = await ok(test.admin('GET', `/api/v1/cert-manager/ca/internal/${world.caId}/certificate`));
    expect([new X509Certificate(root!).fingerprint256, more]).toEqual([
      new X509Certificate(own.certificate).fingerprint256,
      [],
    ]);
  });

  it('accepts the passphrase, and issues within its limits', async () => {
    const id = await place(OPEN);
    const [pem] = await certificatesOf(await world.est(id, 'simpleenroll', request('a.example.com'), basic()));
    const certificate = new X509Certificate(pem!);
    expect(certificate).toMatchObject({ subject: 'CN=a.example.com', subjectAltName: 'DNS:a.example.com' });
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    const { rows } = await test.coffer.pool.query(
      `select source, ${column} as place from certificates where serial_number = $1`,
      [certificate.serialNumber.toLowerCase()],
    );
    expect(rows).toEqual([{ source: 'est', place: id }]);
  });

  it('rejects content outside of the limits, and invalid requests', async () => {
    const id = await place(OPEN);
    for (const csr of [
      request('a.other.com'),
      request('a.example.com', { extensions: ['subjectAltName=DNS:a.example.com,IP:10.0.0.1'] }),
      request('a.example.com', { subject: '/CN=a.example.com/O=Evil' }),
      request('a.example.com', { extensions: ['basicConstraints=critical,CA:TRUE'] }),
      request('a.example.com', { extensions: ['extendedKeyUsage=codeSigning'] }),
      'AAAA',
      'no base64!',
    ])
      expect((await world.est(id, 'simpleenroll', csr, basic())).status).toBe(400);
  });

  it('rejects wrong passphrases with the expected authentication scheme', async () => {
    const id = await place(OPEN);
    const csr = request('a.example.com');
    for (const headers of [
      {},
      basic('wrong'),
      basic(''),
      { authorization: 'Basic !' },
      { authorization: 'Bearer x' },
    ]) {
      const answer = await world.est(id, 'simpleenroll', csr, { ...headers });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Basic realm="EST"']);
    }
  });

  it('requires a certificate in addition, unless the configuration disables it', async () => {
    const vendor = makeAuthority('Vendor');
    const id = await place({ caChain: vendor.cert });
    const csr = request('a.example.com');
    const device = vendor.issue('device');
    expect((await world.est(id, 'simpleenroll', csr, { ...basic(), ...shown(device.cert) })).status).toBe(200);
    for (const headers of [
      basic(),
      { ...basic(), ...shown(makeAuthority('Vendor').issue('device').cert) },
      { ...basic(), ...shown(makeAuthority('device').cert) },
      { ...basic(), [HEADER]: 'no certificate' },
      shown(device.cert),
    ])
      expect((await world.est(id, 'simpleenroll', csr, headers)).status).toBe(401);
    const another = makeAuthority('Another');
    const both = await place({ caChain: vendor.cert + another.cert });
    for (const seen of [[device.cert], [another.issue('device').cert], [device.cert, vendor.cert]])
      expect((await world.est(both, 'simpleenroll', csr, { ...basic(), ...shown(...seen) })).status).toBe(200);
  });

  it('requires a certificate for clients, of authorities for clients', async () => {
    const vendor = makeAuthority('Vendor');
    const id = await place({ caChain: vendor.cert });
    type Usages = NonNullable<Parameters<typeof vendor.issue>[1]>['usages'] & {};
    const enrol = async (ofAuthority: Usages, ofDevice: Usages) => {
      const between = vendor.issue('Between', { authority: true, usages: ofAuthority });
      const device = between.issue('device', { usages: ofDevice });
      const headers = { ...basic(), ...shown(device.cert, between.cert) };
      return (await world.est(id, 'simpleenroll', request('a.example.com'), headers)).status;
    };
    const good: Usages[] = [[], ['clientAuth'], ['emailProtection', 'clientAuth'], ['any']];
    for (const usages of good)
      expect([await enrol(usages, ['clientAuth']), await enrol([], usages)]).toEqual([200, 200]);
    const bad: Usages[] = [['emailProtection'], ['serverAuth'], ['smartcardLogon']];
    for (const usages of bad)
      expect([await enrol(usages, ['clientAuth']), await enrol([], usages)]).toEqual([401, 401]);
  });

  it('does not exist for unknown IDs, without a configuration, and while it is disabled', async () => {
    const off = kind === 'template' ? [await world.template({ ...OPEN, isEnabled: false })] : [];
    const csr = request('a.example.com');
    for (const id of [...off, await place(), crypto.randomUUID(), 'x']) {
      expect((await test.app.inject({ url: `/.well-known/est/${id}/cacerts` })).statusCode).toBe(404);
      for (const operation of ['simpleenroll', 'simplereenroll'])
        expect((await world.est(id, operation, csr, basic())).status).toBe(404);
    }
  });
});

describe.each(PLACES)('re-enrolling by EST on a $kind', ({ place }) => {
  it('accepts the replaced certificate, while it is valid, for the same names', async () => {
    const id = await place(OPEN);
    const [pem = ''] = await certificatesOf(await world.est(id, 'simpleenroll', request('a.example.com'), basic()));
    const again = request('a.example.com');
    for (const csr of [request('b.example.com'), request('a.example.com', { subject: '/' })])
      expect((await world.est(id, 'simplereenroll', csr, shown(pem))).status).toBe(400);
    const other = await place(OPEN);
    for (const [at, headers] of [
      [id, {}],
      [id, basic()],
      [id, shown(makeAuthority('a.example.com').cert)],
      [other, shown(pem)],
    ] as const)
      expect((await world.est(at, 'simplereenroll', again, headers)).status).toBe(401);
    const [next = ''] = await certificatesOf(await world.est(id, 'simplereenroll', again, shown(pem)));
    expect(new X509Certificate(next).serialNumber).not.toBe(new X509Certificate(pem).serialNumber);
    const [row] = (
      await test.coffer.pool.query('select id from certificates where serial_number = $1', [
        new X509Certificate(next).serialNumber.toLowerCase(),
      ])
    ).rows;
    await test.coffer.pool.query(`update certificates set status = 'revoked' where id = $1`, [row.id]);
    expect((await world.est(id, 'simplereenroll', again, shown(next))).status).toBe(401);
  });
});

describe('a client of EST', () => {
  it('gets the authority, enrols and re-enrols with curl and openssl, as documented', async () => {
    const server = await test.app.listen({ host: '127.0.0.1', port: 0 });
    const id = await world.profile(OPEN);
    const directory = await mkdtemp(join(tmpdir(), 'coffer-est-'));
    try {
      const shell = async (lines: readonly string[], more: Record<string, string> = {}) =>
        promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines.join('\n')], {
          cwd: directory,
          env: { ...process.env, PASSPHRASE, EST: `${server}/.well-known/est/${id}`, ...more },
        });
      const type = `-H 'content-type: application/pkcs10'`;
      const enrol = (operation: string, how: string, file: string) =>
        `base64 a.csr | curl -fsS ${how} ${type} --data-binary @- "$EST/${operation}" | base64 -d |
          openssl pkcs7 -inform DER -print_certs -out ${file}`;
      await shell([
        'curl -fsS "$EST/cacerts" | base64 -d | openssl pkcs7 -inform DER -print_certs -out ca.pem',
        `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout a.key -subj /CN=a.example.com \\
          -addext subjectAltName=DNS:a.example.com -outform DER -out a.csr 2> errors`,
        enrol('simpleenroll', '-u "device:$PASSPHRASE"', 'a.pem'),
      ]);
      // The certificate from the handshake of a proxy.
      const [pem = ''] = pemsIn(await readFile(join(directory, 'a.pem'), 'utf8'));
      const SEEN = encodeURIComponent(pem);
      const again = [
        enrol('simplereenroll', `-H "${HEADER}: $SEEN"`, 'b.pem'),
        // The answer may have been lost.
        enrol('simplereenroll', `-H "${HEADER}: $SEEN"`, 'c.pem'),
        'for one in a b c; do openssl verify -x509_strict -purpose sslclient -CAfile ca.pem $one.pem; done',
        'cat [abc].pem | grep -c "BEGIN CERTIFICATE"',
      ];
      const { stdout } = await shell(again, { SEEN });
      expect(stdout).toBe('a.pem: OK\nb.pem: OK\nc.pem: OK\n3\n');
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('gets certificates that expire with the authority at the latest', async () => {
    const notAfter = soon();
    const short = await createAuthority(test.admin, { projectId: world.projectId, configuration: { notAfter } });
    const id = await world.profile(OPEN, { caId: short.id });
    const [pem = ''] = await certificatesOf(await world.est(id, 'simpleenroll', request('a.example.com'), basic()));
    expect(new X509Certificate(pem).validToDate.toISOString()).toBe(notAfter);
  });
});

/** In five days, to the second. */
const soon = () => new Date(Math.floor(test.coffer.now().getTime() / 1_000) * 1_000 + 5 * DAY).toISOString();
