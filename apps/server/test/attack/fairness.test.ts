import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const LISTS = 80;
/** Requests of another caller that may be answered while one waits for a single read. */
const FEW = 12;
let test: TestServer;
let list: string;
let read: string;
let heavy: Caller;
let light: Caller;

beforeAll(async () => {
  test = await testServer({}, { concurrency: 32 });
  const projectId = (await test.project()).id;
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

  it('the calls of a batch take turns like requests', async () => {
    const { projectId } = Object.fromEntries(new URLSearchParams(list.split('?')[1])) as { projectId: string };
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
      expect((await light('GET', read)).status).toBe(200);
      reads++;
    }
    expect([await batch, reads >= 50 / FEW]).toEqual([200, true]);
  });
});
