import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sealed } from '../../family/index.ts';
import { badRequest, unauthenticated, type Context, type OutboundFetch } from '../../kernel/index.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { createIdentity } from '../identity/index.ts';
import { defineAuthMethod } from './auth-method.ts';
import { attachAuthMethod, detachAuthMethod, readAuthMethod, updateAuthMethod } from './auth-method.service.ts';
import { logInWith } from './log-in.ts';
import { Lockout } from './settings.ts';
import { PRIVATE } from './trust-root.ts';

/** A member with every optional feature: calls a remote, has a credential for it, has lockouts. */
const gatekeeper = defineAuthMethod({
  kind: 'gatekeeper-auth',
  title: 'Gatekeeper Auth',
  answerKey: 'identityGatekeeperAuth',
  isVerifiedElsewhere: true,
  config: z.object({
    host: z.url(),
    password: sealed(z.string().default('').describe('Sent to the host'), { sentTo: ['host'] }),
    names: z.string().default(''),
    mode: z.enum(['any', 'named']).default('any'),
    ...Lockout,
  }),
  trustRoot: PRIVATE,
  requiresMaxTTL: true,
  notAttached: { update: 'not_found' },
  check({ mode, names }) {
    if (mode === 'named' && !names) throw badRequest('gatekeeper.names', 'Name somebody');
  },
  credentials: z.object({ name: z.string(), word: z.string() }),
  lockout: (config, { name }) => ({
    subject: name.toLowerCase(),
    policy: {
      threshold: config.lockoutThreshold,
      durationSeconds: config.lockoutDurationSeconds,
      resetSeconds: config.lockoutCounterResetSeconds,
    },
  }),
  async verify({ host, password, mode, names }, { name, word }, { fetch }) {
    const answer = await fetch(host, { method: 'POST', body: `${password} ${name} ${word}` });
    if (answer.status !== 200) throw unauthenticated('gatekeeper.refused', 'The gatekeeper does not know you');
    if (mode === 'named' && names !== name) throw unauthenticated('gatekeeper.name', 'You may not log in');
    return { name };
  },
});

/** Accepts several names of a user, and learns only during the login which user it is. */
const doorkeeper = defineAuthMethod({
  kind: 'doorkeeper-auth',
  title: 'Doorkeeper Auth',
  answerKey: 'identityDoorkeeperAuth',
  isVerifiedElsewhere: true,
  config: z.object({ isCounting: z.boolean().default(true) }),
  trustRoot: PRIVATE,
  credentials: z.object({ name: z.string(), word: z.string() }),
  lockout: ({ isCounting }, { name }) => ({
    subject: `name:${name}`,
    policy: isCounting ? { threshold: 3, durationSeconds: 60, resetSeconds: 60 } : undefined,
  }),
  async verify(_config, { name, word }, { resolveSubject }) {
    if (['Ali', 'Ali Baba', 'Master Ali'].includes(name)) await resolveSubject('person:ali');
    if (word !== 'open sesame') throw unauthenticated('doorkeeper.refused', 'No');
    return {};
  },
});

let test: TestCoffer;
let ctx: Context;
let anonymous: Context;
let organizationId: string;
const sent: string[] = [];
let beforeAnswer: () => Promise<unknown> = async () => undefined;

const fetch: OutboundFetch = async (url, request) => {
  sent.push(`${url} ${String(request?.body)}`);
  await beforeAnswer();
  const status = String(request?.body).endsWith('open sesame') ? 200 : 403;
  return { status, headers: {}, body: new Uint8Array(), text: () => '', json: () => null };
};

beforeAll(async () => {
  test = await testCoffer({ fetch, clock: 'standing' });
  const { id, admin } = await makeOrganization(test.coffer);
  organizationId = id;
  ctx = test.coffer.contextFor(admin.actor);
  anonymous = test.coffer.contextFor({ type: 'anonymous' });
});
afterAll(() => test.close());
beforeEach(() => {
  beforeAnswer = async () => undefined;
  sent.length = 0;
});

async function attached(given: object = {}) {
  const { id: identityId } = await createIdentity(ctx, {
    name: 'x',
    organizationId,
    role: 'no-access',
    metadata: [],
    hasDeleteProtection: false,
  });
  const input = gatekeeper.Attach.parse({ identityId, host: 'https://gate.example.com', password: 'mellon', ...given });
  const answer = await attachAuthMethod(ctx, gatekeeper, input);
  const logIn = (word = 'open sesame', name = 'Ali') => logInWith(anonymous, gatekeeper, { identityId, name, word });
  return { identityId, answer, logIn };
}

