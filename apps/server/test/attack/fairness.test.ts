// @long: large values, many callers
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base64, createKey, use } from '../harness/kms.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const LISTS = 48;
/**
 * Requests of another caller that may be answered while one waits for a single read: as many as one caller may have at work, since one
 * commit of their events answers all of them.
 */
const FEW = 24;
let test: TestServer;
let projectId: string;
let list: string;
let read: string;
let heavy: Caller;
let light: Caller;

beforeAll(async () => {
  test = await testServer({}, { concurrency: 32 });
  projectId = (await test.project()).id;
  const place = { projectId, environment: 'dev', secretPath: '/' };
  const query = new URLSearchParams(place).toString();
  list = `/api/v4/secrets?${query}`;
  read = `/api/v4/secrets/K1?${query}`;
  const member = async () => (await test.identity({ projectId, projectRole: 'member' })).call;
  [heavy, light] = [await member(), await member()];
  const secrets = Array.from({ length: 1_000 }, (_, n) => ({ secretKey: `K${n}`, secretValue: 'v' }));
  await heavy('POST', '/api/v4/secrets/batch', { ...place, secrets });
  await light('GET', read);
});
afterAll(() => test.close());

/** A further token of an identity. */
async function tokenOf(id: string): Promise<string> {
  const { status, body } = await test.admin('POST', `/api/v1/auth/token-auth/identities/${id}/tokens`, {});
  expect(status).toBe(200);
  return body.accessToken;
}

/** The most requests of many that were answered between a question of another caller and its answer. */
async function mostBetween(many: readonly (() => Promise<unknown>)[]): Promise<number> {
  let answered = 0;
  const all = Promise.all(many.map((one) => one().then(() => answered++)));
  let most = 0;
  await sleep(50);
  for (let i = 0; i < 5 && answered < many.length / 2; i++) {
    const before = answered;
    expect((await light('GET', read)).status).toBe(200);
    most = Math.max(most, answered - before);
  }
  await all;
  return most;
}

describe('attack: many long lists of one caller at once', () => {
  it('a single read of another caller waits for a few of them, and none of them fails', async () => {
    const statuses: number[] = [];
    const one = async () => void statuses.push((await heavy('GET', list)).status);
    expect(await mostBetween(Array.from({ length: LISTS }, () => one))).toBeLessThanOrEqual(FEW);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('by forty tokens of one identity are those of one caller', async () => {
    const { id, call } = await test.identity({ projectId, projectRole: 'member' });
    const tokens = await Promise.all(Array.from({ length: 40 }, () => tokenOf(id)));
    const calls = tokens.map((token) => test.as(token));
    for (const one of [call, ...calls]) expect((await one('GET', read)).status).toBe(200);
    const lists = calls.flatMap((one) => [() => one('GET', list), () => one('GET', list)]);
    expect(await mostBetween(lists)).toBeLessThanOrEqual(FEW);
  });

  it('the calls of a batch take turns like requests', async () => {
    const inputs = Array.from({ length: 50 }, () => ({ projectId, environment: 'dev' }));
    const names = inputs.map(() => 'secrets.list').join();
    const url = `/api/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(Object.fromEntries(inputs.entries())))}`;
    let isOver = false;
    const batch = heavy('GET', url).then(({ status }) => {
      isOver = true;
      return status;
    });
    let reads = 0;
    while (!isOver) {
      expect(await light('GET', read)).toMatchObject({ status: 200 });
      reads++;
    }
    expect([await batch, reads >= 50 / FEW]).toEqual([200, true]);
  });
});

describe('attack: many RSA keys of one caller at once', () => {
  it('leave a thread to the signatures of others', async () => {
    const { id } = await createKey(test.admin, projectId, { algorithm: 'RSA_2048', keyUsage: 'sign-verify' });
    const madeMeanwhile = async () => {
      let made = 0;
      const many = Array.from({ length: 12 }, () =>
        createKey(heavy, projectId, { algorithm: 'RSA_3072', keyUsage: 'sign-verify' }).then(() => made++),
      );
      await sleep(100);
      const before = made;
      expect((await use(light, id, 'sign', { data: base64('data') })).status).toBe(200);
      const meanwhile = made - before;
      await Promise.all(many);
      return meanwhile;
    };
    // A signature that waits for the database meanwhile is late once; one that waits for the keys always is.
    const counts: number[] = [];
    while (counts.length < 3 && !counts.some((count) => count <= 4)) counts.push(await madeMeanwhile());
    expect(Math.min(...counts)).toBeLessThanOrEqual(4);
  });
});
