import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { challengeServer } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey, AcmeClient } from '../../harness/acme-client.ts';
import { acmeWorld, asAnswer, PREFIX, refusal, type AcmeWorld } from '../../harness/acme.ts';
import { anotherProcess } from '../../harness/another-process.ts';

let world: AcmeWorld;
/** Anybody may have an account; names count as proved. */
let open: string;
beforeAll(async () => {
  if (challengeServer.isMissing) return;
  world = await acmeWorld();
  open = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
});
afterAll(() => world?.close());

describe.skipIf(challengeServer.isMissing)(`the directory of a profile${challengeServer.orSkipped}`, () => {
  const get = (url: string, method: 'GET' | 'HEAD' = 'GET') => world.test.app.inject({ method, url });
  const at = (id: string) => `/api/v1/cert-manager/acme/${id}`;

  it('lists all endpoints, and whether accounts need the external key', async () => {
    const bound = await world.profile();
    for (const [id, externalAccountRequired] of [
      [open, false],
      [bound, true],
    ] as const) {
      const { statusCode, headers, body } = await get(`${at(id)}/directory`);
      const base = `http://127.0.0.1:8080${at(id)}`;
      expect([statusCode, headers['content-type']]).toEqual([200, 'application/json']);
      expect(JSON.parse(body)).toEqual({
        newNonce: `${base}/new-nonce`,
        newAccount: `${base}/new-account`,
        newOrder: `${base}/new-order`,
        revokeCert: `${base}/revoke-cert`,
        keyChange: `${base}/key-change`,
        renewalInfo: `${base}/renewal-info`,
        meta: { externalAccountRequired },
      });
    }
  });

  it('is not there for unknown ids and for profiles that enrol in another way', async () => {
    const api = await world.profile({ enrollmentType: 'api' });
    for (const id of ['nothing', '00000000-0000-4000-8000-000000000000', api])
      for (const path of ['directory', 'new-nonce'])
        expect((await get(`${at(id)}/${path}`)).statusCode, `${id} ${path}`).toBe(404);
  });

  it('returns a new nonce for each HEAD and GET', async () => {
    const answers = [await get(`${at(open)}/new-nonce`, 'HEAD'), await get(`${at(open)}/new-nonce`)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 204]);
    expect(new Set(answers.map(({ headers }) => headers['replay-nonce'])).size).toBe(2);
    for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store');
  });

  it('accepts messages only by POST, and reports that for every other method', async () => {
    for (const [method, path] of [
      ...['new-account', 'new-order', 'orders/x', 'authorizations/x', 'certificates/x'].map((one) => ['GET', one]),
      ...(['PUT', 'PATCH', 'DELETE'] as const).map((one) => [one, 'new-order']),
    ] as ['GET', string][]) {
      const answer = await world.test.app.inject({ method, url: `${at(open)}/${path}` });
      expect([method, path, ...refusal(asAnswer(answer)), answer.headers['allow']]).toEqual([
        ...[method, path, 405, 'malformed', 'POST'],
      ]);
    }
  });

  it('returns a problem document for unknown addresses below it', async () => {
    for (const path of ['', '/', '/nothing', '/orders', '/orders/x/nothing', '/directory/x', '/%00'])
      for (const method of ['GET', 'DELETE'] as const) {
        const answer = await world.test.app.inject({ method, url: `${at(open)}${path}` });
        expect([path, ...refusal(asAnswer(answer))]).toEqual([path, 404, 'malformed']);
      }
    const client = await AcmeClient.withAccount(world, open);
    expect(refusal(await client.post('nothing'))).toEqual([404, 'malformed']);
    const unknown = await get(`${at('nothing')}/nothing`);
    expect([unknown.statusCode, unknown.headers['content-type']]).toEqual([404, 'application/problem+json']);
  });

  it('is read by messages, too, and so are nonces', async () => {
    const client = await AcmeClient.withAccount(world, open);
    const [directory, nonce] = [await client.post('directory'), await client.post('new-nonce')];
    expect([directory.status, directory.body]).toEqual([200, (await get(`${at(open)}/directory`)).json()]);
    expect([nonce.status, nonce.headers['replay-nonce']]).toEqual([204, expect.stringMatching(/^[\w-]{40,}$/)]);
    for (const path of ['directory', 'new-nonce'])
      expect(refusal(await client.post(path, {}))).toEqual([400, 'malformed']);
  });
});

