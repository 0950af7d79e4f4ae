import { appRouter, exampleOf, openApiDocument, operationsOf, type OpenApiDocument } from '@coffer/api';
import { projectSubjects } from '@coffer/domain';
import { makeUser, runs, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { allBut, makeLimitedMembers } from '../harness/limited-members.ts';
import { ask, nameOf } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type World } from '../harness/matrix-world.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const PATIENCE = searchTime(300_000);
const ENVIRONMENTS = ['dev', 'staging', 'prod'];

let test: TestServer;
let world: World;
let document: OpenApiDocument;
/** They may do everything in the project but change its policies. */
let callers: Readonly<Record<'identity' | 'user' | 'service', Caller>>;

beforeAll(async () => {
  test = await testServer({ poolSize: 2 });
  document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  world = await makeWorld(test, 'zcoverz');
  const { organizationId, machine: admin } = world;
  const { project: projectId, changePolicy, tag } = world.has;
  await ok(admin('DELETE', `/api/v1/secret-approvals/${changePolicy}`));
  for (const environment of ENVIRONMENTS) {
    const here = { projectId, workspaceId: projectId, environment };
    await ok(admin('POST', '/api/v2/folders', { ...here, path: '/', name: 'app' }));
    for (const secretPath of ['/', '/app'])
      for (const key of ['A', 'B', 'GONE'])
        await ok(
          admin('POST', `/api/v4/secrets/${key}`, { ...here, secretPath, secretValue: secretPath, tagIds: [tag] }),
        );
    // What can be restored.
    await ok(admin('PATCH', '/api/v4/secrets/A', { ...here, secretPath: '/', secretValue: 'second' }));
    await ok(admin('DELETE', '/api/v4/secrets/GONE', { ...here, secretPath: '/' }));
  }
  const approver = await makeUser(test.coffer, { organizationId });
  const member = { usernames: [approver.email], emails: [], roleSlugs: ['admin'] };
  await ok(admin('POST', `/api/v1/projects/${projectId}/memberships`, member));
  const project = allBut(projectSubjects, ['secret-approval'], () => ['read']);
  const members = await makeLimitedMembers(test, world, { slug: 'covered', organization: [], projectId, project });
  const { serviceToken } = await ok(
    members.person('POST', '/api/v2/service-token', {
      ...{ name: 'covered', workspaceId: projectId, permissions: ['read', 'write'], expiresIn: null },
      scopes: ENVIRONMENTS.map((environment) => ({ environment, secretPath: '/**' })),
    }),
  );
  callers = { identity: members.machine, user: members.person, service: test.as(serviceToken) };
  const approvers = [{ type: 'user', id: approver.id }];
  for (const environment of ENVIRONMENTS)
    await ok(admin('POST', '/api/v1/secret-approvals', { workspaceId: projectId, environment, approvers }));
}, PATIENCE);
afterAll(() => test.close());

/** What ends the callers themselves, or the project. */
const ENDS =
  /^DELETE .*\/(?:workspace|projects|organizations?)\/\{\w+\}$|\/leave$|users\/me|logout|revoke|select-organization|password/;
const PLACES: readonly (readonly [environment: string, path: string, key: string])[] = [
  ['staging', '/app', 'A'],
  ['prod', '/', 'A'],
  ['dev', '/app', 'B'],
];

/** Things of the world with each optional field alone, and all of them; where there is a place, at others as well. */
function* inputsOf(sample: Sample): Generator<Record<string, unknown>> {
  const base = sample.input((thing) => world.has[thing]);
  const optional = sample.fields.filter((field) => !(field in base) && field !== 'dryRun');
  const filled = (fields: readonly string[]) => ({
    ...base,
    ...Object.fromEntries(fields.map((field) => [field, exampleOf(sample.schemaOf(field), document, field)])),
  });
  for (const fields of [[], ...optional.map((field) => [field]), optional]) {
    const input: Record<string, unknown> = filled(fields);
    yield input;
    if (!Object.keys(input).some((field) => /^(?:environment|environmentSlug|sourceEnvironment)$/.test(field)))
      continue;
    for (const [environment, path, key] of PLACES) {
      const elsewhere = Object.keys(input).flatMap((field): [string, string][] => {
        if (/^(?:environment|environmentSlug|sourceEnvironment)$/.test(field)) return [[field, environment]];
        if (/^(?:secretPath|path|sourceSecretPath)$/.test(field)) return [[field, path]];
        return field === 'secretName' ? [[field, key]] : [];
      });
      yield { ...input, ...Object.fromEntries(elsewhere) };
    }
  }
}

