import { createHmac } from 'node:crypto';
import { acmeOperations } from '@coffer/domain';
import { challengeServer } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountKey, AcmeClient, derOf, obtain, type AccountKey } from '../harness/acme-client.ts';
import { acmeWorld, type AcmeWorld } from '../harness/acme.ts';
import type { Answer } from '../harness/test-server.ts';

let world: AcmeWorld;
let open: string;
let client: AcmeClient;
beforeAll(async () => {
  if (challengeServer.isMissing) return;
  world = await acmeWorld();
  open = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true });
});
beforeEach(async () => {
  client = await AcmeClient.withAccount(world, open);
  await refusals();
});
afterAll(() => world?.close());

interface Refused {
  readonly type: string;
  readonly count: number;
  readonly details: readonly string[];
}

let seen = new Set<string>();
/** What was recorded since the last call, with its counts. */
async function refusals(): Promise<Refused[]> {
  const { coffer, organizationId } = world.test;
  await coffer.refusals.sweep(true);
  const { rows } = await coffer.pool.query(
    `select id, type, project_id, organization_id, data from audit_events where type like 'acme.%refused'
     order by created_at, id`,
  );
  const fresh = rows.filter(({ id }) => !seen.has(id));
  seen = new Set(rows.map(({ id }) => id));
  for (const { project_id, organization_id } of fresh)
    expect([project_id, organization_id]).toEqual([world.project.id, organizationId]);
  return fresh.map(({ type, data }) => ({ type, count: data.count, details: data.details }));
}

const ID = 'a-typed-canary';
/** Of every operation, with an ID that a stranger typed. */
const PATHS = Object.keys(acmeOperations);
const at = (path: string) => path.replace(':id', ID);

