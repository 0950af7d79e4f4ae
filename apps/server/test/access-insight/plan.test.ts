import { setImmediate } from 'node:timers/promises';
import { appRouter, operationsOf } from '@coffer/api';
import type { PlannedChange, Rule } from '@coffer/domain';
import fc from 'fast-check';
import { runs, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityUrl, ok, projectUrl, userUrl, type Method, type Ref } from '../harness/groups.ts';
import { Holders } from '../harness/holders.ts';
import { asking, EverybodysRights, foretold, mayBeForetold, type Question } from '../harness/rights.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const HOUR = 3_600_000;
const LONG = searchTime(300_000);

let test: TestServer;
const holders = new Holders(() => test);
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const on = (...action: string[]): Rule => ({ subject: 'secrets', action });
const at = (rule: Rule, conditions: Record<string, unknown>): Rule => ({ ...rule, conditions });
const not = (rule: Rule): Rule => ({ ...rule, inverted: true });
const read = (subject: string): Rule => ({ subject, action: ['read'] });

const roleUrl = (project: Ref, rest = '') => `/api/v1/projects/${project.id}/roles${rest}`;
const machineUrl = (project: Ref, one: Ref) => `/api/v1/projects/${project.id}/memberships/identities/${one.id}`;
const PRIVILEGES = '/api/v2/identity-project-additional-privilege';

const withoutId = ({ status, body }: Answer) => ({ status, body: { ...body, reqId: '' } });
/** The rows of a plan, in short. */
const rows = (changes: readonly PlannedChange[]) =>
  changes.map((one) => {
    const place = [one.environment, one.secretPath, one.secretName].filter((part) => part !== null).join(' ');
    return `${one.change} ${one.subject} ${one.actions.join()}${place && ` at ${place}`}`;
  });

/** Every row of every table, except for logs of requests and counters of uses. */
async function everything(): Promise<Record<string, string>> {
  const { pool, usage } = test.coffer;
  await usage.flush();
  const { rows: tables } = await pool.query<{ table: string }>(
    `select format('%I.%I', table_schema, table_name) as table from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')
       and table_name !~ '^(audit_|identity_access_tokens$)' order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { table } of tables) {
    const { rows: sums } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${table} t`,
    );
    found[table] = sums[0]!.sum;
  }
  return found;
}
const events = async () => {
  const { rows: found } = await test.coffer.pool.query<{ type: string; count: string }>(
    'select type, count(*) from audit_events group by type order by type',
  );
  return Object.fromEntries(found.map(({ type, count }) => [type, Number(count)]));
};

