import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { challengeServer } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AcmeClient, obtain } from '../../harness/acme-client.ts';
import { acmeWorld, refusal, type AcmeWorld } from '../../harness/acme.ts';
import { DAY } from '../../harness/certificates.ts';
import { csrFor, csrOf, type WantedRequest } from '../../harness/csr.ts';
import { ok } from '../../harness/groups.ts';

let world: AcmeWorld;
/** Anybody may have an account; names count as proved. */
let open: string;
beforeAll(async () => {
  if (challengeServer.isMissing) return;
  world = await acmeWorld();
  open = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
});
afterAll(() => world?.close());

describe.skipIf(challengeServer.isMissing)(`the contents of an order${challengeServer.orSkipped}`, () => {
  let client: AcmeClient;
  beforeAll(async () => {
    client = await AcmeClient.withAccount(world, open);
  });

  it('is names in the DNS', async () => {
    for (const value of [
      '10.0.0.1',
      '2001:db8::1',
      'a..example.com',
      'a.example.com.',
      '-a.example.com',
      'a_b.example.com',
      'ü.example.com',
      'ab--c.example.com',
      '*.com',
      '*',
      'a.*.example.com',
      '*a.example.com',
      '*.*.example.com',
      'a.example.com\0',
      'a.example.com/b',
      `${'a'.repeat(64)}.example.com`,
      `${'a.'.repeat(126)}example.com`,
      '',
      '1.2.3',
      '0x7f000001',
    ])
      expect([value, ...refusal(await client.order(value))]).toEqual([value, 400, 'rejectedIdentifier']);
    const mixed = { identifiers: [{ type: 'ip', value: '10.0.0.1' }] };
    expect(refusal(await client.post('new-order', mixed))).toEqual([400, 'unsupportedIdentifier']);
    for (const identifiers of [
      undefined,
      [],
      [{}],
      Array.from({ length: 101 }, () => ({ type: 'dns', value: 'a.example.com' })),
    ])
      expect(refusal(await client.post('new-order', { identifiers }))).toEqual([400, 'malformed']);
  });

  it('has an error for each invalid name', async () => {
    const { body } = await client.order('a.example.com', '*.com', '-b.example.com');
    expect(body.subproblems.map((one: { identifier: { value: string } }) => one.identifier.value)).toEqual([
      '*.com',
      '-b.example.com',
    ]);
  });

  it('is each name once, in lower case, with a validation for each and for a wildcard only by DNS', async () => {
    const strict = await AcmeClient.withAccount(world, await world.profile({ skipEabBinding: true }));
    const { body } = await strict.order('B.example.com', 'b.example.com', '*.b.example.com');
    expect(body.identifiers).toEqual([
      { type: 'dns', value: '*.b.example.com' },
      { type: 'dns', value: 'b.example.com' },
    ]);
    const found = await Promise.all(body.authorizations.map((url: string) => strict.post(url)));
    const seen = found.map(({ body: { identifier, wildcard, challenges } }) => [
      identifier.value,
      wildcard,
      challenges
        .map(({ type }: { type: string }) => type)
        .toSorted()
        .join(),
    ]);
    expect(seen).toEqual([
      ['b.example.com', undefined, 'dns-01,http-01,tls-alpn-01'],
      ['b.example.com', true, 'dns-01'],
    ]);
  });

  it('must match the policy of the profile', async () => {
    const rules = {
      sans: [{ type: 'dns_name', allowed: ['*.allowed.example.com'], denied: ['no.*'] }],
      validity: { max: '10d' },
    };
    const one = await AcmeClient.withAccount(
      world,
      await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true, rules }),
    );
    for (const name of ['a.example.com', 'no.allowed.example.com', '*.allowed.example.com'])
      expect(refusal(await one.order(name))).toEqual([400, 'rejectedIdentifier']);
    const { certificate } = await obtain(one, ['yes.allowed.example.com']);
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / DAY;
    expect(Math.round(days)).toBe(10);
    const late = new Date(world.test.coffer.now().getTime() + 11 * DAY).toISOString();
    const asked = { identifiers: [{ type: 'dns', value: 'yes.allowed.example.com' }], notAfter: late };
    expect(refusal(await one.post('new-order', asked))).toEqual([400, 'malformed']);
  });

  it('is limited in number', async () => {
    const { pool } = world.test.coffer;
    const one = await AcmeClient.withAccount(world, open);
    await one.order('a.example.com');
    await pool.query(
      `insert into acme_orders (id, organization_id, project_id, profile_id, account_id, status, identifiers, expires_at)
       select gen_random_uuid(), organization_id, project_id, profile_id, account_id, 'pending', identifiers, expires_at
       from acme_orders, generate_series(1, 298) where account_id = $1`,
      [one.accountId],
    );
    // One more is accepted, for any number of concurrent requests.
    const answers = await Promise.all(['b', 'c', 'd', 'e'].map((name) => one.order(`${name}.example.com`)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(3);
    for (const answer of refused)
      expect([...refusal(answer), answer.headers['retry-after']]).toEqual([429, 'rateLimited', '3600']);
  });
});