describe.skipIf(challengeServer.isMissing)(`a message${challengeServer.orSkipped}`, () => {
  let client: AcmeClient;
  beforeAll(async () => {
    client = await AcmeClient.withAccount(world, open);
  });
  const ORDER = { identifiers: [{ type: 'dns', value: 'a.example.com' }] };
  const send = async (header: Record<string, unknown>, by = client.key) =>
    refusal(await client.post('new-order', ORDER, { header, key: by }));

  it('is refused with a nonce that is none, is not ours, is of another profile, or is old', async () => {
    const other = AcmeClient.of(world, await world.profile({ skipEabBinding: true }));
    const forged = randomBytes(42).toString('base64url');
    const old = await client.nonce();
    for (const nonce of [undefined, 7, '', 'a', forged, `${await client.nonce()}A`, await other.nonce()])
      expect(await send({ nonce }), String(nonce)).toEqual([400, 'badNonce']);
    world.test.advance(3_600_001);
    expect(await send({ nonce: old })).toEqual([400, 'badNonce']);
  });

  it('uses its nonce up, for all processes', async () => {
    const another = await anotherProcess(world.test);
    try {
      const body = await client.sign('new-order', ORDER, { key: client.key, kid: client.kid });
      expect((await client.send('new-order', body)).status).toBe(201);
      expect(refusal(await client.send('new-order', body))).toEqual([400, 'badNonce']);
      const again = await another.app.inject({
        method: 'POST',
        url: client.pathOf('new-order'),
        headers: { 'content-type': 'application/jose+json' },
        payload: body,
      });
      expect([again.statusCode, again.json().type]).toEqual([400, `${PREFIX}badNonce`]);
      // The new nonce in the error response is valid.
      const nonce = String(again.headers['replay-nonce']);
      expect((await client.post('new-order', ORDER, { nonce })).status).toBe(201);
    } finally {
      await another.close();
    }
  });

  it('does not consume the nonce if its signature is invalid', async () => {
    const nonce = await client.nonce();
    expect(await send({ nonce }, accountKey())).toEqual([400, 'malformed']);
    expect((await client.post('new-order', ORDER, { nonce })).status).toBe(201);
  });

  it('is for the URL that it is sent to', async () => {
    for (const url of [`${client.base}/revoke-cert`, `${client.base}/new-order?a=b`, client.pathOf('new-order')])
      expect(await send({ url })).toEqual([401, 'unauthorized']);
  });

  it('identifies its sender by either kid or jwk, as the operation requires', async () => {
    expect(await send({ jwk: client.key.jwk })).toEqual([400, 'malformed']);
    expect(await send({ kid: undefined })).toEqual([400, 'malformed']);
    expect(refusal(await client.byKey('new-order', ORDER))).toEqual([400, 'malformed']);
    expect(refusal(await client.post('new-account', {}))).toEqual([400, 'malformed']);
    for (const kid of [
      'x',
      client.accountId,
      `${client.base}/accounts/${crypto.randomUUID()}`,
      `${client.base}/accounts/x`,
    ])
      expect(await send({ kid })).toEqual([400, 'accountDoesNotExist']);
  });

  it('is signed with an algorithm for its key', async () => {
    for (const alg of ['none', 'HS256', 'RS256', 'ES384', 'PS256', 'ES256K', ''])
      expect(await send({ alg }), alg).toEqual([400, 'badSignatureAlgorithm']);
    const [status, type] = await send({ alg: 7 });
    expect([status, type]).toEqual([400, 'malformed']);
    const answer = await client.post('new-order', ORDER, { header: { alg: 'none' } });
    expect(answer.body.algorithms).toContain('ES256');
  });

  it.each(['EC', 'RSA', 'Ed25519'] as const)('is taken from keys of the kind %s', async (kind) => {
    const one = AcmeClient.of(world, open, kind);
    expect((await one.byKey('new-account', {})).status).toBe(201);
  });

  it('brings a public key that is worth something', async () => {
    const pair = (type: 'weak' | 'curve') =>
      type === 'weak'
        ? generateKeyPairSync('rsa', { modulusLength: 1024 })
        : generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const weak = pair('weak').publicKey.export({ format: 'jwk' });
    const curve = pair('curve').publicKey.export({ format: 'jwk' });
    const secret = client.key.privateKey.export({ format: 'jwk' });
    const symmetric = { kty: 'oct', k: 'AAAA' };
    for (const jwk of [
      weak,
      curve,
      secret,
      symmetric,
      {},
      { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
      { kty: 'RSA' },
    ])
      expect(refusal(await client.byKey('new-account', {}, { header: { jwk } }))).toEqual([400, 'badPublicKey']);
  });

  it('is exactly one flattened JWS', async () => {
    const good = (await client.sign('new-order', ORDER, { key: client.key, kid: client.kid })) as Record<
      string,
      string
    >;
    const bodies: unknown[] = [
      '',
      'no JSON',
      [],
      {},
      { ...good, header: { alg: 'none' } },
      { payload: good['payload'], signatures: [{ protected: good['protected'], signature: good['signature'] }] },
      { ...good, payload: `${good['payload']}!` },
      { ...good, protected: 'AAAA' },
    ];
    for (const body of bodies) expect(refusal(await client.send('new-order', body))).toEqual([400, 'malformed']);
    const changed = { ...good, payload: Buffer.from('{"identifiers":[]}').toString('base64url') };
    expect(refusal(await client.send('new-order', changed))).toEqual([400, 'malformed']);
    for (const header of [{ crit: ['exp'], exp: 1 }, { b64: false }])
      expect(await send(header)).toEqual([400, 'malformed']);
    for (const type of ['application/json', 'text/plain'])
      expect(refusal(await client.send('new-order', good, type))).toEqual([415, 'malformed']);
    expect(refusal(await client.send('new-order', { ...good, payload: 'A'.repeat(200_000) }))).toEqual([
      413,
      'malformed',
    ]);
  });

  it('never causes an internal error', async () => {
    const one = await AcmeClient.withAccount(world, open);
    const order = (await one.order('odd.example.com')).body;
    const bound = await world.profile();
    const strict = AcmeClient.of(world, bound);
    const ODD: unknown[] = [
      null,
      1e308,
      'constructor',
      '\0\ud800\u202e',
      [],
      [null],
      { toString: 1 },
      JSON.parse('{"__proto__": {"a": 1}}'),
    ];
    const fields: Readonly<Record<string, readonly string[]>> = {
      'new-order': ['identifiers', 'notBefore', 'notAfter', 'replaces'],
      [one.kid]: ['contact', 'status'],
      'key-change': ['protected', 'payload', 'signature'],
      [order.finalize]: ['csr'],
      [order.authorizations[0]]: ['status'],
      'revoke-cert': ['certificate', 'reason'],
    };
    const statuses = new Set<number>();
    for (const odd of ODD) {
      for (const [path, names] of Object.entries(fields))
        for (const name of names) {
          const good = path === 'new-order' ? { identifiers: [{ type: 'dns', value: 'odd.example.com' }] } : {};
          statuses.add((await one.post(path, { ...good, [name]: odd })).status);
        }
      for (const identifier of [
        { type: 'dns', value: odd },
        { type: odd, value: 'a.example.com' },
      ])
        statuses.add((await one.post('new-order', { identifiers: [identifier] })).status);
      for (const name of ['contact', 'onlyReturnExisting', 'termsOfServiceAgreed', 'externalAccountBinding'])
        statuses.add((await strict.byKey('new-account', { [name]: odd })).status);
      for (const name of ['alg', 'nonce', 'url', 'kid', 'jwk', 'crit', 'b64', 'typ'])
        statuses.add((await one.post('new-order', {}, { header: { [name]: odd } })).status);
      for (const name of ['kty', 'crv', 'x', 'y', 'n', 'e', 'd'])
        statuses.add((await one.byKey('new-account', {}, { header: { jwk: { ...one.key.jwk, [name]: odd } } })).status);
      const query = encodeURIComponent(JSON.stringify(odd));
      for (const path of [`orders/${query}`, `${one.kid}/orders?cursor=${query}&cursor=x`, `certificates/${query}`])
        statuses.add((await one.post(path)).status);
    }
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  });

  it('has a payload for changes, and none for reads', async () => {
    const { headers } = await client.post('new-order', ORDER);
    for (const path of ['new-order', 'key-change', 'revoke-cert'])
      expect(refusal(await client.post(path, ''))).toEqual([400, 'malformed']);
    for (const path of [String(headers['location']), `accounts/${client.accountId}/orders`])
      expect(refusal(await client.post(path, {}))).toEqual([400, 'malformed']);
  });
});
