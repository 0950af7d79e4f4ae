// @long: large values, many callers
import { makeUser } from '@coffer/domain/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { deviceOf, passwordLogins } from '../harness/password-logins.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const password = 'correct horse battery';
const ADDRESSES = 40;
const DEVICES = 20;
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

describe('attack: logins of one account on many devices', () => {
  it('keep no login of another account waiting on a device that is known', async () => {
    const make = () => makeUser(test.coffer, { password, organizationId: test.organizationId, role: 'member' });
    const [{ email }, mallory] = [await make(), await make()];
    const device = deviceOf(await logIn(email, password, '192.0.2.1'));
    const devices: string[] = [];
    // Without a cookie each login makes another device.
    while (devices.length < DEVICES) devices.push(deviceOf(await logIn(mallory.email, password, '198.51.100.1')));

    // Both places are taken until all logins wait for one.
    const { passwordTurns } = test.coffer;
    const waiting = vi.spyOn(passwordTurns, 'run');
    onTestFinished(() => waiting.mockRestore());
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const taken = ['a', 'b'].map((key) => passwordTurns.run({ key, isStranger: false }, () => released));
    const answered: string[] = [];
    const send = async (to: string, address: string, cookie: string) => {
      expect((await logIn(to, password, address, cookie)).status).toBe(200);
      answered.push(to);
    };
    const flood = devices.map((own) => send(mallory.email, '198.51.100.1', own));
    await expect.poll(() => waiting.mock.calls.length).toBe(2 + DEVICES);
    const own = send(email, '192.0.2.2', device);
    await expect.poll(() => waiting.mock.calls.length).toBe(3 + DEVICES);
    release();
    await Promise.all([...taken, ...flood, own]);
    expect(answered.indexOf(email)).toBeLessThan(DEVICES / 2);
  });
});
