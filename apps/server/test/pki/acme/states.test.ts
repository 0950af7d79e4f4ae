import { validateChallenge } from '@coffer/domain';
import { challengeServer } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey, AcmeClient, signJws } from '../../harness/acme-client.ts';
import { acmeWorld, type AcmeWorld } from '../../harness/acme.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { DAY } from '../../harness/certificates.ts';
import { csrFor } from '../../harness/csr.ts';
import type { Answer } from '../../harness/test-server.ts';

// Every message in every state (RFC 8555, section 7.1.6): only one of them issues, and only in one state.

const NAME = 'state.example.com';

let world: AcmeWorld;
let profileId: string;
let csr: string;
beforeAll(async () => {
  if (challengeServer.isMissing) return;
  world = await acmeWorld();
  profileId = await world.profile({ skipEabBinding: true });
  csr = csrFor(NAME);
});
afterAll(() => world?.close());

/** The state of one order. */
interface Place {
  readonly client: AcmeClient;
  readonly order: string;
  readonly authorization: string;
  readonly challenge: string;
  readonly otherChallenge: string;
  certificate: string;
}

const platform = () => world.test.coffer.contextFor({ type: 'platform', organizationId: world.test.organizationId });
const lastOf = (url: string) => url.split('/').at(-1)!;
const look = (place: Place) => validateChallenge(platform(), lastOf(place.challenge));
const issued = async () => {
  const { rows } = await world.test.coffer.pool.query('select 1 from certificates where profile_id = $1', [profileId]);
  return rows.length;
};
const typeOf = ({ body }: Answer) => String(body.type ?? '').replace('urn:ietf:params:acme:error:', '');

async function pending(): Promise<Place> {
  const client = await AcmeClient.withAccount(world, profileId);
  const made = await client.order(NAME);
  expect(made.status).toBe(201);
  const [authorization] = made.body.authorizations;
  const { challenges } = (await client.post(authorization)).body;
  const of = (type: string) => challenges.find((one: { type: string }) => one.type === type);
  const { token, url: challenge } = of('http-01');
  await world.challenges.tell('add-http01', { token, content: `${token}.${client.thumbprint}` });
  const none = `${client.base}/certificates/00000000-0000-4000-8000-000000000000`;
  const order = String(made.headers['location']);
  return { client, order, authorization, challenge, otherChallenge: of('dns-01').url, certificate: none };
}
async function processing(): Promise<Place> {
  const place = await pending();
  expect((await place.client.post(place.challenge, {})).body.status).toBe('processing');
  return place;
}
async function ready(): Promise<Place> {
  const place = await processing();
  await look(place);
  return place;
}
async function valid(): Promise<Place> {
  const place = await ready();
  const answer = await place.client.post(`${place.order}/finalize`, { csr });
  expect(answer.body.status).toBe('valid');
  return { ...place, certificate: answer.body.certificate };
}
async function failed(): Promise<Place> {
  const place = await pending();
  await place.client.post(place.challenge, {});
  await world.challenges.tell('del-http01', {
    token: (await place.client.post(place.challenge)).body.token,
  });
  for (let attempt = 0; attempt < 4; attempt++) await look(place);
  return place;
}
async function deactivated(): Promise<Place> {
  const place = await ready();
  await place.client.post(place.authorization, { status: 'deactivated' });
  return place;
}
async function over(): Promise<Place> {
  const place = await ready();
  world.test.advance(8 * DAY);
  return place;
}
async function deserted(): Promise<Place> {
  const place = await ready();
  await place.client.post(place.client.kid, { status: 'deactivated' });
  return place;
}

