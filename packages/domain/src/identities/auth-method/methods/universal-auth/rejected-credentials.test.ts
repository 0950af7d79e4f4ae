import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, type Context, type DomainError } from '../../../../kernel/index.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../../../../testing/index.ts';
import { createIdentity, deleteIdentity } from '../../../identity/index.ts';
import { attachAuthMethod, detachAuthMethod } from '../../auth-method.service.ts';
import { logInWith } from '../../log-in.ts';
import { createClientSecret, revokeClientSecret } from './client-secrets.ts';
import { universalAuth } from './universal-auth.ts';

let test: TestCoffer;
let ctx: Context;
let organizationId: string;
beforeAll(async () => {
  test = await testCoffer({ clock: 'standing' });
  const { id, admin } = await makeOrganization(test.coffer);
  organizationId = id;
  ctx = test.coffer.contextFor(admin.actor);
});
afterAll(() => test.close());

/** An identity with universal auth and a client secret. */
async function client(settings: object = {}, secret: object = {}) {
  const { id: identityId } = await createIdentity(ctx, {
    name: 'ci',
    organizationId,
    role: 'no-access',
    metadata: [],
    hasDeleteProtection: false,
  });
  const { clientId } = await attachAuthMethod(
    ctx,
    universalAuth,
    universalAuth.Attach.parse({ identityId, ...settings }),
  );
  const { clientSecret, clientSecretData } = await createClientSecret(ctx, {
    identityId,
    description: '',
    numUsesLimit: 0,
    ttl: 0,
    ...secret,
  });
  return { identityId, clientId, clientSecret, clientSecretId: clientSecretData.id };
}

const logIn = (clientId: string, clientSecret: string, ipAddress = '127.0.0.1') =>
  logInWith(
    test.coffer.contextFor({ type: 'anonymous' }, { id: 'req', ipAddress, userAgent: '' }),
    universalAuth,
    universalAuth.Login!.parse({ clientId, clientSecret }),
  );
const refused = {
  kind: 'unauthenticated',
  code: 'auth.invalid_credentials',
  message: 'The client ID or the client secret is wrong',
};

describe('a true proof', () => {
  it('is a client id, however it is written, and its secret', async () => {
    const { clientId, clientSecret } = await client();
    for (const id of [clientId, clientId.toUpperCase(), ` ${clientId} `])
      expect(await logIn(id, clientSecret)).toMatchObject({ tokenType: 'Bearer' });
  });
});