describe('sealed fields', () => {
  it('are stored sealed, open at their location, and are not returned once detached', async () => {
    const { identityId, answer } = await attached();
    expect(answer.password).toBe('mellon');
    const { rows } = await test.coffer.pool.query(
      'select config, sealed, organization_id from identity_auth_methods where identity_id = $1',
      [identityId],
    );
    expect(JSON.stringify(rows[0].config)).not.toContain('mellon');
    expect(rows[0].sealed.toString('latin1')).not.toContain('mellon');
    expect((await readAuthMethod(ctx, gatekeeper, { identityId })).password).toBe('mellon');
    const detached = gatekeeper.DetachedAnswer.parse(await detachAuthMethod(ctx, gatekeeper, { identityId }));
    expect(detached).toMatchObject({ host: 'https://gate.example.com' });
    expect(detached).not.toHaveProperty('password');
  });

  it('do not open in another row', async () => {
    const [one, other] = [await attached(), await attached({ password: 'other' })];
    await test.coffer.pool.query(
      `update identity_auth_methods set sealed = (select sealed from identity_auth_methods where identity_id = $1) where identity_id = $2`,
      [one.identityId, other.identityId],
    );
    await expect(readAuthMethod(ctx, gatekeeper, { identityId: other.identityId })).rejects.toThrow('does not open');
  });

  it('are kept if an update omits them', async () => {
    const { identityId } = await attached();
    const changed = await updateAuthMethod(ctx, gatekeeper, gatekeeper.Update.parse({ identityId, names: 'Ali' }));
    expect(changed).toMatchObject({ password: 'mellon', names: 'Ali' });
  });

  it('are required again if the target changes', async () => {
    const { identityId, logIn } = await attached();
    const change = (given: object) =>
      updateAuthMethod(ctx, gatekeeper, gatekeeper.Update.parse({ identityId, ...given }));
    await expect(change({ host: 'https://evil.example.com' })).rejects.toMatchObject({
      kind: 'bad_request',
      code: 'auth_method.credential_needed',
    });
    await change({ host: 'https://gate.example.com', names: 'the same host again' });
    await change({ host: 'https://new.example.com', password: 'friend' });
    await logIn();
    expect(sent).toEqual(['https://new.example.com friend Ali open sesame']);
  });
});

describe('a method with rules of its own', () => {
  it('is checked as a whole, when it is attached and when it is changed', async () => {
    await expect(attached({ mode: 'named' })).rejects.toMatchObject({ code: 'gatekeeper.names' });
    const { identityId } = await attached({ mode: 'named', names: 'Ali' });
    const change = updateAuthMethod(ctx, gatekeeper, gatekeeper.Update.parse({ identityId, names: '' }));
    await expect(change).rejects.toMatchObject({ code: 'gatekeeper.names' });
  });

  it('may require a max TTL when it is attached, and only then', () => {
    const input = { identityId: 'x', host: 'https://gate.example.com', accessTokenTTL: 0, accessTokenMaxTTL: 0 };
    expect(gatekeeper.Attach.safeParse(input).success).toBe(false);
    expect(gatekeeper.Update.safeParse(input).success).toBe(true);
  });

  it('returns its own status if it is not attached', async () => {
    const { identityId } = await attached();
    await detachAuthMethod(ctx, gatekeeper, { identityId });
    await expect(readAuthMethod(ctx, gatekeeper, { identityId })).rejects.toMatchObject({ kind: 'bad_request' });
    await expect(updateAuthMethod(ctx, gatekeeper, { identityId })).rejects.toMatchObject({ kind: 'not_found' });
    await expect(logInWith(anonymous, gatekeeper, { identityId, name: 'Ali', word: 'x' })).rejects.toMatchObject({
      kind: 'not_found',
    });
  });
});

