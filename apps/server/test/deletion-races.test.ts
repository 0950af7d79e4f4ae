import { setTimeout as sleep } from 'node:timers/promises';
import { appRouter, openApiDocument, operationsOf } from '@coffer/api';
import { makeUser, runs, sampleOf, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordedDeadlocks } from './harness/deadlocks.ts';
import { Sample } from './harness/matrix-sample.ts';
import { makeWorld, type Thing, type World } from './harness/matrix-world.ts';
import { testServer, type Answer, type Caller, type TestServer } from './harness/test-server.ts';

// Every deletion several times at once, alone and beside changes: it reaches rows that others lock, who in turn need
// rows that it has locked.

const AT_ONCE = runs(3, 4);
/** Milliseconds over which requests begin, so that they meet others at several of their steps. */
const SPREAD = 30;
const PATIENCE = searchTime(300_000);

let test: TestServer;
let samples: readonly Sample[];
let deadlocks: readonly string[];
const internalErrors: string[] = [];
beforeAll(async () => {
  const silent = () => undefined;
  const error = ({ err }: { err?: Error }) => void internalErrors.push(err?.stack ?? String(err));
  test = await testServer({ poolSize: 16 }, { logger: { debug: silent, info: silent, warn: silent, error } });
  deadlocks = recordedDeadlocks(test.coffer);
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  samples = operationsOf(appRouter)
    .filter(({ method, meta }) => method !== 'GET' && meta.needs !== 'public')
    .map((operation) => new Sample(operation, document));
}, PATIENCE);
afterAll(() => test.close());

const nameOf = ({ operation: { method, url } }: Sample) => `${method} ${url}`;
const isDeletion = ({ operation }: Sample) => operation.method === 'DELETE';

/** What others end with comes after them, in this order. */
const LATER: readonly RegExp[] = [
  /\/(app-connections\/\{app\}\/\{connectionId\}|groups\/\{id\}|collections\/\{collectionId\}|folders\/\{folderId\}|integration-auth)$/,
  /\/(ca\/.*\{caId\}|environments\/\{id\}|v1\/identities\/\{identityId\}|memberships.*|leave)$/,
  /\/(projects\/\{projectId\}|workspace\/\{(workspaceId|slug)\})$/,
  /\/users\/me\/sessions/,
  /\/(user-management\/users\/\{userId\}|users\/me|organizations\/.*memberships.*)$/,
  /\/organizations\/\{organizationId\}$/,
];
const rankOf = ({ operation: { url } }: Sample) => LATER.findLastIndex((pattern) => pattern.test(url));
const deletions = () => samples.filter(isDeletion).toSorted((a, b) => rankOf(a) - rankOf(b));

/** A world with a second administrator, who administers the instance, too. */
interface Stage extends World {
  readonly root: Caller;
}

let stages = 0;
async function stage(): Promise<Stage> {
  const world = await makeWorld(test, `zdeleted${stages++}z`);
  const { organizationId, has, machine } = world;
  const { token } = await makeUser(test.coffer, { organizationId, role: 'admin', isSuperAdmin: true });
  // What the examples of deletions name, and what would prevent some.
  await machine('POST', '/api/v4/secrets/secretKey', { projectId: has.project, environment: 'dev', secretValue: 'x' });
  await machine('POST', `/api/v1/groups/${has.group}/machine-identities/${has.identity}`);
  await test.coffer.pool.query('delete from certificate_profiles where slug = $1', [has.certificateProfileSlug]);
  return { ...world, root: test.as(token) };
}

/** Leases and rotations prevent the deletion of what contains them; and who has no access to the instance cannot lose it. */
async function prepare({ organizationId, has }: World, sample: Sample): Promise<void> {
  const { pool } = test.coffer;
  if (sample.operation.url.endsWith('/super-admin-access'))
    await pool.query('update identities set is_super_admin = true where id = $1', [has.identity]);
  if (rankOf(sample) < 0) return;
  await pool.query('delete from dynamic_secret_leases where organization_id = $1', [organizationId]);
  await pool.query('update secrets set rotation_id = null where organization_id = $1', [organizationId]);
  await pool.query('delete from secret_rotations where organization_id = $1', [organizationId]);
  await pool.query('update dynamic_secrets set leases = 0 where organization_id = $1', [organizationId]);
}

function callerOf({ root, person, machine }: Stage, { operation: { url, meta } }: Sample): Caller {
  if (url.startsWith('/api/v1/admin/')) return root;
  const { actors } = meta.rest ?? {};
  return actors && !actors.includes('identity') ? person : machine;
}