describe('a plan', () => {
  it('returns who would gain and lose what, and where, and changes nothing', async () => {
    const project = await test.project();
    await holders.secret(project, 'prod', '/app', 'DB_URL', ['red']);
    await holders.secret(project, 'prod', '/app', 'OTHER');
    const slug = await holders.projectRole(project, on('readValue'));
    const { role } = await ok(test.admin('GET', roleUrl(project, `/slug/${slug}`)));
    const person = await holders.personIn(project, slug);
    const [before, known] = [await everything(), await events()];
    const permissions = [
      at(on('describeSecret', 'create'), { environment: 'prod', secretName: { $glob: 'DB_*' } }),
      at({ subject: 'secret-folders', action: 'read' }, { environment: 'dev' }),
      { subject: 'tags', action: ['read', 'create'] },
    ];
    const { plan } = await ok(test.admin('PATCH', roleUrl(project, `/${role.id}`), { permissions, dryRun: true }));
    const name = person.username;
    const change = {
      actor: { type: 'user', id: person.id, name: 'Ann Lee', username: name },
      projectId: project.id,
      projectName: expect.stringMatching(/^project-/),
      environment: null,
      secretPath: null,
      secretName: null,
      conditions: null,
      from: null,
      until: null,
    };
    const gained = { ...change, change: 'gained', subject: 'secrets', environment: 'prod' };
    const conditions = { secretName: { $glob: 'DB_*' } };
    expect(plan).toEqual({
      operation: 'projectRoles.update',
      changes: [
        { ...change, change: 'lost', subject: 'secrets', actions: ['readValue'] },
        { ...gained, secretPath: '/', actions: ['create'], conditions },
        { ...gained, secretPath: '/app', actions: ['create'], conditions },
        { ...change, change: 'gained', subject: 'secret-folders', actions: ['read'], environment: 'dev' },
        { ...change, change: 'gained', subject: 'tags', actions: ['read', 'create'] },
        { ...gained, secretPath: '/app', secretName: 'DB_URL', actions: ['describeSecret'] },
      ],
      count: 7,
      hidden: { actors: 0, changes: 0 },
      isTruncated: false,
      isPartial: false,
    });
    expect(await everything()).toEqual(before);
    expect(await events()).toEqual({
      ...known,
      'access.change_planned': (known['access.change_planned'] ?? 0) + 1,
    });
    expect((await ok(test.admin('GET', roleUrl(project, `/slug/${slug}`)))).role).toEqual(role);
  });

  it('is requested in the body, in the query or over tRPC, and an invalid flag never executes the operation', async () => {
    const project = await test.project();
    const slug = await holders.projectRole(project);
    const { role } = await ok(test.admin('GET', roleUrl(project, `/slug/${slug}`)));
    const url = roleUrl(project, `/${role.id}`);
    const body = { name: 'Other' };
    for (const [rest, more] of [
      ['', { dryRun: true }],
      ['', { dryRun: 'true' }],
      ['?dryRun=true', {}],
      ['?dryRun=true', { dryRun: false }],
      ['?dryRun=false', { dryRun: true }],
    ] as const)
      expect((await ok(test.admin('PATCH', url + rest, { ...body, ...more }))).plan.changes).toEqual([]);
    for (const word of ['yes', '', 1, 0, null, [], [true], {}])
      expect([word, (await test.admin('PATCH', url, { ...body, dryRun: word })).status]).toEqual([word, 422]);
    expect((await test.admin('PATCH', `${url}?dryRun`, body)).status).toBe(422);
    expect((await test.admin('PATCH', `${url}?dryRun=true&dryRun=false`, body)).status).toBe(422);
    expect((await test.admin('DELETE', `${url}?dryRun=true`)).body.plan.changes).toEqual([]);
    const call = (name: string, input: object) => test.admin('POST', `/api/trpc/${name}`, input);
    const input = { projectId: project.id, roleId: role.id, ...body };
    const planned = await ok(call('access.plan', { operation: 'projectRoles.update', input }));
    expect(planned.result.data).toMatchObject({ operation: 'projectRoles.update', changes: [] });
    const typed = await call('projectRoles.update', { ...input, dryRun: true });
    expect([typed.status, typed.body.error.data.reason]).toEqual([400, 'plan.typed']);
    expect((await call('access.plan', { operation: 'projectRoles.nothing' })).status).toBe(404);
    const unplannable = await call('access.plan', { operation: 'tags.create', input: {} });
    expect([unplannable.status, unplannable.body.error.data.reason]).toEqual([400, 'plan.unavailable']);
    const batch = await test.admin('POST', '/api/trpc/projectRoles.update,projectRoles.update?batch=1', {
      0: { ...input, dryRun: true },
      1: { ...input, dryRun: 'false', name: 'Carried out' },
    });
    expect(batch.body.map((one: { error?: unknown }) => one.error === undefined)).toEqual([false, true]);
    const kept = (await ok(test.admin('GET', roleUrl(project, `/slug/${slug}`)))).role;
    expect([kept.name, kept.version]).toEqual(['Carried out', role.version + 1]);
    expect((await ok(test.admin('PATCH', url, { ...body, dryRun: false }))).role.name).toBe('Other');
  });

  it('is refused for every other operation, which is not carried out instead', async () => {
    const project = await test.project();
    const before = await everything();
    const others = operationsOf(appRouter).filter(({ meta }) => !meta.rest?.plannable);
    expect(others.length).toBeGreaterThan(100);
    const wrong: Record<string, unknown> = {};
    for (const { method, url, meta } of others) {
      const actors = meta.rest?.actors;
      if (actors && !actors.includes('identity')) continue;
      const path = url.replaceAll(/\{(.+?)\}/g, (_, name: string) => (name === 'projectId' ? project.id : NOWHERE));
      const asked = [await test.admin(method, `${path}?dryRun=true`, method === 'GET' ? undefined : {})];
      if (method !== 'GET') asked.push(await test.admin(method, path, { dryRun: true }));
      if (meta.rest?.form) {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await test.app.inject({ method, url: path, headers, payload: 'dryRun=true' });
        asked.push({ status: answer.statusCode, body: answer.json(), headers: {} });
      }
      if (asked.some(({ status, body }) => status !== 400 || body.details?.operation === undefined))
        wrong[`${method} ${url}`] = asked.map(withoutId);
    }
    expect(wrong).toEqual({});
    const item = { secretKey: 'K', secretValue: 'v', dryRun: true };
    const nested = await test.admin('POST', '/api/v4/secrets/batch', {
      projectId: project.id,
      environment: 'dev',
      secretPath: '/',
      secrets: [item],
    });
    expect([nested.status, nested.body.message]).toEqual([400, expect.stringContaining('nothing was changed')]);
    expect(await everything()).toEqual(before);
  });

  it('is refused as the change itself is', async () => {
    const project = await test.project();
    const slug = await holders.projectRole(project);
    const { role } = await ok(test.admin('GET', roleUrl(project, `/slug/${slug}`)));
    const url = roleUrl(project, `/${role.id}`);
    const [reader, editor] = await Promise.all(
      [['read'], ['read', 'edit', 'create']].map((action) =>
        test.identity({ projectId: project.id, rules: [{ subject: 'role', action }] }),
      ),
    );
    const foreign = await test.foreign();
    const attempts: [string, typeof test.admin, Method, string, object][] = [
      ['no token', test.as(), 'PATCH', url, {}],
      ['no right', reader!.call, 'PATCH', url, { name: 'x' }],
      ['another organization', foreign.call, 'PATCH', url, { name: 'x' }],
      ['an unknown role', test.admin, 'PATCH', roleUrl(project, `/${NOWHERE}`), { name: 'x' }],
      ['more than the caller holds', editor!.call, 'PATCH', url, { permissions: [on('readValue')] }],
      ['a slug that is taken', test.admin, 'POST', roleUrl(project), { name: 'x', slug, permissions: [] }],
      ['a wrong input', test.admin, 'PATCH', url, { permissions: [{ subject: 'x', action: 'y' }] }],
      ['a built-in role', test.admin, 'PATCH', roleUrl(project, '/admin'), { name: 'x' }],
    ];
    for (const [what, caller, method, path, body] of attempts) {
      const [planned, done] = [await caller(method, path, { ...body, dryRun: true }), await caller(method, path, body)];
      expect([what, planned.status >= 400]).toEqual([what, true]);
      expect([what, withoutId(planned)]).toEqual([what, withoutId(done)]);
    }
  });

  it('reports temporary rights that begin and end later', async () => {
    const project = await test.project();
    const machine = await test.identity({ projectId: project.id, rules: [on('describeSecret')] });
    const start = new Date(test.coffer.now().getTime() + HOUR).toISOString();
    const window = { temporaryMode: 'relative', temporaryRange: '2h', temporaryAccessStartTime: start };
    const { plan } = await ok(
      test.admin('POST', PRIVILEGES, {
        projectId: project.id,
        identityId: machine.id,
        permissions: [on('edit'), not(on('describeSecret'))],
        type: { isTemporary: true, ...window },
        dryRun: true,
      }),
    );
    const end = new Date(Date.parse(start) + 2 * HOUR).toISOString();
    expect(rows(plan.changes)).toEqual(['lost secrets describeSecret', 'gained secrets edit']);
    expect(plan.changes.map(({ from, until }: PlannedChange) => [from, until])).toEqual([
      [start, end],
      [start, end],
    ]);
  });

  it('names no actor that it would only create, and no actor and no place that the caller may not see', async () => {
    const project = await test.project();
    await holders.secret(project, 'prod', '/app', 'DB_URL');
    const made = await ok(
      test.admin('POST', '/api/v1/identities?dryRun=true', {
        name: 'new one',
        organizationId: test.organizationId,
        role: 'member',
      }),
    );
    expect(made.plan.changes[0].actor).toEqual({ type: 'identity', id: null, name: 'new one', username: null });

    const slug = await holders.projectRole(project);
    const { role } = await ok(test.admin('GET', roleUrl(project, `/slug/${slug}`)));
    await holders.personIn(project, slug);
    const held = at(on('readValue'), { environment: 'prod', secretPath: '/app' });
    const editor = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'role', action: ['edit'] }, held],
    });
    const body = { permissions: [held], dryRun: true };
    const blind = await ok(editor.call('PATCH', roleUrl(project, `/${role.id}`), body));
    expect(blind.plan).toMatchObject({ changes: [], count: 0, hidden: { actors: 1, changes: 1 } });
    const seeing = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'role', action: ['edit'] }, { subject: 'member', action: ['read'] }, held],
    });
    const seen = await ok(seeing.call('PATCH', roleUrl(project, `/${role.id}`), body));
    expect(rows(seen.plan.changes)).toEqual(['gained secrets readValue at prod /app']);
    const byName = at(on('readValue'), { environment: 'prod', secretPath: '/app', secretName: 'DB_URL' });
    const named = await ok(
      seeing.call('PATCH', roleUrl(project, `/${role.id}`), { permissions: [byName], dryRun: true }),
    );
    expect(named.plan).toMatchObject({ changes: [], hidden: { actors: 1, changes: 1 } });

    // A group has members in projects whose administrators need not be members.
    const group = await holders.make();
    await holders.letInto(project, group, { role: 'viewer' });
    const person = await holders.person();
    const rights = ['groups', 'member'].map((subject): Rule => ({
      subject,
      action: subject === 'groups' ? ['read', 'add-members', 'remove-members'] : ['read'],
    }));
    const keeper = await holders.holder(...rights, {
      subject: 'organization-admin-console',
      action: ['access-all-projects'],
    });
    const joined = await ok(keeper.call('POST', `${userUrl(group, person)}?dryRun=true`));
    expect(joined.plan.changes).toEqual([]);
    expect(joined.plan.hidden.actors).toBe(1);
    expect(joined.plan.hidden.changes).toBeGreaterThan(30);
    const byAdmin = await ok(test.admin('POST', `${userUrl(group, person)}?dryRun=true`));
    expect(new Set(byAdmin.plan.changes.map(({ projectId }: PlannedChange) => projectId))).toEqual(
      new Set([project.id]),
    );
  });

  it('does not disclose, not even by a number, what exists at places that the caller may not see', async () => {
    const project = await test.project();
    await holders.secret(project, 'prod', '/app', 'DB_URL', ['red']);
    await holders.personIn(project, await holders.projectRole(project, on('readValue'), read('secret-folders')));
    const watching = await holders.projectRole(project);
    const person = await holders.personIn(project, await holders.projectRole(project, on('readValue')), watching);
    const { role } = await ok(test.admin('GET', roleUrl(project, `/slug/${watching}`)));
    const edit = { subject: 'role', action: ['edit'] };
    const blind = await test.identity({ projectId: project.id, rules: [edit, read('member')] });
    const inDev = (rule: Rule) => at(rule, { environment: 'dev' });
    const rules = [edit, read('member'), inDev(read('secret-folders')), inDev(on('readValue'))];
    const nearby = await test.identity({ projectId: project.id, rules });
    const ask = ({ call }: typeof blind, conditions: Record<string, unknown>) => {
      const permissions = [not(at(on('readValue'), conditions))];
      return call('PATCH', roleUrl(project, `/${role.id}`), { permissions, dryRun: true });
    };
    const there: Record<string, unknown>[] = [
      { secretName: 'DB_URL' },
      { secretName: { $glob: 'D*' } },
      { secretPath: '/app' },
      { environment: 'prod', secretPath: { $glob: '/a*' } },
      { secretTags: { $in: ['red'] } },
    ];
    const nowhere: Record<string, unknown>[] = [
      { secretName: 'X' },
      { secretName: { $glob: 'X*' } },
      { secretPath: '/other' },
      { environment: 'prod', secretPath: { $glob: '/x*' } },
      { secretTags: { $in: ['blue'] } },
    ];
    // A caller without a permission may not forbid it, and so not plan that either.
    for (const caller of [blind, nearby]) {
      for (const [index, conditions] of there.entries()) {
        const [is, isNot] = [await ask(caller, conditions), await ask(caller, nowhere[index]!)];
        expect(is).toMatchObject({ status: 403, body: { error: 'PermissionBoundaryError' } });
        expect({ ...is.body, reqId: '', details: '' }).toEqual({ ...isNot.body, reqId: '', details: '' });
      }
    }
    // If the caller sees everything, nothing is hidden.
    const dev = (await ok(ask(nearby, { environment: 'dev', secretPath: '/' }))).plan;
    expect(rows(dev.changes)).toEqual(['lost secrets readValue at dev /']);
    expect([dev.hidden, dev.changes[0].actor.id]).toEqual([{ actors: 0, changes: 0 }, person.id]);
  });

  it('does not disclose the content of roles to callers who may not read them', async () => {
    const project = await test.project();
    const rules = [at(on('create'), { secretName: 'NUCLEAR_KEY' }), at(read('identity'), { identityId: NOWHERE })];
    const person = await holders.personIn(project, await holders.projectRole(project, ...rules));
    const remove = { subject: 'member', action: ['read', 'delete'] };
    const url = `/api/v1/projects/${project.id}/memberships/${person.membershipId}?dryRun=true`;
    const planned = async (...more: Rule[]) => {
      const held = [remove, on('create'), read('identity'), read('secret-folders'), ...more];
      const { call } = await test.identity({ projectId: project.id, rules: held });
      return (await ok(call('DELETE', url))).plan;
    };
    const blind = await planned();
    expect(blind).toMatchObject({ changes: [], count: 0, hidden: { actors: 1, changes: 4 } });
    expect(JSON.stringify(blind)).not.toMatch(/NUCLEAR_KEY|0000/);
    const seeing = await planned(read('role'));
    expect(rows(seeing.changes)).toContain('lost secrets create at prod /');
    expect(seeing).toMatchObject({ count: 4, hidden: { actors: 0, changes: 0 } });
  });
});

