// @long: holds statements of many operations
import { appRouter, openApiDocument, operationsOf } from '@coffer/api';
import { organizationSubjects, projectSubjects, type Rule } from '@coffer/domain';
import { makeConnection, runs, sampleOf, SEARCH_SEED, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import {
  connectionOfAll,
  HIDDEN_SUBJECTS,
  isAbout,
  namingsOf,
  roleFields,
  type Naming,
} from '../harness/hidden-subjects.ts';
import { allBut, callerOf, makeLimitedMembers, type LimitedMembers } from '../harness/limited-members.ts';
import { ask, comparable, fingerprintsOf, nameOf, unknownLike } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, makeWorldBeside, type Thing, type World } from '../harness/matrix-world.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const PATIENCE = searchTime(300_000);
/** Begins the names in one project, and of what belongs to nobody. */
const HIDDEN = 'mhiddenm';
/** As long, and the name of nothing. */
const ABSENT = 'mabsentm';
/** Begins the names in rules. */
const RULED = 'qruleq';

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
let hidden: World;
let own: World;
let samples: Sample[];
beforeAll(async () => {
  test = await testServer({ poolSize: 2 });
  hidden = await makeWorld(test, HIDDEN);
  own = await makeWorldBeside(test, hidden, 'zownz');
  const { organizationId } = hidden;
  await makeConnection(test.coffer, { organizationId, app: 'github', name: connectionOfAll(HIDDEN) });
  const document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  // Deletions come last.
  samples = operationsOf(appRouter)
    .filter(({ meta }) => meta.needs !== 'public')
    .map((operation) => new Sample(operation, document))
    .toSorted((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'));
}, PATIENCE);
afterAll(() => test.close());

/** Administrators of the own project, with these rights in the organization. */
const administrators = (slug: string, organization: readonly Rule[]): Promise<LimitedMembers> =>
  makeLimitedMembers(test, hidden, {
    slug,
    organization,
    projectId: own.has.project,
    project: allBut(projectSubjects, []),
  });

/** Who may read these is shown what they may do, and so the rules of their roles. */
const HOLDERS = ['groups', 'identity', 'member'];

/** The same with all rights in the organization but those to a subject. */
function administratorsWithout(subject: string, of: string): Promise<LimitedMembers> {
  const without = [subject, 'organization-admin-console', ...(subject === 'role' ? HOLDERS : [])];
  return administrators(`${of}-without-${subject}`, allBut(organizationSubjects, without));
}

/** Whoever adds somebody, or gives a role, names them: it works. */
const GIVES = /\/memberships|\/identity-memberships|\/groups\/|invite-org/;

async function problemOfNaming(members: LimitedMembers, { sample, field, ...named }: Naming): Promise<unknown> {
  const base: Record<string, unknown> = { ...sample.input((thing) => own.has[thing]), dryRun: true };
  const answerTo = async (value: unknown) => {
    const input = { ...base, [field]: Array.isArray(base[field]) ? [value].flat() : value };
    const answer = await ask(callerOf(members, sample.operation), sample, input);
    return { status: answer.status, text: comparable(answer, { [field]: value }).replaceAll(ABSENT, HIDDEN) };
  };
  const absent = await answerTo(named.absent);
  const found = await answerTo(named.hidden);
  const isSame = absent.status < 300 ? found.status < 300 : found.text === absent.text;
  return isSame || (found.status < 300 && GIVES.test(sample.operation.url)) ? undefined : { found, absent };
}

/** One's own things with another one in a field. */
function inputWith(sample: Sample, field: string, value: string): Record<string, unknown> | undefined {
  const input = sample.input((thing) => own.has[thing]);
  return field in input ? { ...input, [field]: Array.isArray(input[field]) ? [value] : value } : undefined;
}

async function problemOf(members: LimitedMembers, sample: Sample, field: string, thing: Thing): Promise<unknown> {
  const absent = inputWith(sample, field, unknownLike(hidden, HIDDEN, thing));
  const foreign = inputWith(sample, field, hidden.has[thing]);
  if (!absent || !foreign) return undefined;
  const caller = callerOf(members, sample.operation);
  const expected = await ask(caller, sample, absent);
  const answer = await ask(caller, sample, foreign);
  const got = comparable(answer, foreign);
  if (got.includes(HIDDEN)) return `it shows what is of another project: ${got}`;
  // Where something unknown is taken, too, the field decides nothing.
  const isSame = expected.status < 300 || got === comparable(expected, absent);
  return isSame ? undefined : { foreign: got, absent: comparable(expected, absent) };
}

/** Writes names into the rules of all roles and privileges of a world. */
async function writeRules({ machine: admin, has }: World): Promise<void> {
  const at = `/api/v1/projects/${has.project}`;
  const names = { secretName: { $in: [`${RULED}-name`] }, secretTags: { $in: [`${RULED}-tag`] } };
  const conditions = { environment: 'dev', secretPath: `/${RULED}`, ...names };
  const permissions = [{ subject: 'secrets', action: ['describeSecret', 'readValue'], conditions }];
  const ofConnections = { subject: 'app-connections', action: ['connect'], conditions: { connectionId: RULED } };
  const roles = [{ role: has.projectRoleSlug, isTemporary: false }];
  const change = (url: string, body: object) => ok(admin('PATCH', url, body));
  await change(`${at}/roles/${has.projectRole}`, { permissions });
  await change(`/api/v2/identity-project-additional-privilege/${has.identityPrivilege}`, { permissions });
  await change(`/api/v1/user-project-additional-privilege/${has.userPrivilege}`, { permissions });
  await change(`${at}/memberships/groups/${has.group}`, { roles });
  await change(`${at}/memberships/identities/${has.identity}`, { roles });
  await change(`${at}/memberships/${has.projectMembership}`, { roles });
  await change(`/api/v1/organization/roles/${has.organizationRole}`, { permissions: [ofConnections] });
  await change(`/api/v1/groups/${has.group}`, { role: has.organizationRoleSlug });
}

const IDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Reads what some actors have newly done, by their own events that belong to no project: those they see themselves. */
function ownEvents(actorIds: readonly string[]): () => Promise<string> {
  const known = new Set<string>();
  return async () => {
    // What is counted within a minute is written.
    await test.coffer.refusals.sweep(true);
    const { rows } = await test.coffer.pool.query<{ id: string; text: string }>(
      `select id::text, published || ' ' || data::text as text from audit_events
       where organization_id = $1 and actor_id = any($2::uuid[]) and project_id is null order by id`,
      [hidden.organizationId, actorIds],
    );
    const newer = rows.filter(({ id }) => !known.has(id));
    for (const { id } of newer) known.add(id);
    return newer
      .map(({ text }) => text.replaceAll(IDS, '<id>').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'))
      .join('\n');
  };
}

/** What gives rights or takes them is planned by a dry run, but how an identity logs in. */
const concernsRights = ({ fields, operation: { method, url } }: Sample): boolean =>
  method !== 'GET' && (fields.includes('dryRun') || /\/auth\/.*identities/.test(url));

/** What is about the caller itself, or tells how often it asked. */
const ABOUT_CALLER = /sessions|audit-logs|\/users\/me/;
const SEARCHES = /\/(?:identities|projects|workspace)\/search/;
/** What everything of the owner goes with, and what all members are shown. */
const CHANGES_ALL = /organizations?\/\{\w+\}$|users\/me|logout|password|\/admin\/|rate-limit/;

/** What members are answered about what is theirs: whole lists, and the second page where each has one row. */
async function answersTo(members: LimitedMembers, reads: readonly Sample[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const sample of reads) {
    const mine = sample.input((thing) => own.has[thing]);
    const isPaged = ['offset', 'limit'].every((field) => sample.fields.includes(field));
    for (const page of isPaged ? [{}, { offset: 1, limit: 1 }] : [{}]) {
      const answer = await ask(callerOf(members, sample.operation), sample, { ...mine, ...page });
      if (answer.status === 200)
        answers.set(`${nameOf(sample.operation)} ${JSON.stringify(page)}`, comparable(answer, {}));
    }
  }
  return answers;
}

describe('attack: a member of an organization', () => {
  it(
    'who may not read something there finds out about no name or ID of it',
    async () => {
      const found: Record<string, unknown> = {};
      let asked = 0;
      for (const subject of Object.keys(HIDDEN_SUBJECTS)) {
        const members = await administratorsWithout(subject, 'names');
        const namings = namingsOf(samples, subject, { world: hidden, hidden: HIDDEN, absent: ABSENT });
        for (const naming of sampleOf(namings, 12)) {
          asked++;
          const problem = await problemOfNaming(members, naming);
          if (problem !== undefined) found[`${subject} ${nameOf(naming.sample.operation)} ${naming.field}`] = problem;
        }
      }
      expect(asked).toBeGreaterThan(runs(10, 200));
      expect(found).toEqual({});
    },
    PATIENCE,
  );

  it(
    'who may read neither machine identities nor leases of their project finds out about none, by no answer and by no event of their own',
    async () => {
      const { machine: admin, organizationId } = hidden;
      const { project } = hidden.has;
      const { identity } = await ok(
        admin('POST', `/api/v1/projects/${project}/identities`, { name: `${HIDDEN} owned` }),
      );
      const [universal, token] = ['universal-auth', 'token-auth'].map(
        (kind) => `/api/v1/auth/${kind}/identities/${identity.id}`,
      );
      await ok(admin('POST', universal!, {}));
      await ok(admin('POST', token!, {}));
      const { clientSecretData } = await ok(admin('POST', `${universal}/client-secrets`, {}));
      const { tokenData } = await ok(admin('POST', `${token}/tokens`, {}));
      const owned = { identity: identity.id, clientSecret: clientSecretData.id, accessToken: tokenData.id };
      const has: World['has'] = { ...hidden.has, ...owned };
      const named: ReadonlySet<Thing> = new Set(['identity', 'clientSecret', 'accessToken', 'lease'] as const);
      const rest = [{ subject: 'secrets', action: ['describeSecret'] }];
      const blind: Readonly<Record<string, readonly Rule[]>> = {
        'blind-there': [{ subject: 'audit-logs', action: ['read'] }],
        'blind-here': allBut(organizationSubjects, ['organization-admin-console']),
      };
      for (const [slug, organization] of Object.entries(blind)) {
        const members = await makeLimitedMembers(test, hidden, {
          slug,
          organization,
          projectId: project,
          project: rest,
        });
        const { rows } = await test.coffer.pool.query<{ id: string }>(
          `select m.actor_id as id from memberships m join membership_roles r on r.membership_id = m.id
           join roles c on c.id = r.custom_role_id where m.organization_id = $1 and m.project_id is null and c.slug = $2`,
          [organizationId, slug],
        );
        const newEvents = ownEvents(rows.map(({ id }) => id));
        const found: Record<string, unknown> = {};
        let asked = 0;
        for (const sample of samples)
          for (const [field, thing] of sample.things) {
            const input = sample.input((one) => has[one]);
            // Who may add somebody can try whom there is (docs/security.md).
            if (!named.has(thing) || !(field in input) || GIVES.test(sample.operation.url)) continue;
            asked++;
            const answerTo = async (value: string) => {
              const given = { ...input, [field]: Array.isArray(input[field]) ? [value] : value };
              const answer = await ask(callerOf(members, sample.operation), sample, given);
              return { text: comparable(answer, given), events: await newEvents() };
            };
            await newEvents();
            const nothing = await answerTo(unknownLike(hidden, HIDDEN, thing));
            const theirs = await answerTo(has[thing]);
            if (JSON.stringify(theirs) !== JSON.stringify(nothing))
              found[`${slug} ${nameOf(sample.operation)} ${field}`] = { theirs, nothing };
          }
        expect(asked).toBeGreaterThan(50);
        expect(found).toEqual({});
      }
    },
    PATIENCE,
  );

  it(
    'who administers one project reaches nothing of another by a request in which one thing is of it',
    async () => {
      const members = await administrators('of-one-project', []);
      const rows = () => fingerprintsOf(test, 'project_id', hidden.has.project);
      const before = await rows();
      const found: Record<string, unknown> = {};
      let asked = 0;
      // The short form has a third of the fields.
      let turn = SEARCH_SEED;
      for (const sample of samples) {
        for (const [field, thing] of sample.things) {
          const name = `${nameOf(sample.operation)} ${field}`;
          if (NOT_OF_PROJECTS.has(thing) || name === CHOSEN || turn++ % runs(3, 1) !== 0) continue;
          asked++;
          const problem = await problemOf(members, sample, field, thing);
          if (problem !== undefined) found[name] = problem;
        }
      }
      expect(asked).toBeGreaterThan(200);
      expect(found).toEqual({});
      expect(await rows()).toEqual(before);
    },
    PATIENCE,
  );

  it(
    'who may not read the rules of others is told nothing that they contain, by any refusal',
    async () => {
      await writeRules(hidden);
      const blind = (subjects: Parameters<typeof allBut>[0]) =>
        allBut(subjects, ['role', ...HOLDERS], (actions) => actions.filter((action) => action !== 'read')).filter(
          ({ subject }) => !['secrets', 'app-connections', 'organization-admin-console'].includes(subject),
        );
      const members = await makeLimitedMembers(test, hidden, {
        slug: 'blind',
        organization: blind(organizationSubjects),
        projectId: hidden.has.project,
        project: blind(projectSubjects),
      });
      const found: Record<string, unknown> = {};
      let refused = 0;
      for (const sample of sampleOf(samples.filter(concernsRights), 4)) {
        const input = {
          ...sample.input((thing) => hidden.has[thing]),
          ...roleFields(sample, hidden.has),
          dryRun: true,
        };
        const { status, body } = await ask(callerOf(members, sample.operation), sample, input);
        if (body.error === 'PermissionBoundaryError') refused++;
        const text = JSON.stringify(body);
        if (text.includes(RULED)) found[nameOf(sample.operation)] = { status, text };
      }
      expect(refused).toBeGreaterThan(runs(2, 40));
      expect(found).toEqual({});
    },
    PATIENCE,
  );

  it('who may read the rules of all identities but one is told nothing of those of this one', async () => {
    const { id: projectId } = await test.project();
    const { id: identityId } = await test.identity({ projectId });
    const rule = {
      subject: 'secrets',
      action: ['readValue'],
      conditions: { environment: 'prod', secretPath: `/${RULED}` },
    };
    const privilege = { projectId, identityId, slug: 'hidden', permissions: [rule], type: { isTemporary: false } };
    await ok(test.admin('POST', '/api/v2/identity-project-additional-privilege', privilege));
    const reads = ['role', 'member'].map((subject) => ({ subject, action: ['read'] }));
    const identities = { subject: 'identity', action: ['read', 'edit', 'delete'] };
    const denied = { subject: 'identity', action: ['read'], inverted: true, conditions: { identityId } };
    for (const [rules, isTold] of [
      [[...reads, identities], true],
      [[...reads, identities, denied], false],
    ] as const) {
      const { call } = await test.identity({ projectId, rules: [...rules] });
      const { status, body } = await call(
        'DELETE',
        `/api/v1/projects/${projectId}/memberships/identities/${identityId}`,
      );
      expect([status, body.error]).toEqual([403, 'PermissionBoundaryError']);
      expect(JSON.stringify(body).includes(RULED)).toBe(isTold);
    }
  });

  it(
    'is answered the same, whatever happens to what they may not read',
    async () => {
      const reads = samples.filter(
        ({ operation: { method, url } }) => (method === 'GET' || SEARCHES.test(url)) && !ABOUT_CALLER.test(url),
      );
      const found: Record<string, unknown> = {};
      for (const subject of sampleOf(Object.keys(HIDDEN_SUBJECTS), 8)) {
        const members = await administratorsWithout(subject, 'reads');
        let before = await answersTo(members, reads);
        expect(before.size).toBeGreaterThan(80);
        const seen = reads.filter(({ operation }) => before.has(`${nameOf(operation)} {}`));
        const writes = samples.filter(
          ({ operation: { method, url } }) =>
            method !== 'GET' && isAbout(subject, url) && !CHANGES_ALL.test(url) && !SEARCHES.test(url),
        );
        const ofOwner = writes.length > 100 ? sampleOf(writes, 4) : writes;
        const portion = Math.ceil(ofOwner.length / runs(1, 12));
        let names: string[] = [];
        for (const [turn, sample] of ofOwner.entries()) {
          const input = sample.input((thing) => hidden.has[thing]);
          const { status } = await ask(callerOf(hidden, sample.operation), sample, input);
          names.push(`${nameOf(sample.operation)} ${status}`);
          if ((turn + 1) % portion !== 0 && turn + 1 < ofOwner.length) continue;
          const now = await answersTo(members, seen);
          for (const [name, text] of before)
            if (now.get(name) !== text)
              found[`${subject} ${name}`] = { before: text, now: now.get(name), after: names };
          [before, names] = [now, []];
        }
      }
      expect(found).toEqual({});
    },
    PATIENCE,
  );
});
