import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, estWorld, OPEN, request, type EstWorld } from '../harness/est.ts';

const GUESSES = 30;

let world: EstWorld;
beforeAll(async () => {
  world = await estWorld({ clock: 'standing' });
});
afterAll(() => world.test.close());

type Guess = () => Promise<{ readonly status: number }>;

const loggingIn = (email: string): Guess => {
  const body = { email, password: 'guess' };
  return () => world.test.as()('POST', '/api/v3/auth/login', body);
};

/** Each sends guesses that are refused, the first of them with another status than those that have to wait. */
const WAYS: readonly (readonly [what: string, event: string, prepare: () => Promise<Guess>])[] = [
  [
    'the password of a user',
    'user-login-failed',
    async () => {
      const { test } = world;
      return loggingIn((await makeUser(test.coffer, { organizationId: test.organizationId })).email);
    },
  ],
  ['the password of nobody', 'unknown-login-failed', async () => loggingIn('nobody@example.com')],
  [
    'the passphrase of EST',
    'est-enrollment-refused',
    async () => {
      const id = await world.template(OPEN);
      return () => world.est(id, 'simpleenroll', request('a.example.com'), basic('guess'));
    },
  ],
  [
    'the password of a user of a directory',
    'fail-login-identity-ldap-auth',
    async () => {
      const { test } = world;
      const { id: identityId } = await test.identity();
      const directory = { url: 'ldaps://ldap.example.com', bindDN: 'cn=coffer', bindPass: 'x', searchBase: 'dc=com' };
      const { status } = await test.admin('POST', `/api/v1/auth/ldap-auth/identities/${identityId}`, directory);
      expect(status).toBe(200);
      // The address has guessed at others.
      await test.coffer.pool.query(
        `insert into lockouts (subject, failures, last_failure_at, locked_until)
         values ('spraying:ldap-auth|127.0.0.1', 300, $1, $1::timestamptz + interval '1 minute')`,
        [test.coffer.now()],
      );
      const proof = { identityId, username: 'alice', password: 'guess' };
      return () => test.as()('POST', '/api/v1/auth/ldap-auth/login', proof);
    },
  ],
];

describe('attack: guesses that are not looked at, since others were wrong before', () => {
  it.each(WAYS)('are on the log, and counted, as those that are: %s', async (_, event, prepare) => {
    const { test } = world;
    const guess = await prepare();
    const start = test.coffer.now();
    const statuses: number[] = [];
    for (let n = 0; n < GUESSES; n++) statuses.push((await guess()).status);
    expect(statuses.at(-1)).toBe(429);
    test.advance(61_000);
    await test.coffer.refusals.sweep();
    const { rows } = await test.coffer.pool.query<{ total: number }>(
      `select coalesce(sum((data ->> 'count')::int), 0)::int as total from audit_events where published = $1 and created_at >= $2`,
      [event, start],
    );
    expect(rows).toEqual([{ total: GUESSES }]);
  });
});