const TAGS = ['red', 'blue'];
const NAMES = ['KEY', 'DB_URL', 'a.b'];
const PLACES = [
  ['dev', '/'],
  ['dev', '/app'],
  ['prod', '/app'],
  ['prod', '/app/db'],
] as const;

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const condition = (texts: readonly string[], globs: readonly string[]) =>
  fc.oneof(
    oneOf(...texts),
    oneOf(...texts).map(($ne) => ({ $ne })),
    fc.subarray([...texts], { minLength: 1 }).map(($in) => ({ $in })),
    oneOf(...globs).map(($glob) => ({ $glob })),
  );
const place = {
  environment: condition(['dev', 'prod'], ['*', 'd*']),
  secretPath: condition(['/', '/app', '/app/db'], ['/**', '/*', '/app/**']),
};
const inverted = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const conditions = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(fc.constant(undefined), fc.record(shape, { requiredKeys: [] }));
const projectRule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({
    subject: fc.constant('secrets'),
    action: fc.subarray(['describeSecret', 'readValue', 'create', 'edit', 'delete'], { minLength: 1 }),
    conditions: conditions({
      ...place,
      secretName: fc.oneof(condition(NAMES, ['*', 'D*', '?.?']), oneOf('{{identity.metadata.team}}')),
      secretTags: fc.subarray(TAGS, { minLength: 1 }).map(($in) => ({ $in })),
    }),
    inverted,
  }),
  fc.record({
    subject: oneOf('secret-folders', 'secret-imports'),
    action: fc.subarray(['read', 'create'], { minLength: 1 }),
    conditions: conditions(place),
    inverted,
  }),
  fc.record({ subject: oneOf('tags', 'member'), action: fc.constant<string[]>(['read']), inverted }),
);
const organizationRule: fc.Arbitrary<Rule> = fc.record({
  subject: oneOf('member', 'identity', 'groups'),
  action: fc.subarray(['read', 'create', 'edit'], { minLength: 1 }),
  inverted,
});
const projectRules = fc.array(projectRule, { maxLength: 4 });
const organizationRules = fc.array(organizationRule, { maxLength: 3 });

