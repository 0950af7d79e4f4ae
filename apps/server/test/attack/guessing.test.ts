import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceOf, passwordLogins } from '../harness/password-logins.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const password = 'correct horse battery';
let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' }, { isTrustedProxy: () => true });
});
afterAll(() => test.close());

const logIn = passwordLogins(() => test);
const newPerson = () => makeUser(test.coffer, { password, organizationId: test.organizationId, role: 'member' });

describe('attack: password guessing', () => {
  it('does not lock the owner out elsewhere, nor on a known device at the same address', async () => {
    const { email } = await newPerson();
    const device = deviceOf(await logIn(email, password, '192.0.2.1'));
    for (let guess = 0; guess < 12; guess++) await logIn(email, 'guess', '198.51.100.7');
    expect((await logIn(email, password, '198.51.100.7')).status).toBe(429);
    expect((await logIn(email, password, '192.0.2.2')).status).toBe(200);
    expect((await logIn(email, password, '198.51.100.7', device)).status).toBe(200);
  });

  it('has no advantage by devices that knew a former password', async () => {
    const { email, token } = await newPerson();
    const device = deviceOf(await logIn(email, password, '192.0.2.1'));
    const change = { oldPassword: password, newPassword: `${password} of now` };
    expect((await test.as(token)('POST', '/api/v2/password/user/password-reset', change)).status).toBe(200);
    const guess = () => logIn(email, password, '198.51.100.7', device);
    for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(401);
    expect((await logIn(email, 'guess', '198.51.100.7')).status).toBe(429);
  });

  it('cannot evade the limit by another spelling, another address of its /64 or an invented device', async () => {
    const { email } = await newPerson();
    const spellings = [email, email.toUpperCase(), ` ${email} `];
    for (let guess = 0; guess < 10; guess++)
      expect((await logIn(spellings[guess % 3]!, 'guess', `2001:db8::${guess}`)).status).toBe(401);
    for (const spelling of spellings)
      expect((await logIn(spelling, password, '2001:db8::ffff:1', 'cdt=cfd_madeup')).status).toBe(429);
  });

  it('with a hundred addresses is slowed down as a whole, while a known device logs in', async () => {
    const { email } = await newPerson();
    const device = deviceOf(await logIn(email, password, '192.0.2.1'));
    await logIn(email, 'guess', '203.0.113.1');
    // As many more, from others.
    await test.coffer.pool.query('update lockouts set failures = 98 where subject = $1', [`user:${email}`]);
    for (const address of ['203.0.113.2', '203.0.113.3'])
      expect((await logIn(email, 'guess', address)).status).toBe(401);
    expect((await logIn(email, password, '203.0.113.200')).status).toBe(429);
    expect((await logIn(email, password, '192.0.2.77', device)).status).toBe(200);
    test.advance(2_000);
    expect((await logIn(email, password, '203.0.113.200')).status).toBe(200);
  });

  it('with many guesses at once keeps the owner, on a known device, neither out nor waiting in their line', async () => {
    const { email } = await newPerson();
    const device = deviceOf(await logIn(email, password, '192.0.2.1'));
    await logIn(email, 'guess', '203.0.113.1');
    await test.coffer.pool.query('update lockouts set failures = 98 where subject = $1', [`user:${email}`]);
    const guesses = Array.from({ length: 200 }, (_, guess) => logIn(email, 'guess', `198.51.100.${guess}`));
    const owner = await Promise.all(Array.from({ length: 3 }, () => logIn(email, password, '192.0.2.1', device)));
    expect(owner.map(({ status }) => status)).toEqual([200, 200, 200]);
    const heard = (await Promise.all(guesses)).filter(({ status }) => status === 401);
    // The two that are left, and those that are under way then.
    expect(heard.length).toBeLessThanOrEqual(6);
  });

  it('does not learn which accounts exist, with any number of attempts', async () => {
    const { email } = await newPerson();
    const answers = async (address: string) => {
      const seen: unknown[] = [];
      for (let guess = 0; guess < 12; guess++) {
        const { status, body, headers } = await logIn(address, 'guess', '198.51.100.20');
        seen.push([status, { ...body, reqId: '' }, headers['retry-after'], headers['set-cookie']]);
      }
      return seen;
    };
    expect(await answers(email)).toEqual(await answers('nobody-at-all@example.com'));
  });

  it('at invented accounts stores no more rows for an address than it has failures before it has to wait', async () => {
    const from = '203.0.113.9';
    const rowsOf = async () => {
      const { rows } = await test.coffer.pool.query(`select subject from lockouts where subject like '%|' || $1`, [
        from,
      ]);
      return rows.length;
    };
    await logIn('invented@example.com', 'guess', from);
    await test.coffer.pool.query(`update lockouts set failures = 299 where subject = 'spraying:password|' || $1`, [
      from,
    ]);
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) statuses.push((await logIn(`invented-${at}@example.com`, 'guess', from)).status);
    expect(statuses).toEqual([401, 429, 429, 429]);
    expect(await rowsOf()).toBe(3);
  });
});

describe('attack: wrong client secrets', () => {
  it('never locks out the right secret, even from the same address', async () => {
    const made = { name: 'ci', organizationId: test.organizationId, role: 'member' };
    const { id } = (await test.admin('POST', '/api/v1/identities', made)).body.identity;
    const method = `/api/v1/auth/universal-auth/identities/${id}`;
    const { clientId } = (await test.admin('POST', method, { lockoutThreshold: 1 })).body.identityUniversalAuth;
    const { clientSecret } = (await test.admin('POST', `${method}/client-secrets`, {})).body;
    const universal = (secret: string) =>
      test.as()('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret: secret });
    const guesses = await Promise.all(Array.from({ length: 50 }, (_, guess) => universal(`guess ${guess}`)));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await universal(clientSecret)).status).toBe(200);
  });

  it('at invented clients store no more rows than there are for all of them', async () => {
    const countOf = async () => (await test.coffer.pool.query('select subject from lockouts')).rows.length;
    const before = await countOf();
    const logInAs = (clientId: string) =>
      test.as()('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret: 'guess' });
    const invented = Array.from({ length: 200 }, () => crypto.randomUUID());
    const guesses = await Promise.all(invented.map(logInAs));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await countOf()) - before).toBeLessThanOrEqual(64);
  });
});