async function ask(world: Stage, sample: Sample): Promise<Answer> {
  const { url, body } = sample.request(sample.input((thing) => world.has[thing]));
  return callerOf(world, sample)(sample.operation.method, url, body);
}

/** Internal errors and failures for load among answers to some operations. */
const faultsOf = (asked: readonly Sample[], answers: readonly Answer[]): string[] =>
  answers.flatMap(({ status, body }, n) => (status >= 500 ? [`${nameOf(asked[n]!)}: ${status} ${body.message}`] : []));

/** Deletions of a project or an organization wait for others, and others for them, before they lock anything. */
const deadlocksOfPlaces = () => deadlocks.filter((one) => one.includes('places.end'));

/** Deletions of what may be several things, or is deleted later: who comes second succeeds, too. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'DELETE /api/v1/admin/identity-management/identities/{identityId}/super-admin-access',
  'DELETE /api/v1/admin/user-management/users/{userId}/admin-access',
  'DELETE /api/v1/cert-manager/syncs/{pkiSyncId}/certificates',
  'DELETE /api/v1/integration-auth',
  'DELETE /api/v1/dynamic-secrets/{name}',
  'DELETE /api/v2/users/me/sessions',
]);
/** Deletions whose examples name nothing: a tag that the secret does not have, an account without its password. */
const NAMELESS: readonly string[] = ['DELETE /api/v2/users/me', 'DELETE /api/v3/secrets/tags/{secretName}'];
const WORLDS = 6;

describe('several concurrent equal deletions', () => {
  it(
    'delete once, and the others do not find it any more',
    async () => {
      const found: Record<string, unknown> = {};
      // Several operations delete the same: each is asked in another world until it was the one that did.
      let left = deletions();
      for (let n = 0; n < WORLDS && left.length > NAMELESS.length; n++) {
        const world = await stage();
        const ended: Sample[] = [];
        for (const sample of left) {
          await prepare(world, sample);
          const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(world, sample)));
          const statuses = answers.map(({ status }) => status);
          const successes = statuses.filter((status) => status === 200).length;
          const isWrong = statuses.some((status) => status >= 500) || successes > 1;
          if (successes > 0) ended.push(sample);
          if (isWrong && !REPEATABLE.has(nameOf(sample))) found[nameOf(sample)] = answers.map(({ body }) => body);
        }
        left = left.filter((sample) => !ended.includes(sample));
      }
      expect({ found, internalErrors }).toEqual({ found: {}, internalErrors: [] });
      expect(left.map(nameOf).toSorted()).toEqual(NAMELESS);
      expect(deadlocksOfPlaces()).toEqual([]);
    },
    PATIENCE,
  );
});

/** What a deletion is beside: changes of the same, and in a project or an organization of everything, deletions included. */
function beside(sample: Sample): readonly Sample[] {
  const target = [...sample.things].findLast(([name]) => sample.operation.url.endsWith(`{${name}}`))?.[1];
  const places: readonly (Thing | undefined)[] = ['project', 'projectSlug', 'organization'];
  if (places.includes(target)) return samples;
  return samples.filter((one) => !isDeletion(one) && [...one.things.values()].includes(target!));
}

const some = <T>(all: readonly T[], many: number, seed: number): readonly T[] =>
  fc.sample(fc.shuffledSubarray([...all], { minLength: Math.min(many, all.length) }), { numRuns: 1, seed })[0]!;

describe('deletions beside changes of the same', () => {
  it(
    'cause no internal error, and end with one of the documented answers',
    async () => {
      const found: Record<string, unknown> = {};
      for (let round = 0; round < runs(1, 20); round++) {
        const world = await stage();
        for (const [n, sample] of sampleOf([...deletions().entries()], 2, round)) {
          await prepare(world, sample);
          const others = some(beside(sample), runs(4, 300), SEARCH_SEED + round * 100 + n);
          const asked = [...others, ...Array<Sample>(AT_ONCE).fill(sample)];
          const answers = await Promise.all(
            asked.map(async (one, i) => {
              await sleep((i * 7919 * (round + 1)) % SPREAD);
              return ask(world, one);
            }),
          );
          const faults = faultsOf(asked, answers);
          if (faults.length > 0) found[nameOf(sample)] = faults;
        }
      }
      expect({ found, internalErrors }).toEqual({ found: {}, internalErrors: [] });
      expect(deadlocksOfPlaces()).toEqual([]);
    },
    PATIENCE,
  );
});