describe('logging in as an identity', () => {
  it('issues a token with the facts that were proved, and notes it', async () => {
    const { identityId, logIn } = await attached({ accessTokenTTL: 60, accessTokenMaxTTL: 90 });
    const issued = await logIn();
    expect(issued).toMatchObject({ expiresIn: 60, accessTokenMaxTTL: 90, tokenType: 'Bearer' });
    expect(sent).toEqual(['https://gate.example.com mellon Ali open sesame']);
    const { rows } = await test.coffer.pool.query(
      'select claims, auth_method from identity_access_tokens where identity_id = $1',
      [identityId],
    );
    expect(rows).toEqual([{ claims: { name: 'Ali' }, auth_method: 'gatekeeper-auth' }]);
    const events = await test.coffer.pool.query('select type, actor_type from audit_events where actor_id = $1', [
      identityId,
    ]);
    expect(events.rows).toEqual([{ type: 'gatekeeper_auth.logged_in', actor_type: 'identity' }]);
  });

  it('is refused for an identity that is unknown or no id at all', async () => {
    for (const identityId of ['nobody', '018f0000-0000-7000-8000-000000000000']) {
      await expect(logInWith(anonymous, gatekeeper, { identityId, name: 'Ali', word: 'x' })).rejects.toMatchObject({
        kind: 'not_found',
      });
    }
    expect(sent).toEqual([]);
  });

  it('is refused where the method was changed or detached while it was being verified, also at the same time', async () => {
    for (const change of [{ names: 'Cassim' }, { password: 'friend' }]) {
      const { identityId, logIn } = await attached();
      beforeAnswer = () => updateAuthMethod(ctx, gatekeeper, gatekeeper.Update.parse({ identityId, ...change }));
      await expect(logIn()).rejects.toMatchObject({ code: 'auth.method_changed' });
    }
    const detached = await attached();
    beforeAnswer = () => detachAuthMethod(ctx, gatekeeper, { identityId: detached.identityId });
    await expect(detached.logIn()).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  it('has the settings of its token that are in force when it is issued', async () => {
    const { identityId, logIn } = await attached({ accessTokenTTL: 60, accessTokenMaxTTL: 90 });
    beforeAnswer = () => updateAuthMethod(ctx, gatekeeper, gatekeeper.Update.parse({ identityId, accessTokenTTL: 30 }));
    expect(await logIn()).toMatchObject({ expiresIn: 30 });
  });

  it('locks the guessed user, in every spelling, and calls nothing during the lockout', async () => {
    const { logIn } = await attached();
    for (const name of ['Ali', 'ALI', 'ali'])
      await expect(logIn('close', name)).rejects.toMatchObject({ code: 'gatekeeper.refused' });
    await expect(logIn()).rejects.toMatchObject({ code: 'auth.throttled' });
    expect(sent).toHaveLength(3);
    await expect(logIn('open sesame', 'Cassim')).resolves.toBeDefined();
    test.advance(300_000);
    await expect(logIn()).resolves.toBeDefined();
  });

  it('counts at most as many of many parallel guesses as the threshold allows', async () => {
    const { logIn } = await attached();
    const wrong = await Promise.allSettled(Array.from({ length: 12 }, () => logIn('close')));
    expect(wrong.every(({ status }) => status === 'rejected')).toBe(true);
    beforeAnswer = async () => undefined;
    await expect(logIn()).rejects.toMatchObject({ kind: 'rate_limited', code: 'auth.throttled' });
    expect(sent.length).toBeLessThanOrEqual(6);
  });

  it('admits concurrent right logins, and a known address while others guess', async () => {
    const { identityId, logIn } = await attached();
    await Promise.all(Array.from({ length: 12 }, () => logIn()));
    const from = (ipAddress: string) => (word: string) =>
      logInWith(test.coffer.contextFor({ type: 'anonymous' }, { id: 'req-x', ipAddress, userAgent: '' }), gatekeeper, {
        identityId,
        name: 'Ali',
        word,
      });
    for (let network = 1; network <= 5; network++)
      for (let guess = 0; guess < 3; guess++)
        await expect(from(`2001:db8:0:${network}::${guess}`)('close')).rejects.toMatchObject({
          code: 'gatekeeper.refused',
        });
    sent.length = 0;
    await expect(from('192.0.2.9')('open sesame')).rejects.toMatchObject({ code: 'auth.throttled' });
    expect(sent).toEqual([]);
    await expect(logIn()).resolves.toBeDefined();
    test.advance(300_000);
    await expect(from('192.0.2.9')('open sesame')).resolves.toBeDefined();
  });
});

describe('guesses at a user with several names', () => {
  async function door(given: object = {}) {
    const { id: identityId } = await createIdentity(ctx, {
      name: 'x',
      organizationId,
      role: 'no-access',
      metadata: [],
      hasDeleteProtection: false,
    });
    await attachAuthMethod(ctx, doorkeeper, doorkeeper.Attach.parse({ identityId, ...given }));
    return (name: string, word = 'open sesame') => logInWith(anonymous, doorkeeper, { identityId, name, word });
  }

  it('count together, and lock all the names', async () => {
    const logIn = await door();
    const names = ['Ali', 'Ali Baba', 'Master Ali'];
    for (const name of names) await expect(logIn(name, 'x')).rejects.toMatchObject({ code: 'doorkeeper.refused' });
    for (const name of names) await expect(logIn(name)).rejects.toMatchObject({ code: 'auth.throttled' });
    await expect(logIn('Cassim')).resolves.toBeDefined();
    test.advance(60_000);
    for (const name of names) await expect(logIn(name)).resolves.toBeDefined();
  });

  it('start again after a login by any of them', async () => {
    const logIn = await door();
    for (let round = 0; round < 3; round++) {
      for (const name of ['Ali', 'Ali Baba'])
        await expect(logIn(name, 'x')).rejects.toMatchObject({ code: 'doorkeeper.refused' });
      for (const name of ['Ali', 'Ali Baba']) await expect(logIn(name)).resolves.toBeDefined();
    }
  });

  it('do not count if the method counts none', async () => {
    const logIn = await door({ isCounting: false });
    for (let i = 0; i < 5; i++) await expect(logIn('Ali', 'x')).rejects.toMatchObject({ code: 'doorkeeper.refused' });
    await expect(logIn('Ali Baba')).resolves.toBeDefined();
  });
});