type Message = (place: Place, by: AcmeClient) => Promise<Answer>;
const MESSAGES: Readonly<Record<string, Message>> = {
  'reads the order': ({ order }, by) => by.post(order),
  'reads the authorization': ({ authorization }, by) => by.post(authorization),
  'reads the challenge': ({ challenge }, by) => by.post(challenge),
  'reads the certificate': ({ certificate }, by) => by.post(certificate),
  'answers the challenge': ({ challenge }, by) => by.post(challenge, {}),
  'answers another challenge': ({ otherChallenge }, by) => by.post(otherChallenge, {}),
  finalizes: ({ order }, by) => by.post(`${order}/finalize`, { csr }),
  'gives the authorization up': ({ authorization }, by) => by.post(authorization, { status: 'deactivated' }),
};
type Said = readonly [status: number, said: string];
const said = (answer: Answer): Said => [
  answer.status,
  answer.status < 300 ? String(answer.body.status ?? 'certificate') : typeOf(answer),
];
const NOT_READY: Said = [403, 'orderNotReady'];
const NONE: Said = [404, 'malformed'];
const REFUSED: Said = [400, 'malformed'];
const OUT: Said = [401, 'unauthorized'];

/** For each state, what each message is answered, in the order of `MESSAGES`. */
const MATRIX: readonly (readonly [state: string, make: () => Promise<Place>, answers: readonly Said[]])[] = [
  [
    'pending',
    pending,
    [
      [200, 'pending'],
      [200, 'pending'],
      [200, 'pending'],
      NONE,
      [200, 'processing'],
      [200, 'pending'],
      NOT_READY,
      [200, 'deactivated'],
    ],
  ],
  [
    'pending while a challenge is looked at',
    processing,
    [
      [200, 'pending'],
      [200, 'pending'],
      [200, 'processing'],
      NONE,
      [200, 'processing'],
      REFUSED,
      NOT_READY,
      [200, 'deactivated'],
    ],
  ],
  [
    'ready',
    ready,
    [
      [200, 'ready'],
      [200, 'valid'],
      [200, 'valid'],
      NONE,
      [200, 'valid'],
      REFUSED,
      [200, 'valid'],
      [200, 'deactivated'],
    ],
  ],
  [
    'valid',
    valid,
    [
      [200, 'valid'],
      [200, 'valid'],
      [200, 'valid'],
      [200, 'certificate'],
      [200, 'valid'],
      REFUSED,
      NOT_READY,
      [200, 'deactivated'],
    ],
  ],
  [
    'invalid, for the proof is not there',
    failed,
    [[200, 'invalid'], [200, 'invalid'], [200, 'invalid'], NONE, [200, 'invalid'], REFUSED, NOT_READY, REFUSED],
  ],
  [
    'invalid, for its authorization was given up',
    deactivated,
    [[200, 'invalid'], [200, 'deactivated'], [200, 'valid'], NONE, [200, 'valid'], REFUSED, NOT_READY, REFUSED],
  ],
  [
    'invalid, for its time is over',
    over,
    [[200, 'invalid'], [200, 'expired'], [200, 'valid'], NONE, [200, 'valid'], REFUSED, NOT_READY, REFUSED],
  ],
  ['that of a deactivated account', deserted, Array.from({ length: 8 }, () => OUT)],
];

/** They change what comes after them. */
const CHANGES = new Set([
  'answers the challenge',
  'answers another challenge',
  'finalizes',
  'gives the authorization up',
]);

describe.skipIf(challengeServer.isMissing)(`an order that is in a state${challengeServer.orSkipped}`, () => {
  describe.each(MATRIX)('(%s)', (_state, make, answers) => {
    it('reports its state to its account, does what the state allows, and issues in the state ready only', async () => {
      let place = await make();
      for (const [index, [name, message]] of Object.entries(MESSAGES).entries()) {
        const before = await issued();
        const expected = answers[index]!;
        // Between pending and processing, one challenge is validated.
        const sent = name === 'answers another challenge' && make === pending ? 'processing' : expected[1];
        expect([name, ...said(await message(place, place.client))]).toEqual([name, expected[0], sent]);
        const isIssuing = make === ready && name === 'finalizes';
        expect([name, (await issued()) - before]).toEqual([name, isIssuing ? 1 : 0]);
        if (CHANGES.has(name) && expected[0] === 200) place = await make();
      }
    });

    it('is not there for another account, and cannot be moved by it', async () => {
      const place = await make();
      const other = await AcmeClient.withAccount(world, profileId);
      const before = await issued();
      const row = async () => {
        const { rows } = await world.test.coffer.pool.query(
          `select o.status, o.certificate_id, a.status as authorization, c.status as challenge from acme_orders o
           join acme_authorizations a on a.order_id = o.id join acme_challenges c on c.authorization_id = a.id
           where o.id = $1 order by c.type`,
          [lastOf(place.order)],
        );
        return rows;
      };
      const state = await row();
      for (const [name, message] of Object.entries(MESSAGES))
        expect([name, ...said(await message(place, other))]).toEqual([name, ...NONE]);
      expect(await row()).toEqual(state);
      expect(await issued()).toBe(before);
    });
  });
});

