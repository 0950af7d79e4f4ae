// @long: holds statements of many operations
import { appRouter, openApiDocument, operationsOf } from '@coffer/api';
import { organizationSubjects, projectSubjects } from '@coffer/domain';
import { makeIdentity, makeUser, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../harness/api-keys.ts';
import { ok } from '../harness/groups.ts';
import { allBut, callerOf, makeLimitedMembers } from '../harness/limited-members.ts';
import { ask, nameOf } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type World } from '../harness/matrix-world.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const PATIENCE = searchTime(300_000);
/** From here administrators call; all others do from 127.0.0.1. */
const ELSEWHERE = '192.0.2.1';

/** What ends the project or the organization, or is of the instance or of the caller itself. */
const ENDS_ALL =
  /^DELETE .*\/(?:workspace|projects|organizations?)\/\{\w+\}$|\/admin\/|rate-limit|\/users\/me|logout|\/leave$/;

/** The values of settings that shut most out, and leave in whoever chooses them. */
const NARROWEST: Readonly<Record<string, unknown>> = { ipAddress: '127.0.0.1', userTokenExpiration: '5m' };

let test: TestServer;
let world: World;
let samples: Sample[];
beforeAll(async () => {
  test = await testServer({ clock: 'standing', poolSize: 2 });
  world = await makeWorld(test, 'zshutz');
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  // Deletions come last.
  samples = operationsOf(appRouter)
    .filter(
      ({ meta, method, procedure }) =>
        typeof meta.needs === 'object' && procedure._def.type === 'mutation' && method !== 'GET',
    )
    .filter((operation) => !ENDS_ALL.test(nameOf(operation)))
    .map((operation) => new Sample(operation, document))
    .toSorted((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'));
}, PATIENCE);
afterAll(() => test.close());

/** What administrators of the organization and of its project call with. */
async function credentialsOfAdministrators(): Promise<Record<string, Record<string, string>>> {
  const { organizationId, has } = world;
  const { email, token } = await makeUser(test.coffer, { organizationId, role: 'admin' });
  const member = { usernames: [email], emails: [], roleSlugs: ['admin'] };
  await ok(world.machine('POST', `/api/v1/projects/${has.project}/memberships`, member));
  const places = { organizationId, organizationRole: 'admin', projectId: has.project, projectRole: 'admin' };
  return {
    'an API key': { 'x-api-key': (await makeKey(test, token, 30 * 86_400)).key },
    'a machine identity': { authorization: `Bearer ${(await makeIdentity(test.coffer, places)).token}` },
    'a session': { authorization: `Bearer ${token}` },
  };
}

/** An input as it is, and with the settings by which an operation could shut others out. */
function inputsOf(sample: Sample): Record<string, unknown>[] {
  const input = sample.input((thing) => world.has[thing]);
  const narrow = Object.fromEntries(Object.entries(NARROWEST).filter(([field]) => sample.fields.includes(field)));
  const flags = sample.fields.filter((field) => sample.schemaOf(field).type === 'boolean' && field !== 'dryRun');
  const withFlags = (value: boolean) => ({
    ...input,
    ...narrow,
    ...Object.fromEntries(flags.map((one) => [one, value])),
  });
  return flags.length > 0 ? [input, withFlags(true), withFlags(false)] : [{ ...input, ...narrow }];
}

describe('attack: somebody who holds all rights in an organization and a project but one', () => {
  it(
    'shuts no administrator out, by any operation',
    async () => {
      const administrators = await credentialsOfAdministrators();
      const url = `/api/v1/projects/${world.has.project}`;
      const shutOut = async () => {
        // Limits of tokens count from here on.
        test.advance(6 * 60_000);
        const found: string[] = [];
        for (const [what, headers] of Object.entries(administrators)) {
          const { statusCode } = await test.app.inject({ url, headers, remoteAddress: ELSEWHERE });
          if (statusCode !== 200) found.push(`${what}: ${statusCode}`);
        }
        return found;
      };
      expect(await shutOut()).toEqual([]);
      const members = await makeLimitedMembers(test, world, {
        slug: 'all-but-one',
        // With this one, it would enter the project as an administrator.
        organization: allBut(organizationSubjects, ['organization-admin-console']),
        projectId: world.has.project,
        project: allBut(projectSubjects, ['secret-rollback']),
      });
      let done = 0;
      for (const sample of samples)
        for (const input of inputsOf(sample)) {
          const { status } = await ask(callerOf(members, sample.operation), sample, input);
          if (status === 200) done++;
          const after = `${nameOf(sample.operation)} ${JSON.stringify(input)}`;
          expect({ after, shutOut: await shutOut() }).toEqual({ after, shutOut: [] });
        }
      expect(done).toBeGreaterThan(100);
    },
    PATIENCE,
  );
});