describe('rejected credentials', () => {
  type Client = Awaited<ReturnType<typeof client>>;
  const other = (text: string) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;

  it.each<[string, (mine: Client, others: Client) => [string, string]]>([
    ['the secret of another client', ({ clientId }, { clientSecret }) => [clientId, clientSecret]],
    ['a secret that differs at its end', ({ clientId, clientSecret }) => [clientId, other(clientSecret)]],
    [
      'a secret that differs behind its prefix',
      ({ clientId, clientSecret }) => [clientId, clientSecret.slice(0, 4).padEnd(64, '0')],
    ],
    ['a secret in upper case', ({ clientId, clientSecret }) => [clientId, `${clientSecret}a`.toUpperCase()]],
    ['a part of the secret', ({ clientId, clientSecret }) => [clientId, clientSecret.slice(0, 63)]],
    ['the prefix of the secret', ({ clientId, clientSecret }) => [clientId, clientSecret.slice(0, 4)]],
    ['the secret twice', ({ clientId, clientSecret }) => [clientId, clientSecret + clientSecret]],
    ['the secret and a NUL', ({ clientId, clientSecret }) => [clientId, `${clientSecret}\0`]],
    ['no secret', ({ clientId }) => [clientId, '']],
    ['a pattern', ({ clientId }) => [clientId, '%']],
    ['the id of the secret', ({ clientId, clientSecretId }) => [clientId, clientSecretId]],
    ['the client id as secret', ({ clientId }) => [clientId, clientId]],
    ['a client that does not exist', ({ clientSecret }) => [newId(), clientSecret]],
    ['the id of the identity as client', ({ identityId, clientSecret }) => [identityId, clientSecret]],
    ['a client id that is none', ({ clientSecret }) => ['nobody', clientSecret]],
    ['no client id', ({ clientSecret }) => ['', clientSecret]],
    ['a client id with a NUL', ({ clientId, clientSecret }) => [`${clientId}\0`, clientSecret]],
    ['a client id that says more', ({ clientId, clientSecret }) => [`${clientId}' or ''='`, clientSecret]],
  ])('of %s is rejected with the same response', async (_, make) => {
    const [id, secret] = make(await client(), await client());
    await expect(logIn(id, secret)).rejects.toMatchObject(refused);
  });

  it('by a revoked, expired or used-up secret gets the same refusal', async () => {
    const revoked = await client();
    await revokeClientSecret(ctx, revoked);
    const usedUp = await client({}, { numUsesLimit: 1 });
    await logIn(usedUp.clientId, usedUp.clientSecret);
    const over = await client({}, { ttl: 60 });
    await logIn(over.clientId, over.clientSecret);
    test.advance(60_000);
    for (const { clientId, clientSecret } of [revoked, usedUp, over])
      await expect(logIn(clientId, clientSecret)).rejects.toMatchObject(refused);
  });

  it('by the secret of a detached method, or of an identity that is deleted or no member, is rejected', async () => {
    const [detached, deleted, removed] = [await client(), await client(), await client()];
    await detachAuthMethod(ctx, universalAuth, { identityId: detached.identityId });
    await deleteIdentity(ctx, { identityId: deleted.identityId });
    await test.coffer.pool.query('update memberships set is_active = false where identity_id = $1', [
      removed.identityId,
    ]);
    for (const { clientId, clientSecret } of [detached, deleted, removed])
      await expect(logIn(clientId, clientSecret)).rejects.toMatchObject(refused);
  });

  it('from an untrusted address reveals that only with the right secret', async () => {
    const { clientId, clientSecret } = await client({ clientSecretTrustedIps: [{ ipAddress: '10.0.0.0/8' }] });
    await expect(logIn(clientId, clientSecret)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(logIn(clientId, other(clientSecret))).rejects.toMatchObject(refused);
    expect(await logIn(clientId, clientSecret, '10.1.2.3')).toBeDefined();
  });
});

describe('guesses', () => {
  const isShown = async (clientId: string) => {
    const { rows } = await test.coffer.pool.query(
      'select 1 from lockouts where subject = $1 and failures >= 3 and locked_until > $2',
      [`universal-auth:${clientId}`, ctx.now()],
    );
    return rows.length > 0;
  };

  it('never lock out the right secret, in any number and spelling', async () => {
    const { clientId, clientSecret } = await client();
    const spellings = [clientId, clientId.toUpperCase(), ` ${clientId}\n`];
    for (const id of spellings) await expect(logIn(id, 'x')).rejects.toMatchObject(refused);
    expect(await isShown(clientId)).toBe(true);
    for (const id of spellings) expect(await logIn(id, clientSecret)).toBeDefined();
    await Promise.all([
      ...Array.from({ length: 30 }, () => logIn(clientId, 'x').catch(() => undefined)),
      ...Array.from({ length: 5 }, async () => expect(await logIn(clientId, clientSecret)).toBeDefined()),
    ]);
  });

  it('that are concurrent all count', async () => {
    const { clientId } = await client();
    const guesses = await Promise.allSettled(Array.from({ length: 12 }, () => logIn(clientId, 'x')));
    expect(guesses.map(({ status }) => status)).toEqual(Array(12).fill('rejected'));
    expect(await isShown(clientId)).toBe(true);
  });

  it('from an untrusted address is not counted as a guess at the client', async () => {
    const guarded = await client({ clientSecretTrustedIps: [{ ipAddress: '10.0.0.0/8' }] });
    for (let i = 0; i < 5; i++) await expect(logIn(guarded.clientId, 'x')).rejects.toMatchObject(refused);
    expect(await isShown(guarded.clientId)).toBe(false);
    expect(await logIn(guarded.clientId, guarded.clientSecret, '10.0.0.1')).toBeDefined();
  });

  it('get the same response as those at an unknown client', async () => {
    const { clientId } = await client({ lockoutThreshold: 1 });
    const refusals = [];
    for (const id of [clientId, clientId, newId(), newId(), 'no id'])
      refusals.push(await logIn(id, 'x').catch(({ kind, code, message }: DomainError) => ({ kind, code, message })));
    expect(new Set(refusals.map((one) => JSON.stringify(one))).size).toBe(1);
  });
});