describe.skipIf(challengeServer.isMissing)(`the request that finalizes an order${challengeServer.orSkipped}`, () => {
  const NAME = 'csr.example.com';
  const SAN = `subjectAltName=DNS:${NAME}`;
  let client: AcmeClient;
  let finalize: string;
  beforeAll(async () => {
    client = await AcmeClient.withAccount(world, open);
    finalize = (await client.order(NAME)).body.finalize;
  });

  const HOSTILE: Readonly<Record<string, WantedRequest>> = {
    'no names': {},
    'another name': { extensions: ['subjectAltName=DNS:evil.example.com'] },
    'one name more': { extensions: [`${SAN},DNS:evil.example.com`] },
    'a wildcard more': { extensions: [`${SAN},DNS:*.example.com`] },
    'an address': { extensions: [`${SAN},IP:10.0.0.1`] },
    'an e-mail address': { extensions: [`${SAN},email:root@example.com`] },
    'a URI': { extensions: [`${SAN},URI:spiffe://example.com/a`] },
    'another name of a kind of its own': {
      extensions: [`${SAN},otherName:1.3.6.1.4.1.311.20.2.3;UTF8:root@example.com`],
    },
    'a registered id': { extensions: [`${SAN},RID:1.2.3.4`] },
    'a common name that is not among its names': { subject: '/CN=evil.example.com', extensions: [SAN] },
    'a common name alone that is another': { subject: '/CN=evil.example.com' },
    'a common name that is no name': { subject: '/CN=Root CA', extensions: [SAN] },
    'two common names': { subject: `/CN=${NAME}/CN=evil.example.com`, extensions: [SAN] },
    'an organization': { subject: `/CN=${NAME}/O=Evil`, extensions: [SAN] },
    'an e-mail address in the subject': { subject: `/CN=${NAME}/emailAddress=root@example.com`, extensions: [SAN] },
    'CA:true': { extensions: [SAN, 'basicConstraints=critical,CA:TRUE'] },
    'CA:true with a path': { extensions: [SAN, 'basicConstraints=critical,CA:TRUE,pathlen:3', 'keyUsage=keyCertSign'] },
    'a key usage of authorities': { extensions: [SAN, 'keyUsage=keyCertSign,cRLSign'] },
    'an extended key usage that is not issued': { extensions: [SAN, 'extendedKeyUsage=codeSigning'] },
    'an extended key usage of any kind': { extensions: [SAN, 'extendedKeyUsage=anyExtendedKeyUsage'] },
    'name constraints': { extensions: [SAN, 'nameConstraints=permitted;DNS:example.com'] },
    'must-staple': { extensions: [SAN, 'tlsfeature=status_request'] },
    'an extension that nobody knows': { extensions: [SAN, '1.2.3.4.5=DER:0500'] },
    'a weak key': { extensions: [SAN], key: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey },
    'a curve that is not certified': {
      extensions: [SAN],
      key: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey,
    },
  };

  it.each(Object.keys(HOSTILE))('is refused with %s, and nothing is issued', async (what) => {
    expect(refusal(await client.post(finalize, { csr: csrOf(HOSTILE[what]!) }))).toEqual([400, 'badCSR']);
  });

  it('is rejected if it is invalid, not signed by its key, or has the key of the account', async () => {
    const good = Buffer.from(csrFor(NAME), 'base64url');
    good[good.length - 1]! ^= 1;
    const own = csrOf({ extensions: [SAN], key: client.key.privateKey });
    for (const csr of [
      'AAAA',
      'no base64!',
      good.toString('base64url'),
      own,
      Buffer.alloc(70_000).toString('base64url'),
    ])
      expect(refusal(await client.post(finalize, { csr }))).toEqual([400, 'badCSR']);
    for (const payload of [{}, { csr: 7 }])
      expect(refusal(await client.post(finalize, payload))).toEqual([400, 'malformed']);
  });

  it('leaves the order unchanged if it is rejected, and issues what was authorized if it is valid', async () => {
    const { rows } = await world.test.coffer.pool.query(
      'select 1 from certificates c join acme_orders o on o.certificate_id = c.id where o.account_id = $1',
      [client.accountId],
    );
    expect(rows).toEqual([]);
    const csr = csrOf({
      subject: `/CN=${NAME.toUpperCase()}`,
      extensions: [SAN, 'keyUsage=digitalSignature,keyEncipherment', 'extendedKeyUsage=serverAuth,clientAuth'],
    });
    const { body } = await client.post(finalize, { csr });
    expect(body.status).toBe('valid');
    const certificate = new X509Certificate((await client.post(body.certificate)).body);
    expect(certificate).toMatchObject({ subject: `CN=${NAME}`, subjectAltName: `DNS:${NAME}`, ca: false });
    // Requested usages are ignored; the profile determines them.
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('gets the subject and usages of the profile', async () => {
    const defaults = {
      organization: 'Acme',
      country: 'DE',
      ttlDays: 7,
      extendedKeyUsages: ['server_auth', 'client_auth'],
    };
    const one = await AcmeClient.withAccount(
      world,
      await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true, defaults }),
    );
    const { certificate } = await obtain(one, ['d.example.com']);
    expect(certificate.subject.split('\n').toSorted()).toEqual(['C=DE', 'O=Acme']);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  });

  it('is rejected if the authority is disabled', async () => {
    const one = await AcmeClient.withAccount(world, open);
    const order = await one.order('disabled.example.com');
    const at = `/api/v1/cert-manager/ca/internal/${world.caId}`;
    await ok(world.test.admin('PATCH', at, { status: 'disabled' }));
    const csr = csrFor('disabled.example.com');
    expect(refusal(await one.post(order.body.finalize, { csr }))).toEqual([500, 'serverInternal']);
    await ok(world.test.admin('PATCH', at, { status: 'active' }));
    expect((await one.post(order.body.finalize, { csr })).body.status).toBe('valid');
  });
});