describe('plans', () => {
  it('foretell exactly what the changes then do to anybody', { timeout: LONG }, async () => {
    const projects: Ref[] = [await test.project(), await test.project()];
    for (const project of projects) {
      for (const [environment, path] of PLACES) {
        for (const [index, name] of NAMES.entries())
          await holders.secret(project, environment, path, name, TAGS.slice(0, index));
      }
    }
    const people = await Promise.all([0, 1].map(() => holders.person()));
    const machines = await Promise.all([0, 1, 2].map(() => test.identity()));
    const actors = [...people, ...machines].map(({ id }) => id);
    const groups = [await holders.make(), await holders.make()];
    const roles = new Map<string, Ref & { slug: string }>();
    for (const project of projects) {
      const slug = await holders.projectRole(project);
      roles.set(project.id, (await ok(test.admin('GET', roleUrl(project, `/slug/${slug}`)))).role);
    }
    const orgRole = await holders.organizationRole();
    const [first] = projects as [Ref];
    for (const one of machines.slice(1))
      await ok(test.admin('POST', machineUrl(first, one), { role: roles.get(first.id)!.slug }));
    for (const one of [...people, machines[0]!]) await holders.putIn(groups[0]!, one);
    await holders.letInto(first, groups[0]!, { role: 'viewer' });
    const questions: Question[] = projects.flatMap(({ id }) => [
      ...['tags', 'member'].map((subject) => asking(id, subject, 'read')),
      ...PLACES.flatMap(([environment, secretPath]) => [
        ...['secret-folders', 'secret-imports'].flatMap((subject) =>
          ['read', 'create'].map((action) => asking(id, subject, action, { environment, secretPath })),
        ),
        ...NAMES.flatMap((secretName, index) =>
          ['describeSecret', 'readValue', 'create', 'edit', 'delete'].map((action) =>
            asking(id, 'secrets', action, {
              environment,
              secretPath,
              secretName,
              secretTags: TAGS.slice(0, index),
            }),
          ),
        ),
      ]),
    ]);
    for (const subject of ['member', 'identity', 'groups'])
      for (const action of ['read', 'create', 'edit']) questions.push(asking(null, subject, action));

    type Call = readonly [method: Method, url: string, body: object];
    const project = oneOf(...projects);
    const machine = oneOf(...machines);
    const person = oneOf(...people);
    const group = oneOf(...groups);
    const window = fc.oneof(
      fc.constant({ isTemporary: false }),
      fc.record({ hours: fc.integer({ min: -2, max: 3 }), range: oneOf('1h', '2h', '5h') }).map(({ hours, range }) => ({
        isTemporary: true,
        temporaryMode: 'relative',
        temporaryRange: range,
        temporaryAccessStartTime: new Date(test.coffer.now().getTime() + hours * HOUR + HOUR / 2).toISOString(),
      })),
    );
    const metadata = oneOf(...NAMES).map((value) => [{ key: 'team', value }]);
    const assigned = (id: string) =>
      fc
        .array(fc.tuple(oneOf('viewer', 'member', 'no-access', roles.get(id)!.slug), window), {
          minLength: 1,
          maxLength: 3,
        })
        .map((some) => some.map(([role, when]) => ({ role, ...when })));
    const privileges = async () => {
      const { rows: found } = await test.coffer.pool.query<{ id: string }>(
        'select p.id from additional_privileges p order by id',
      );
      return found.map(({ id }) => id);
    };
    const membershipOf = async (projectId: string | null, actorId: string) => {
      const { rows: found } = await test.coffer.pool.query<{ id: string }>(
        'select id from memberships where actor_id = $1 and project_id is not distinct from $2',
        [actorId, projectId],
      );
      return found[0]?.id ?? NOWHERE;
    };
    const step: fc.Arbitrary<() => Promise<Call>> = fc.oneof(
      fc.tuple(project, projectRules).map(
        ([one, permissions]) =>
          async () =>
            ['PATCH', roleUrl(one, `/${roles.get(one.id)!.id}`), { permissions }] as const,
      ),
      organizationRules.map(
        (permissions) => async () => ['PATCH', `/api/v1/organization/roles/${orgRole.id}`, { permissions }] as const,
      ),
      project.chain((one) =>
        fc.tuple(machine, assigned(one.id), oneOf<Method>('POST', 'POST', 'PATCH', 'DELETE')).map(
          ([whose, given, method]) =>
            async () =>
              [method, machineUrl(one, whose), method === 'DELETE' ? {} : { roles: given }] as const,
        ),
      ),
      fc.tuple(project, person, oneOf('viewer', 'member')).map(
        ([one, whose, role]) =>
          async () =>
            [
              'POST',
              `/api/v1/projects/${one.id}/memberships`,
              { usernames: [whose.username], emails: [], roleSlugs: [role] },
            ] as const,
      ),
      project.chain((one) =>
        fc
          .tuple(person, assigned(one.id), oneOf<Method>('PATCH', 'DELETE'))
          .map(([whose, given, method]) => async () => {
            const id = await membershipOf(one.id, whose.id);
            const body = method === 'DELETE' ? {} : { roles: given };
            return [method, `/api/v1/projects/${one.id}/memberships/${id}`, body] as const;
          }),
      ),
      project.chain((one) =>
        fc.tuple(group, assigned(one.id), oneOf<Method>('POST', 'PATCH', 'DELETE')).map(
          ([whose, given, method]) =>
            async () =>
              [method, projectUrl(one, whose), method === 'DELETE' ? {} : { roles: given }] as const,
        ),
      ),
      fc.tuple(group, fc.oneof(machine, person), oneOf<Method>('POST', 'POST', 'DELETE')).map(
        ([whose, one, method]) =>
          async () =>
            [method, 'username' in one ? userUrl(whose, one) : identityUrl(whose, one), {}] as const,
      ),
      fc.tuple(group, oneOf('member', 'no-access', orgRole.slug)).map(
        ([one, role]) =>
          async () =>
            ['PATCH', `/api/v1/groups/${one.id}`, { role }] as const,
      ),
      fc.tuple(project, machine, projectRules, window).map(
        ([one, whose, permissions, type]) =>
          async () =>
            ['POST', PRIVILEGES, { projectId: one.id, identityId: whose.id, permissions, type }] as const,
      ),
      fc
        .tuple(fc.nat(), projectRules, window, oneOf<Method>('PATCH', 'DELETE'))
        .map(([index, permissions, type, method]) => async () => {
          const known = await privileges();
          const id = known[index % Math.max(1, known.length)] ?? NOWHERE;
          return [method, `${PRIVILEGES}/${id}`, method === 'DELETE' ? {} : { permissions, type }] as const;
        }),
      fc
        .tuple(
          machine,
          fc.oneof(fc.record({ role: oneOf('member', 'no-access', orgRole.slug) }), fc.record({ metadata })),
        )
        .map(
          ([whose, body]) =>
            async () =>
              ['PATCH', `/api/v1/identities/${whose.id}`, body] as const,
        ),
      fc
        .tuple(
          person,
          fc.oneof(
            fc.record({ isActive: fc.boolean() }),
            fc.record({ role: oneOf('member', orgRole.slug) }),
            fc.record({ metadata }),
          ),
        )
        .map(([whose, body]) => async () => {
          const id = await membershipOf(null, whose.id);
          return ['PATCH', `/api/v2/organizations/${test.organizationId}/memberships/${id}`, body] as const;
        }),
    );

    let [steps, checked, changed, refused] = [0, 0, 0, 0];
    const take = async (next: () => Promise<Call>) => {
      const [method, url, body] = await next();
      const places = [...projects.map(({ id }) => id), null];
      const [before, rowsBefore] = [await EverybodysRights.of(test, actors, places), await everything()];
      const planned = await test.admin(method, url, { ...body, dryRun: true });
      expect(await everything()).toEqual(rowsBefore);
      const done = await test.admin(method, url, body);
      steps++;
      expect([method, url, body, planned.status]).toEqual([method, url, body, done.status]);
      const isRefused = done.status !== 200;
      expect(`${done.body.message}`, 'a path of ours').not.toMatch(/^[A-Z]+ \S+ does not exist/);
      expect(isRefused ? withoutId(planned) : '').toEqual(isRefused ? withoutId(done) : '');
      if (isRefused) {
        refused++;
        return;
      }
      const after = await EverybodysRights.of(test, actors, places);
      const { changes, count, hidden, isTruncated, isPartial } = planned.body.plan;
      expect({ hidden, isTruncated, isPartial }).toEqual({
        hidden: { actors: 0, changes: 0 },
        isTruncated: false,
        isPartial: false,
      });
      const total = changes.reduce((sum: number, { actions }: PlannedChange) => sum + actions.length, 0);
      expect(count).toBe(total);
      const now = test.coffer.now().getTime();
      const turns = [...before.turns(), ...after.turns()].filter((time) => time > now && Number.isFinite(time));
      const wrong: object[] = [];
      for (const time of new Set([now, ...turns])) {
        for (const actor of actors) {
          const [may, will] = [before.at(actor, time), after.at(actor, time)];
          for (const question of questions) {
            const [was, is] = [may(question), will(question)];
            const expected = was === is ? undefined : is ? 'gained' : 'lost';
            checked++;
            if (expected) changed++;
            // Resources that do not exist yet are described by conditions.
            if (question.permission.action === 'create' && question.fields.secretName !== undefined) {
              const said = mayBeForetold(changes, actor, question, time);
              if (expected && !said.includes(expected)) wrong.push({ question, said, expected });
              continue;
            }
            const said = foretold(changes, actor, question, time);
            if (said !== expected) wrong.push({ question, said, expected });
          }
        }
      }
      expect({ method, url, body, wrong: wrong.slice(0, 5) }).toEqual({ method, url, body, wrong: [] });
    };
    for (const next of fc.sample(step, runs(40, 1_000))) await take(next);
    expect(refused).toBeLessThan(steps * 0.8);
    expect(checked).toBeGreaterThan(10_000);
    expect(changed).toBeGreaterThan(100);
  });
});

