import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../testing/test-server.ts';

const LIMIT = 5;
let test: TestServer;
beforeAll(async () => {
  const limits = { loginRateLimit: LIMIT, refusedTokenLimit: LIMIT };
  test = await testServer({}, { ...limits, isTrustedProxy: () => true });
});
afterAll(() => test.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

async function client() {
  const made = { name: 'pod', organizationId: test.organizationId, role: 'member' };
  const { id } = (await test.admin('POST', '/api/v1/identities', made)).body.identity;
  const method = `/api/v1/auth/universal-auth/identities/${id}`;
  const { clientId } = (await test.admin('POST', method, {})).body.identityUniversalAuth;
  const { clientSecret } = (await test.admin('POST', `${method}/client-secrets`, {})).body;
  return (address: string, secret = clientSecret) =>
    test.as()('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret: secret }, from(address));
}

describe('attack: whoever is refused again and again', () => {
  it('does not keep a hundred pods behind the same address from logging in', async () => {
    const [logIn, other] = [await client(), await client()];
    const guesses: number[] = [];
    for (let i = 0; i < LIMIT + 3; i++) guesses.push((await logIn('192.0.2.1', `guess ${i}`)).status);
    expect(guesses).toEqual([...Array(LIMIT).fill(401), 429, 429, 429]);
    expect((await logIn('192.0.2.1', 'x')).headers['retry-after']).toMatch(/^\d+$/);
    expect((await other('192.0.2.1', 'x')).status).toBe(401);
    const pods = await Promise.all(Array.from({ length: 100 }, () => logIn('192.0.2.1')));
    expect(new Set(pods.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('waits with guesses at many clients together, from anywhere in its /64', async () => {
    const statuses: number[] = [];
    for (let i = 0; i <= LIMIT * 10; i++) {
      const guess = { clientId: `00000000-0000-4000-8000-0000000000${10 + i}`, clientSecret: 'x' };
      const login = test.as()('POST', '/api/v1/auth/universal-auth/login', guess, from(`2001:db8::${i}`));
      statuses.push((await login).status);
    }
    expect([statuses.indexOf(429), statuses.length - 1]).toEqual([LIMIT * 10, LIMIT * 10]);
  });

  it('invents no tokens for long, on public paths neither, while tokens that are known go on', async () => {
    const me = '/api/v1/identities/details';
    const address = '2001:db8:0:1::7';
    const known = test.adminIdentity.token;
    const ask = async (token: string, url = me, at = address) =>
      (await test.as(token)('GET', url, undefined, from(at))).status;
    expect(await ask(known)).toBe(200);
    const statuses: number[] = [];
    for (let i = 0; i < LIMIT + 2; i++) statuses.push(await ask(`invented-${i}`, me, `2001:db8:0:1::${i}`));
    expect(statuses).toEqual([...Array(LIMIT).fill(401), 429, 429]);
    expect(await ask('invented', '/api/status')).toBe(429);
    expect([await ask(known), await ask('invented', me, '192.0.2.9')]).toEqual([200, 401]);
  });

  it('does the same over tRPC', async () => {
    const guess = () =>
      test.as()('POST', '/api/trpc/sessions.logIn', { email: 'ghost@example.com', password: 'x' }, from('192.0.2.40'));
    const statuses: number[] = [];
    for (let i = 0; i < LIMIT + 1; i++) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array(LIMIT).fill(401), 429]);
  });
});