describe.skipIf(challengeServer.isMissing)(`finalizing${challengeServer.orSkipped}`, () => {
  it('issues once for many concurrent requests, in several processes', async () => {
    const { client, order } = await ready();
    const another = await anotherProcess(world.test);
    try {
      const before = await issued();
      const bodies = await Promise.all(
        Array.from({ length: 8 }, () =>
          client.sign(`${order}/finalize`, { csr }, { key: client.key, kid: client.kid }),
        ),
      );
      const answers = await Promise.all(
        bodies.map((payload, index) =>
          (index % 2 ? another.app : world.test.app).inject({
            method: 'POST',
            url: client.pathOf(`${order}/finalize`),
            headers: { 'content-type': 'application/jose+json' },
            payload,
          }),
        ),
      );
      expect(answers.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual([
        '200',
        ...Array.from({ length: 7 }, () => '403'),
      ]);
      expect((await issued()) - before).toBe(1);
    } finally {
      await another.close();
    }
  });

  it('waits for the transaction that deactivates the account before it locks the order', async () => {
    const { client, order } = await ready();
    const { pool } = world.test.coffer;
    const other = await pool.connect();
    try {
      await other.query('begin');
      await other.query(`update acme_accounts set status = 'deactivated' where id = $1`, [client.accountId]);
      const finalized = client.post(`${order}/finalize`, { csr });
      const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await pool.query(blocked)).rowCount).toBe(1);
      await other.query('select 1 from acme_orders where id = $1 for update nowait', [lastOf(order)]);
      await other.query('commit');
      expect(said(await finalized)).toEqual([401, 'unauthorized']);
    } finally {
      other.release(true);
    }
  });

  it('signs nothing if an authorization belongs to another account, is expired, or deleted', async () => {
    const { pool } = world.test.coffer;
    const other = await AcmeClient.withAccount(world, profileId);
    const tampered: [string, (id: string) => unknown[]][] = [
      [`update acme_authorizations set status = 'pending' where id = $1`, (id) => [id]],
      [`update acme_authorizations set status = 'revoked' where id = $1`, (id) => [id]],
      [`update acme_authorizations set expires_at = now() - interval '1 day' where id = $1`, (id) => [id]],
      ['update acme_authorizations set account_id = $2 where id = $1', (id) => [id, other.accountId]],
      [`update acme_authorizations set identifier = 'other.example.com' where id = $1`, (id) => [id]],
      ['update acme_authorizations set is_wildcard = true where id = $1', (id) => [id]],
      ['delete from acme_authorizations where id = $1', (id) => [id]],
    ];
    const before = await issued();
    for (const [sql, values] of tampered) {
      const { client, order, authorization } = await ready();
      await pool.query(sql, values(lastOf(authorization)));
      expect([sql, ...said(await client.post(`${order}/finalize`, { csr }))]).toEqual([sql, ...NOT_READY]);
    }
    expect(await issued()).toBe(before);
  });

  it("needs the response for the account's key at the time of validation", async () => {
    const place = await processing();
    const { client } = place;
    const next = accountKey('RSA');
    const inner = signJws(
      { alg: next.alg, jwk: next.jwk, url: client.urlOf('key-change') },
      JSON.stringify({ account: client.kid, oldKey: client.key.jwk }),
      next,
    );
    expect((await client.post('key-change', inner)).status).toBe(200);
    client.key = next;
    // The proof is for the previous key.
    await look(place);
    expect((await client.post(place.order)).body.status).toBe('pending');
    const { token } = (await client.post(place.challenge)).body;
    await world.challenges.tell('add-http01', { token, content: `${token}.${client.thumbprint}` });
    await look(place);
    expect((await client.post(place.order)).body.status).toBe('ready');
  });
});
