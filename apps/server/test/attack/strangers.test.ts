import { makeUser } from '@coffer/domain/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceOf, passwordLogins } from '../harness/password-logins.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const password = 'correct horse battery';
const ADDRESSES = 40;
let test: TestServer;
let machine: Caller;
let read: string;

beforeAll(async () => {
  test = await testServer({}, { concurrency: 8, isTrustedProxy: () => true });
  const { id: projectId } = await test.project();
  machine = (await test.identity({ projectId, projectRole: 'member' })).call;
  read = `/api/v4/secrets?${new URLSearchParams({ projectId, environment: 'dev', secretPath: '/' }).toString()}`;
  await machine('GET', read);
});
afterAll(() => test.close());

const logIn = passwordLogins(() => test);

/** How many of two wrong passwords from each of many addresses are answered during a call of somebody else. */
async function answeredDuring(call: () => Promise<unknown>): Promise<number> {
  let answered = 0;
  const guess = (n: number) => logIn(`nobody-${n}@example.com`, 'wrong password', `198.51.100.${n % ADDRESSES}`);
  const all = Array.from({ length: 2 * ADDRESSES }, (_, n) => guess(n).then(() => answered++));
  await sleep(50);
  const before = answered;
  await call();
  const during = answered - before;
  await Promise.all(all);
  return during;
}

describe('attack: wrong passwords from many addresses', () => {
  it('keep no read of a known caller waiting', async () => {
    const during = await answeredDuring(async () => expect((await machine('GET', read)).status).toBe(200));
    expect(during).toBeLessThan(ADDRESSES / 4);
  });

  it('keep no login waiting on a device that is known', async () => {
    const { email } = await makeUser(test.coffer, { password, organizationId: test.organizationId, role: 'member' });
    const device = deviceOf(await logIn(email, password, '192.0.2.1'));
    const during = await answeredDuring(async () => {
      expect((await logIn(email, password, '192.0.2.2', device)).status).toBe(200);
    });
    expect(during).toBeLessThan(ADDRESSES / 2);
  });
});