describe.skipIf(challengeServer.isMissing)(`attack: ACME without a trace${challengeServer.orSkipped}`, () => {
  const ways: readonly {
    readonly title: string;
    readonly reason: string;
    readonly isByAccount: boolean;
    readonly send: (path: string) => Promise<Answer>;
  }[] = [
    {
      title: 'a message that its account has not signed',
      reason: 'signature',
      isByAccount: true,
      send: (path) => client.post(path, '', { key: accountKey() }),
    },
    {
      title: 'a message by another algorithm than that of the key',
      reason: 'badSignatureAlgorithm',
      isByAccount: true,
      send: (path) => client.post(path, '', { header: { alg: 'HS256' } }),
    },
    {
      title: 'a message of an unknown account',
      reason: 'accountDoesNotExist',
      isByAccount: false,
      send: (path) => client.post(path, '', { kid: `${client.base}/accounts/${ID}` }),
    },
    {
      title: 'a message for another place',
      reason: 'url',
      isByAccount: false,
      send: (path) => client.post(path, '', { header: { url: `https://${ID}.example.com/` } }),
    },
  ];

  it.each(ways)('$title is counted, at every operation', async ({ reason, isByAccount, send }) => {
    // What is made for a key is not signed by an account.
    const paths = PATHS.filter((path) => path !== 'new-account');
    for (const path of paths) expect((await send(at(path))).status, path).toBeGreaterThanOrEqual(400);
    const found = await refusals();
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(paths.length);
    expect(found.length).toBeLessThanOrEqual(2);
    expect(new Set(found.map(({ type }) => type))).toEqual(new Set(['acme.refused']));
    const account = isByAccount ? ` account ${client.accountId}` : '';
    const expected = paths.map((path) => `POST ${path} ${reason}${account}`);
    for (const detail of found.flatMap(({ details }) => details)) expect(expected).toContain(detail);
    expect(JSON.stringify(found)).not.toContain(ID);
  });

  it('a deactivated account is counted by its ID, at every operation', async () => {
    await client.post(client.kid, { status: 'deactivated' });
    for (const path of PATHS.filter((one) => one !== 'new-account'))
      expect((await client.post(at(path))).status).toBe(401);
    expect((await client.byKey('new-account', {})).status).toBe(401);
    const found = await refusals();
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(PATHS.length);
    for (const detail of found.flatMap(({ details }) => details))
      expect(detail).toMatch(new RegExp(`^POST \\S+ deactivated account ${client.accountId}$`));
  });

  it('whoever revokes the certificate of another account, or reads what belongs to it, is', async () => {
    const { certificate } = await obtain(client, ['a.example.com']);
    const other = await AcmeClient.withAccount(world, open);
    expect((await other.post('revoke-cert', { certificate: derOf(certificate) })).status).toBe(403);
    expect((await other.post(client.kid, '')).status).toBe(403);
    expect((await other.byKey('revoke-cert', { certificate: derOf(certificate) })).status).toBe(403);
    const found = await refusals();
    expect(found.flatMap(({ details }) => details)).toEqual([
      `POST revoke-cert unauthorized account ${other.accountId}`,
      `POST accounts/:id another-account account ${other.accountId}`,
      'POST revoke-cert unauthorized',
    ]);
  });

  it('an external account binding that is missing, captured or made for another place is', async () => {
    const bound = await world.profile({ skipDnsOwnershipVerification: true });
    const EAB = `/api/v1/cert-manager/certificate-profiles/${bound}/acme/eab-secret/reveal`;
    const { eabKid, eabSecret } = (await world.test.admin('GET', EAB)).body;
    const thief = AcmeClient.of(world, bound);
    const bind = (jwk: AccountKey['jwk'], url = thief.urlOf('new-account')) => {
      const [head, payload] = [{ alg: 'HS256', kid: eabKid, url }, jwk].map((one) =>
        Buffer.from(JSON.stringify(one)).toString('base64url'),
      );
      const mac = createHmac('sha256', Buffer.from(eabSecret, 'base64url')).update(`${head}.${payload}`);
      return { externalAccountBinding: { protected: head, payload, signature: mac.digest('base64url') } };
    };
    const statuses = [
      await thief.byKey('new-account', {}),
      await thief.byKey('new-account', bind(accountKey().jwk)),
      await thief.byKey('new-account', bind(thief.key.jwk, 'https://other.example.com/new-account')),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 400, 400]);
    const found = await refusals();
    expect(new Set(found.map(({ type }) => type))).toEqual(new Set(['acme.external_binding_refused']));
    expect(found.flatMap(({ details }) => details)).toEqual([
      'POST new-account externalAccountRequired',
      'POST new-account another-key',
      'POST new-account form',
    ]);
    expect(JSON.stringify(found)).not.toContain(eabSecret);
  });

  it('an account that asks for names that the policy forbids is', async () => {
    const rules = { sans: [{ type: 'dns_name', allowed: ['*.example.com'] }] };
    const narrow = await world.profile({ skipEabBinding: true, skipDnsOwnershipVerification: true, rules });
    const asking = await AcmeClient.withAccount(world, narrow);
    expect((await asking.order('a.example.com', 'canary.example.org')).status).toBe(400);
    const found = await refusals();
    const details = [`POST new-order rejectedIdentifier account ${asking.accountId}`];
    expect(found).toEqual([{ type: 'acme.refused', count: 1, details }]);
  });

  it('what clients get wrong every day is not: nonces, JSON, names, unknown resources', async () => {
    const nonce = await client.nonce();
    expect((await client.order('b.example.com')).status).toBe(201);
    for (const answer of [
      await client.post('new-order', {}, { nonce: 'A' }),
      await client.post('new-order', {}, { nonce: nonce.replace(/^./, 'Z') }),
      await client.send('new-order', '{'),
      await client.send('new-order', {}),
      await client.post('new-order', { identifiers: [{ type: 'ip', value: '10.0.0.1' }] }),
      await client.post('new-order', { identifiers: [] }),
      await client.post(`orders/${crypto.randomUUID()}`),
    ])
      expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await refusals()).toEqual([]);
  });

  it('a hundred of them are two events', async () => {
    for (let i = 0; i < 100; i++) await client.post('new-order', {}, { key: accountKey() });
    const found = await refusals();
    expect(found.map(({ count }) => count)).toEqual([1, 99]);
  });
});
