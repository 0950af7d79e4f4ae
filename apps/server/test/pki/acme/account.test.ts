import { createHmac, randomBytes } from 'node:crypto';
import { challengeServer } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey, AcmeClient, signJws } from '../../harness/acme-client.ts';
import { acmeWorld, idOf, refusal, type AcmeWorld } from '../../harness/acme.ts';
import { csrFor } from '../../harness/csr.ts';
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

/** What binds the client's key to a profile. */
function binding(client: AcmeClient, kid: string, secret: string, header: object = {}, jwk: object = client.key.jwk) {
  const fields = { alg: 'HS256', kid, url: client.urlOf('new-account'), ...header };
  const [head, payload] = [fields, jwk].map((one) => Buffer.from(JSON.stringify(one)).toString('base64url'));
  const signature = createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${head}.${payload}`);
  return { protected: head, payload, signature: signature.digest('base64url') };
}

describe.skipIf(challengeServer.isMissing)(`an account${challengeServer.orSkipped}`, () => {
  const EAB = (id: string) => `/api/v1/cert-manager/certificate-profiles/${id}/acme/eab-secret/reveal`;

  it('is bound to the profile by its external key, and found again without it', async () => {
    const id = await world.profile();
    const { eabKid, eabSecret } = await ok(world.test.admin('GET', EAB(id)));
    expect(eabKid).toBe(id);
    expect(await ok(world.test.admin('GET', EAB(id)))).toEqual({ eabKid, eabSecret });
    const client = AcmeClient.of(world, id);
    const send = (externalAccountBinding: unknown) => client.byKey('new-account', { externalAccountBinding });
    expect(refusal(await client.byKey('new-account', {}))).toEqual([403, 'externalAccountRequired']);
    const onlyReturnExisting = true;
    expect(refusal(await client.byKey('new-account', { onlyReturnExisting }))).toEqual([400, 'accountDoesNotExist']);
    const other = randomBytes(32).toString('base64url');
    for (const wrong of [
      binding(client, eabKid, other),
      binding(client, crypto.randomUUID(), eabSecret),
      binding(client, eabKid, eabSecret, { alg: 'none' }),
    ])
      expect(refusal(await send(wrong))).toEqual([403, 'unauthorized']);
    await world.test.coffer.refusals.sweep(true);
    const { rows } = await world.test.coffer.pool.query(
      `select project_id, (data -> 'count')::int as count from audit_events
       where type = 'acme.external_binding_refused' and data ->> 'certificateProfileId' = $1 order by created_at, id`,
      [id],
    );
    const refused = { project_id: world.project.id };
    expect(rows).toEqual([
      { ...refused, count: 1 },
      { ...refused, count: 3 },
    ]);
    for (const wrong of [
      binding(client, eabKid, eabSecret, { url: client.urlOf('new-order') }),
      binding(client, eabKid, eabSecret, { nonce: 'a' }),
      binding(client, eabKid, eabSecret, {}, accountKey().jwk),
      {},
    ])
      expect(refusal(await send(wrong))).toEqual([400, 'malformed']);
    const made = await send(binding(client, eabKid, eabSecret));
    expect([made.status, made.body.status]).toEqual([201, 'valid']);
    for (const again of [{}, { onlyReturnExisting }]) {
      const found = await client.byKey('new-account', again);
      expect([found.status, found.headers['location']]).toEqual([200, made.headers['location']]);
    }
  });

  it('is bound by a key that only editors of the profile can read', async () => {
    const id = await world.profile();
    const { id: projectId } = world.project;
    const reader = await world.test.identity({
      projectId,
      rules: [{ subject: 'certificate-profiles', action: 'read' }],
    });
    const foreign = await world.test.foreign();
    const unknown = await foreign.call('GET', EAB(crypto.randomUUID()));
    const there = await foreign.call('GET', EAB(id));
    expect([(await world.test.as()('GET', EAB(id))).status, (await reader.call('GET', EAB(id))).status]).toEqual([
      401, 403,
    ]);
    expect([there.status, { ...there.body, reqId: '' }]).toEqual([404, { ...unknown.body, reqId: '' }]);
    const { rows } = await world.test.coffer.pool.query(
      `select data from audit_events where published = 'reveal-acme-eab-secret' and data ->> 'certificateProfileId' = $1`,
      [id],
    );
    expect(rows).toEqual([]);
  });

  it('belongs to one profile', async () => {
    const client = await AcmeClient.withAccount(world, open);
    const other = AcmeClient.of(world, await world.profile({ skipEabBinding: true }));
    other.key = client.key;
    expect(refusal(await other.post('new-order', {}, { kid: client.kid }))).toEqual([400, 'accountDoesNotExist']);
    const kid = `${other.base}/accounts/${client.accountId}`;
    expect(refusal(await other.post('new-order', {}, { kid }))).toEqual([400, 'accountDoesNotExist']);
  });

  it('has contacts that are addresses, and can change them', async () => {
    const client = await AcmeClient.withAccount(world, open);
    const contact = ['mailto:ops@example.com', 'mailto:more@example.com'];
    expect((await client.post(client.kid, { contact })).body).toEqual({
      status: 'valid',
      contact,
      orders: `${client.kid}/orders`,
    });
    expect((await client.post(client.kid)).body.contact).toEqual(contact);
    for (const [one, type] of [
      ['tel:+12025551212', 'unsupportedContact'],
      ['mailto:nobody', 'invalidContact'],
      ['mailto:a@example.com,b@example.com', 'invalidContact'],
      ['mailto:a@example.com?subject=x', 'invalidContact'],
    ])
      expect(refusal(await client.post(client.kid, { contact: [one] }))).toEqual([400, type]);
    expect(refusal(await client.post(client.kid, { status: 'revoked' }))).toEqual([400, 'malformed']);
    const other = await AcmeClient.withAccount(world, open);
    expect(refusal(await client.post(other.kid, { status: 'deactivated' }))).toEqual([403, 'unauthorized']);
    expect(refusal(await client.post(`${other.kid}/orders`))).toEqual([403, 'unauthorized']);
  });

  it('ends when it is deactivated, and its key with it', async () => {
    const client = await AcmeClient.withAccount(world, open);
    expect((await client.post(client.kid, { status: 'deactivated' })).body.status).toBe('deactivated');
    for (const answer of [await client.post(client.kid), await client.order('a.example.com')])
      expect(refusal(answer)).toEqual([401, 'unauthorized']);
    for (const payload of [{}, { onlyReturnExisting: true }])
      expect(refusal(await client.byKey('new-account', payload))).toEqual([401, 'unauthorized']);
  });

  it('lists its orders, newest first', async () => {
    const client = await AcmeClient.withAccount(world, open);
    const made: string[] = [];
    for (const name of ['a', 'b', 'c'])
      made.unshift(String((await client.order(`${name}.example.com`)).headers['location']));
    expect((await client.post(`${client.kid}/orders`)).body).toEqual({ orders: made });
    const { body } = await client.post(`${client.kid}/orders?cursor=${idOf(made[0])}`);
    expect(body).toEqual({ orders: made.slice(1) });
    expect(refusal(await client.post(`${client.kid}/orders?cursor=x`))).toEqual([400, 'malformed']);
  });
});

describe.skipIf(challengeServer.isMissing)(`changing the key of an account${challengeServer.orSkipped}`, () => {
  const inner = (client: AcmeClient, key = accountKey(), header: object = {}, payload: object = {}) =>
    signJws(
      { alg: key.alg, jwk: key.jwk, url: client.urlOf('key-change'), ...header },
      JSON.stringify({ account: client.kid, oldKey: client.key.jwk, ...payload }),
      key,
    );

  it('needs both keys, with consistent messages', async () => {
    const client = await AcmeClient.withAccount(world, open);
    const change = async (body: object) => refusal(await client.post('key-change', body));
    const other = await AcmeClient.withAccount(world, open);
    const next = accountKey();
    for (const wrong of [
      inner(client, next, { url: client.urlOf('new-order') }),
      inner(client, next, { kid: client.kid }),
      inner(client, next, { nonce: await client.nonce() }),
      inner(client, next, { jwk: undefined }),
      inner(client, next, { jwk: accountKey().jwk }),
      inner(client, next, {}, { account: other.kid }),
      inner(client, next, {}, { oldKey: other.key.jwk }),
      {},
    ])
      expect(await change(wrong)).toEqual([400, 'malformed']);
    const taken = await client.post('key-change', inner(client, other.key));
    expect([...refusal(taken), taken.headers['location']]).toEqual([409, 'malformed', other.kid]);
    expect((await client.post(client.kid)).status).toBe(200);
  });

  it('invalidates the old one', async () => {
    const client = await AcmeClient.withAccount(world, open);
    const [old, next] = [client.key, accountKey('Ed25519')];
    expect((await client.post('key-change', inner(client, next))).status).toBe(200);
    expect(refusal(await client.post(client.kid))).toEqual([400, 'badSignatureAlgorithm']);
    client.key = next;
    expect((await client.post(client.kid)).status).toBe(200);
    // The old key may get a new account.
    client.key = old;
    expect((await client.byKey('new-account', {})).status).toBe(201);
  });
});

const PROFILES = '/api/v1/cert-manager/certificate-profiles';
const change = (id: string, acmeConfig: object) => ok(world.test.admin('PATCH', `${PROFILES}/${id}`, { acmeConfig }));
describe.skipIf(challengeServer.isMissing)(`a profile that begins to require${challengeServer.orSkipped}`, () => {
  it('validations of names issues nothing for unvalidated names, and does not count them as validated', async () => {
    const id = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
    const client = await AcmeClient.withAccount(world, id);
    const csr = csrFor('a.example.com');
    const { body: issued } = await client.post((await client.order('a.example.com')).body.finalize, { csr });
    const { body: pem } = await client.post(issued.certificate);
    const other = await AcmeClient.withAccount(world, id);
    const { body: order } = await other.order('a.example.com');
    expect(order.status).toBe('ready');
    await change(id, { skipEabBinding: true, skipDnsOwnershipVerification: false });
    expect(refusal(await other.post(order.finalize, { csr }))).toEqual([403, 'orderNotReady']);
    const der = pem.split('-----')[2].replaceAll('\n', '');
    const certificate = Buffer.from(der, 'base64').toString('base64url');
    expect(refusal(await other.post('revoke-cert', { certificate }))).toEqual([403, 'unauthorized']);
    expect((await client.post('revoke-cert', { certificate })).status).toBe(200);
  });

  it('its external key accepts orders of bound accounts, and no others', async () => {
    const id = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
    const client = await AcmeClient.withAccount(world, id);
    const { body: order } = await client.order('b.example.com');
    await change(id, { skipEabBinding: false, skipDnsOwnershipVerification: true });
    const csr = csrFor('b.example.com');
    expect(refusal(await client.order('b.example.com'))).toEqual([403, 'externalAccountRequired']);
    expect(refusal(await client.post(order.finalize, { csr }))).toEqual([403, 'externalAccountRequired']);
    // A lookup without a binding, as clients do it, finds the account.
    expect((await client.byKey('new-account', { onlyReturnExisting: true })).status).toBe(200);
    const { eabKid, eabSecret } = await ok(world.test.admin('GET', `${PROFILES}/${id}/acme/eab-secret/reveal`));
    const bind = (secret: string) =>
      client.byKey('new-account', { externalAccountBinding: binding(client, eabKid, secret) });
    expect(refusal(await bind('AAAA'))).toEqual([403, 'unauthorized']);
    const bound = await bind(eabSecret);
    expect([bound.status, bound.headers['location'], bound.body.externalAccountBinding]).toEqual([
      200,
      client.kid,
      expect.anything(),
    ]);
    expect((await client.post(order.finalize, { csr })).body.status).toBe('valid');
  });
});

describe.skipIf(challengeServer.isMissing)(
  `a profile that used no ACME for a while${challengeServer.orSkipped}`,
  () => {
    it('has another external key, and takes neither the former one nor the accounts of before', async () => {
      const id = await world.profile();
      const reveal = async () => {
        const answer = await ok(world.test.admin('GET', `${PROFILES}/${id}/acme/eab-secret/reveal`));
        return answer.eabSecret as string;
      };
      const join = (client: AcmeClient, secret: string) =>
        client.byKey('new-account', { externalAccountBinding: binding(client, id, secret) });
      const [former, thief] = [await reveal(), AcmeClient.of(world, id)];
      const joined = await join(thief, former);
      thief.kid = String(joined.headers['location']);
      const { body: order } = await thief.order('c.example.com');
      expect([joined.status, order.status]).toEqual([201, 'pending']);

      for (const enrollmentType of ['api', 'acme'])
        await ok(world.test.admin('PATCH', `${PROFILES}/${id}`, { enrollmentType }));
      expect(refusal(await thief.post(order.finalize, { csr: csrFor('c.example.com') }))).toEqual([
        401,
        'unauthorized',
      ]);
      expect(refusal(await thief.order('c.example.com'))).toEqual([401, 'unauthorized']);
      expect(refusal(await join(thief, former))).toEqual([401, 'unauthorized']);
      expect(refusal(await join(AcmeClient.of(world, id), former))).toEqual([403, 'unauthorized']);
      expect((await join(AcmeClient.of(world, id), await reveal())).status).toBe(201);
    });
  },
);

describe.skipIf(challengeServer.isMissing)(`a profile of ACME${challengeServer.orSkipped}`, () => {
  it('requires an external key or validations of names, or both', async () => {
    const [id, half] = [await world.profile(), await world.profile({ skipDnsOwnershipVerification: true })];
    const skips = async (profileId: string, acmeConfig: object) =>
      (await world.test.admin('PATCH', `${PROFILES}/${profileId}`, { acmeConfig })).status;
    expect(await skips(id, { skipEabBinding: true, skipDnsOwnershipVerification: true })).toBe(400);
    // What an update omits counts as it is.
    expect(await skips(half, { skipEabBinding: true })).toBe(400);
    expect(await skips(half, { skipEabBinding: true, skipDnsOwnershipVerification: false })).toBe(200);
  });
});

describe.skipIf(challengeServer.isMissing)(`wrong external account bindings${challengeServer.orSkipped}`, () => {
  it('are limited, and keep neither the right one nor known accounts of the same address out', async () => {
    const limited = await acmeWorld({ settings: { loginLimit: 3 }, clock: 'standing' });
    try {
      const id = await limited.profile();
      const { eabKid, eabSecret } = await ok(
        limited.test.admin('GET', `/api/v1/cert-manager/certificate-profiles/${id}/acme/eab-secret/reveal`),
      );
      const create = (client: AcmeClient, secret: string) =>
        client.byKey('new-account', { externalAccountBinding: binding(client, eabKid, secret) });
      const [known, stranger, late] = [1, 2, 3].map(() => AcmeClient.of(limited, id)) as [
        AcmeClient,
        AcmeClient,
        AcmeClient,
      ];
      expect((await create(known, eabSecret)).status).toBe(201);
      const statuses = [];
      for (let number = 0; number < 5; number++)
        statuses.push((await create(stranger, randomBytes(32).toString('base64url'))).status);
      expect(statuses).toEqual([403, 403, 403, 429, 429]);
      const { headers } = await create(stranger, eabSecret.replace(/^../, 'AA'));
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      for (let number = 0; number < 5; number++)
        expect((await known.byKey('new-account', { onlyReturnExisting: true })).status).toBe(200);
      expect((await create(late, eabSecret)).status).toBe(201);
    } finally {
      await limited.close();
    }
  });
});