describe('a large plan', () => {
  it('yields regularly over 20,000 secrets, and reports what it omitted', { timeout: LONG }, async () => {
    const project = await test.project();
    await holders.secret(project, 'prod', '/app', 'SECRET');
    await test.coffer.pool.query(
      `insert into secrets (id, organization_id, project_id, folder_id, key, version, version_id, value, actor)
       select gen_random_uuid(), organization_id, project_id, folder_id, 'SECRET_' || n, 1, gen_random_uuid(), value, actor
       from secrets, generate_series(1, 20000) n where project_id = $1`,
      [project.id],
    );
    const slug = await holders.projectRole(project);
    const { role } = await ok(test.admin('GET', roleUrl(project, `/slug/${slug}`)));
    for (let i = 0; i < 30; i++) await holders.personIn(project, slug);
    // How often others would have had their turn.
    let [turns, isDone] = [0, false];
    const others = (async () => {
      for (; !isDone; turns++) await setImmediate();
    })();
    const permissions = [at(on('readValue', 'edit'), { secretName: { $glob: 'SECRET_*' } })];
    const { plan } = await ok(test.admin('PATCH', roleUrl(project, `/${role.id}`), { permissions, dryRun: true }));
    isDone = true;
    await others;
    expect(plan).toMatchObject({ count: 30 * 20_000 * 2, isTruncated: true, isPartial: false });
    expect(plan.changes).toHaveLength(1000);
    expect(turns).toBeGreaterThan(20);
  });
});
