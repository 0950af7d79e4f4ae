import { appRouter, openApiDocument, operationsOf, type Operation } from '@coffer/api';
import { makeIdentity, makeUser, runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { ask, comparable, fingerprintsOf, nameOf, unknownLike } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type Thing, type World } from '../harness/matrix-world.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const PATIENCE = searchTime(300_000);
const SECRET = 'zvictimz';

/** What an organization has, its projects may use or refer to; and names that mean something in one's own project. */
const OF_ORGANIZATIONS =
  'organization organizationMembership organizationRole organizationRoleSlug projectTemplate identity client clientSecret accessToken group incidentContact';
const OF_USERS = 'user userMembership username session apiKey';
const NAMES =
  'secretName dynamicSecretName kmsKeyName projectRoleSlug certificateProfileSlug tagSlug subscriberName secretSyncName secretRotationName appConnectionName';
const NOT_OF_PROJECTS: ReadonlySet<string> = new Set(`${OF_ORGANIZATIONS} ${OF_USERS} ${NAMES}`.split(' '));

/** Whoever leases may choose the ID, which is taken if any lease has it (docs/security.md). */
const CHOSEN = 'POST /api/v1/dynamic-secrets/leases leaseId';

let test: TestServer;
let victim: World;
let own: World;
let machine: Caller;
let person: Caller;
let samples: Sample[];
beforeAll(async () => {
  test = await testServer({ poolSize: 1 });
  victim = await makeWorld(test, SECRET);
  const { organizationId, machine: call, machineToken: token } = victim;
  const foreign = async () => ({ organizationId, call, identity: { token } as never });
  own = await makeWorld({ coffer: test.coffer, as: (given) => test.as(given), foreign }, 'zownz');
  const place = { organizationId, organizationRole: 'no-access', projectId: own.has.project, projectRole: 'admin' };
  machine = test.as((await makeIdentity(test.coffer, place)).token);
  const user = await makeUser(test.coffer, { organizationId, role: 'no-access' });
  person = test.as(user.token);
  const add = { usernames: [user.email], emails: [], roleSlugs: ['admin'] };
  await ok(victim.machine('POST', `/api/v1/projects/${own.has.project}/memberships`, add));
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  // Deletions come last.
  samples = operationsOf(appRouter)
    .map((operation) => new Sample(operation, document))
    .toSorted((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'));
}, PATIENCE);
afterAll(() => test.close());

const callerOf = ({ meta }: Operation): Caller =>
  !meta.rest?.actors || meta.rest.actors.includes('identity') ? machine : person;

/** One's own things with another one in a field. */
function inputWith(sample: Sample, field: string, value: string): Record<string, unknown> | undefined {
  const input = sample.input((thing) => own.has[thing]);
  return field in input ? { ...input, [field]: Array.isArray(input[field]) ? [value] : value } : undefined;
}

async function problemOf(sample: Sample, field: string, thing: Thing): Promise<unknown> {
  const absent = inputWith(sample, field, unknownLike(victim, SECRET, thing));
  const foreign = inputWith(sample, field, victim.has[thing]);
  if (!absent || !foreign) return undefined;
  const caller = callerOf(sample.operation);
  const expected = await ask(caller, sample, absent);
  const answer = await ask(caller, sample, foreign);
  const got = comparable(answer, foreign);
  if (got.includes(SECRET)) return `it shows what is of another project: ${got}`;
  // Where something unknown is taken, too, the field decides nothing.
  const isSame = expected.status < 300 || got === comparable(expected, absent);
  return isSame ? undefined : { foreign: got, absent: comparable(expected, absent) };
}

describe('attack: an administrator of another project of the organization', () => {
  it(
    'reaches nothing by a request for their own, in which one thing is of this project',
    async () => {
      const rows = () => fingerprintsOf(test, 'project_id', victim.has.project);
      const before = await rows();
      const found: Record<string, unknown> = {};
      let asked = 0;
      // The short form has a third of the fields.
      let turn = SEARCH_SEED;
      for (const sample of samples) {
        if (sample.operation.meta.needs === 'public') continue;
        for (const [field, thing] of sample.things) {
          const name = `${nameOf(sample.operation)} ${field}`;
          if (NOT_OF_PROJECTS.has(thing) || name === CHOSEN || turn++ % runs(3, 1) !== 0) continue;
          asked++;
          const problem = await problemOf(sample, field, thing);
          if (problem !== undefined) found[name] = problem;
        }
      }
      expect(asked).toBeGreaterThan(200);
      expect(found).toEqual({});
      expect(await rows()).toEqual(before);
    },
    PATIENCE,
  );
});
