import { makeUser, runs, sampleOf, searchTime, SEARCH_SEED, StandIns } from '@coffer/domain/testing';
import { AwsAccount } from '@coffer/domain/testing/clouds';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess, untilNotified, type AnotherProcess } from './harness/another-process.ts';
import { BASES } from './harness/ended-bases.ts';
import { LIMITED, type As, type LimitedWorld } from './harness/limited-uses.ts';
import { testServer, type Answer, type TestServer } from './harness/test-server.ts';

const MAX_LEASES = 3;
/** Milliseconds over which requests begin. */
const SPREAD = 24;
const standIns = new StandIns();
const sts = new AwsAccount({ region: 'us-east-1' });
let test: TestServer;
let other: AnotherProcess;
let world: LimitedWorld;
const here: As = (token) => test.as(token);
const there: As = (token) => other.as(token);
beforeAll(async () => {
  await standIns.serve('sts.us-east-1.amazonaws.com', sts.listener('sts'));
  test = await testServer({ fetch: standIns.fetch, settings: { maxLeases: MAX_LEASES } });
  other = await anotherProcess(test);
  world = { test, maxLeases: MAX_LEASES, aws: sts.keysOf('arn:aws:sts::123456789012:assumed-role/web/i-0123456789') };
});
afterAll(async () => {
  await other.close();
  await test.close();
  await standIns.close();
});

describe('what can be used a number of times', () => {
  it.each(sampleOf(Object.keys(LIMITED), 2))(
    '%s: is used no more often by any number of requests to two processes',
    { timeout: searchTime(300_000) },
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 3 }),
          fc.array(fc.boolean(), { minLength: 4, maxLength: 10 }),
          async (limit, isThere) => {
            const { uses, use } = await LIMITED[kind]!(world, limit);
            const processes: readonly As[] = isThere.map((one) => (one ? there : here));
            const answers = await Promise.all(processes.map((as, n) => use(as, n)));
            const refused = answers.filter(({ status }) => status !== 200);
            expect(refused.filter(({ status }) => ![400, 401].includes(status)).map(({ body }) => body)).toEqual([]);
            expect(answers.length - refused.length).toBe(Math.min(uses, isThere.length));
          },
        ),
        { numRuns: runs(1, 50), seed: SEARCH_SEED },
      );
    },
  );
});

/** A change that others contend with is refused with a 503: its caller tries again. */
async function untilServed(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  while (answer.status === 503) answer = await ask();
  return answer;
}

/** Whether a process accepts a credential. */
const accepts = async (as: As, credential: Record<string, string>): Promise<boolean> => {
  const url = credential['authorization']?.startsWith('Bearer st.')
    ? '/api/v2/service-token'
    : `/api/v1/organization/${test.organizationId}/permissions`;
  return (await as()('GET', url, undefined, credential)).status === 200;
};

describe('what is obtained while its basis ends', () => {
  let root: string;
  beforeAll(async () => void (root = (await makeUser(test.coffer, { isSuperAdmin: true })).token));

  it.each(Object.entries(BASES))('a %s: is good for both processes until then', async (_kind, make) => {
    const { obtain } = await make(test, root);
    for (const [way, get] of Object.entries(obtain)) {
      const credential = await get(there);
      for (const as of [here, there]) expect([way, credential && (await accepts(as, credential))]).toEqual([way, true]);
    }
  });

  it.each(Object.entries(BASES))(
    'a %s: ends with it, whichever processes are asked',
    { timeout: searchTime(300_000) },
    async (_kind, make) => {
      const found: unknown[] = [];
      const ends = sampleOf(Object.keys((await make(test, root)).end), 3);
      for (let round = 0; round < runs(1, 40); round++)
        for (const [turn, name] of ends.entries()) {
          const { obtain, end } = await make(test, root);
          const ways = Object.entries(obtain);
          const drawn = fc.sample(fc.tuple(fc.boolean(), fc.nat(SPREAD)), {
            numRuns: ways.length + 1,
            seed: SEARCH_SEED + 10 * round + turn,
          });
          const { by, spares = [] } = end[name]!;
          const at = async <T>(n: number, ask: (as: As) => Promise<T>): Promise<T> => {
            const [isThere, ms] = drawn[n]!;
            await sleep(ms);
            return ask(isThere ? there : here);
          };
          const [ended, ...credentials] = await Promise.all([
            at(ways.length, (as) => untilServed(() => by(as))),
            ...ways.map(([, get], n) => at(n, get)),
          ]);
          expect([name, ended.status]).toEqual([name, 200]);
          await untilNotified(test, other);
          for (const [n, credential] of credentials.entries())
            for (const as of [here, there])
              if (credential && !spares.includes(ways[n]![0]) && (await accepts(as, credential)))
                found.push([name, ways[n]![0]]);
        }
      expect(found).toEqual([]);
    },
  );
});