/** What readers get there, and by what it is covered: rows by table and ID. */
async function covered(): Promise<Map<string, string>> {
  const { rows } = await test.coffer.pool.query<{ id: string; text: string }>(
    `with places as materialized (
       select f.id, e.slug || f.path as place from folders f join environments e on e.id = f.environment_id
       where f.project_id = $1 and not f.is_reserved and e.slug = any($2))
     select 'secret ' || s.id as id, row(p.place, s.key, s.version, s.value, s.comment, s.tag_ids)::text as text
     from secrets s join places p on p.id = s.folder_id where s.user_id is null
     union all select 'import ' || i.id, row(p.place, i.import_environment_id, i.import_path, i.position, i.is_replication)::text
     from secret_imports i join places p on p.id = i.folder_id where not i.is_reserved
     union all select 'tag ' || id, slug from tags where id = $3
     union all select 'environment ' || id, slug from environments where project_id = $1 and slug = any($2)
     union all select 'policy ' || id, p::text from approval_policies p where project_id = $1
     union all select 'approver ' || a.id, a::text from approval_policy_approvers a join approval_policies p on p.id = a.policy_id
     where p.project_id = $1
     union all select 'exempt ' || identity_id, policy_id::text from approval_policy_exemptions x join approval_policies p on p.id = x.policy_id
     where p.project_id = $1`,
    [world.has.project, ENVIRONMENTS, world.has.tag],
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}

/** Folders that were there; new ones are empty. */
async function places(): Promise<Map<string, string>> {
  const { rows } = await test.coffer.pool.query<{ id: string; path: string }>(
    'select id, path from folders where project_id = $1 and not is_reserved',
    [world.has.project],
  );
  return new Map(rows.map(({ id, path }) => [`folder ${id}`, path]));
}

describe('attack: a project in which change policies cover everything', () => {
  it(
    'is changed by no operation, of any caller, with any of its fields',
    async () => {
      const samples = operationsOf(appRouter)
        .filter((one) => one.meta.needs !== 'public' && one.method !== 'GET' && !ENDS.test(nameOf(one)))
        .map((operation) => new Sample(operation, document))
        .toSorted((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'));
      const found: Record<string, unknown> = {};
      let [asked, requested, turn] = [0, 0, SEARCH_SEED];
      let [before, folders] = [await covered(), await places()];
      for (const sample of samples) {
        const name = nameOf(sample.operation);
        const kinds = sample.operation.meta.rest?.actors ?? ['identity', 'user'];
        const able = kinds.flatMap((kind) => callers[kind as keyof typeof callers] ?? []);
        let isAsked = false;
        for (const input of inputsOf(sample)) {
          const caller = able[turn % able.length];
          // The short form has a twentieth of the requests.
          if (turn++ % runs(20, 1) !== 0 || !caller) continue;
          isAsked = true;
          asked++;
          const { status, body } = await ask(caller, sample, input);
          if (status >= 500) found[name] = { status, body };
          if (status === 200 && body.approval) requested++;
        }
        if (!isAsked) continue;
        const [now, present] = [await covered(), await places()];
        for (const [id, text] of before) if (now.get(id) !== text) found[`${name} ${id}`] = { text, now: now.get(id) };
        for (const [id, text] of now) if (!before.has(id)) found[`${name} ${id}`] = { now: text };
        for (const [id, path] of folders)
          if (present.get(id) !== path) found[`${name} ${id}`] = { path, now: present.get(id) };
        [before, folders] = [now, present];
      }
      expect(asked).toBeGreaterThan(runs(100, 2_000));
      expect(requested).toBeGreaterThan(runs(0, 50));
      expect(found).toEqual({});
    },
    PATIENCE,
  );
});
