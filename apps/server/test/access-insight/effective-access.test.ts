import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok, same, userUrl, type Ref } from '../harness/groups.ts';
import { Holders } from '../harness/holders.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const HOUR = 3_600_000;

let test: TestServer;
let project: Ref;
const holders = new Holders(() => test);
beforeAll(async () => {
  test = await testServer();
  project = await test.project();
  await holders.secret(project, 'prod', '/app', 'DB_URL', ['red']);
  await holders.secret(project, 'dev', '/', 'FREE');
});
afterAll(() => test.close());

const on = (...action: string[]): Rule => ({ subject: 'secrets', action });
const at = (rule: Rule, conditions: Record<string, unknown>): Rule => ({ ...rule, conditions });
const not = (rule: Rule): Rule => ({ ...rule, inverted: true });
const SEE_ALL: Rule[] = [
  on('describeSecret'),
  { subject: 'member', action: ['read'] },
  { subject: 'identity', action: ['read'] },
  { subject: 'groups', action: ['read'] },
  { subject: 'role', action: ['read'] },
  { subject: 'service-tokens', action: ['read'] },
];

const accessUrl = (rest = '', of: Ref = project) => `/api/v1/projects/${of.id}/access${rest}`;
const DB_URL = '?environment=prod&secretPath=/app&secretName=DB_URL';

/** The effective permissions in short form: actions with the slug of the deciding role. */
interface Entry {
  actor: { id: string };
  actions: { action: string; isAllowed: boolean; decidedBy: { grant: { slug: string } } | null }[];
}
const of = (body: { access: { actors: Entry[] } }, actor: Ref) =>
  body.access.actors.find((one) => one.actor.id === actor.id);
const short = (entry: Entry | undefined) =>
  Object.fromEntries(
    (entry?.actions ?? []).map(({ action, isAllowed, decidedBy }) => [
      action,
      `${isAllowed ? '+' : '-'} ${decidedBy?.grant.slug}`,
    ]),
  );

describe('who can read a secret', () => {
  it('lists every actor with the grant that decides each action: role, group, privilege and service token', async () => {
    const place = await test.project();
    await holders.secret(place, 'prod', '/app', 'DB_URL');
    const viewer = await holders.personIn(place, 'viewer');
    const group = await holders.make();
    const grouped = await holders.person();
    await holders.putIn(group, grouped);
    await holders.letInto(place, group, { role: 'member' });
    const machine = await test.identity({ projectId: place.id });
    const privilege = await holders.privilege(place, machine, [
      at(on('describeSecret', 'readValue'), { environment: 'prod', secretPath: { $glob: '/app/**' } }),
      at(on('readValue'), { environment: 'prod', secretPath: '/app' }),
    ]);
    const admin = await holders.personIn(place, 'admin');
    const { serviceTokenData: token } = await ok(
      admin.call('POST', '/api/v2/service-token', {
        name: 'deploy',
        workspaceId: place.id,
        scopes: [{ environment: 'prod', secretPath: '/app' }],
        permissions: ['read'],
        expiresIn: 7200,
      }),
    );

    const body = await ok(test.admin('GET', accessUrl(DB_URL, place)));
    expect(body.access).toMatchObject({
      environment: 'prod',
      secretPath: '/app',
      secretName: 'DB_URL',
      secretTags: [],
      totalCount: 6,
      hiddenCount: 0,
    });
    expect(body.access.actors).toHaveLength(6);
    expect(short(of(body, viewer))).toEqual({ describeSecret: '+ viewer', readValue: '+ viewer' });
    expect(short(of(body, grouped))).toEqual({
      describeSecret: '+ member',
      readValue: '+ member',
      create: '+ member',
      edit: '+ member',
      delete: '+ member',
    });
    expect(short(of(body, machine))).toEqual({
      describeSecret: `+ ${privilege.slug}`,
      readValue: `+ ${privilege.slug}`,
    });
    expect(short(of(body, token))).toEqual({ describeSecret: '+ deploy', readValue: '+ deploy' });

    const byGroup = of(body, grouped)!;
    expect(byGroup.actor).toEqual({ type: 'user', id: grouped.id, name: 'Ann Lee', username: grouped.username });
    expect(byGroup.actions[0]!.decidedBy!.grant).toEqual({
      kind: 'role',
      id: expect.any(String),
      slug: 'member',
      isByGroup: true,
      group: { id: group.id, name: group.name, slug: group.slug },
      startsAt: null,
      endsAt: null,
    });
    expect(of(body, machine)!.actions[1]!.decidedBy).toEqual({
      grant: {
        kind: 'privilege',
        id: privilege.id,
        slug: privilege.slug,
        isByGroup: false,
        group: null,
        startsAt: null,
        endsAt: null,
      },
      rule: at(on('readValue'), { environment: 'prod', secretPath: '/app' }),
      allows: true,
    });
    expect(of(body, token)!.actions[0]!.decidedBy!.grant).toMatchObject({
      kind: 'service-token',
      id: token.id,
      endsAt: expect.any(String),
    });

    const readers = await ok(test.admin('GET', accessUrl(`${DB_URL}&action=edit`, place)));
    expect(readers.access.totalCount).toBe(3);
    const second = await ok(test.admin('GET', accessUrl(`${DB_URL}&offset=1&limit=2`, place)));
    expect(second.access.actors).toEqual(body.access.actors.slice(1, 3));
    expect(second.access.totalCount).toBe(6);
  });

  it('names what is overridden, by what, and until when', async () => {
    const machine = await test.identity({ projectId: project.id, rules: [on('describeSecret', 'readValue')] });
    const denial = await holders.privilege(
      project,
      machine,
      [not(at(on('readValue'), { secretTags: { $in: ['red'] } }))],
      0,
    );
    const shown = async () => of(await ok(test.admin('GET', accessUrl(DB_URL))), machine)!;
    const readValue = (entry: Entry) => entry.actions.find(({ action }) => action === 'readValue')!;
    expect(readValue(await shown())).toMatchObject({
      isAllowed: false,
      decidedBy: {
        allows: false,
        rule: not(at(on('readValue'), { secretTags: { $in: ['red'] } })),
        grant: { kind: 'privilege', slug: denial.slug, endsAt: denial.temporaryAccessEndTime },
      },
      overridden: [{ allows: true, grant: { kind: 'role' }, rule: on('describeSecret', 'readValue') }],
    });
    test.advance(HOUR);
    expect(readValue(await shown())).toMatchObject({ isAllowed: true, overridden: [] });
  });

  it('reports for a folder what depends on the secret', async () => {
    const machine = await test.identity({
      projectId: project.id,
      rules: [
        at(on('readValue'), { environment: 'prod', secretName: { $glob: 'DB_*' } }),
        at({ subject: 'secret-folders', action: ['read'] }, { environment: 'prod' }),
      ],
    });
    const body = await ok(test.admin('GET', accessUrl('?environment=prod&secretPath=/app')));
    expect(body.access).toMatchObject({ secretName: null, secretTags: null });
    const actions = (of(body, machine)!.actions as object[]).map((one) => {
      const { subject, action, isAllowed, decidedBy } = one as Record<string, unknown>;
      return { subject, action, isAllowed, isDecided: decidedBy !== null };
    });
    expect(actions).toEqual([
      { subject: 'secret-folders', action: 'read', isAllowed: true, isDecided: true },
      { subject: 'secrets', action: 'readValue', isAllowed: null, isDecided: false },
    ]);
  });

  it('counts the actors whom the caller may not see, and always shows the caller', async () => {
    const place = await test.project();
    await holders.secret(place, 'prod', '/app', 'DB_URL');
    const viewer = await holders.personIn(place, 'viewer');
    const group = await holders.make();
    const grouped = await holders.person();
    await holders.putIn(group, grouped);
    await holders.letInto(place, group, { role: 'viewer' });
    const machine = await test.identity({ projectId: place.id, projectRole: 'viewer' });
    const asked = async (...rules: Rule[]) => {
      const asker = await test.identity({ projectId: place.id, rules: [on('describeSecret'), ...rules] });
      const { access } = await ok(asker.call('GET', accessUrl(DB_URL, place)));
      const ids = new Set((access.actors as Entry[]).map(({ actor }) => actor.id));
      expect(ids.has(asker.id)).toBe(true);
      return {
        ids: [viewer, grouped, machine].map(({ id }) => ids.has(id)),
        all: access.totalCount + access.hiddenCount,
        access,
        asker,
      };
    };
    const [member, identity, groups, role] = ['member', 'identity', 'groups', 'role'].map((subject): Rule => ({
      subject,
      action: ['read'],
    })) as [Rule, Rule, Rule, Rule];
    const nothing = await asked();
    expect(nothing.ids).toEqual([false, false, false]);
    expect([nothing.all, nothing.access.totalCount]).toEqual([5, 1]);
    expect((await asked(member)).ids).toEqual([true, false, false]);
    expect((await asked(groups)).ids).toEqual([false, false, false]);
    expect((await asked(identity)).ids).toEqual([false, false, true]);
    expect((await asked(at(identity, { identityId: NOWHERE }))).ids).toEqual([false, false, false]);
    expect((await asked(at(identity, { identityId: machine.id }))).ids).toEqual([false, false, true]);
    const both = await asked(member, groups);
    expect(both.ids).toEqual([true, true, false]);
    // The contents of other actors' roles are returned only to callers who may read roles.
    const ruleOf = (access: { actors: Entry[] }, one: Ref) =>
      (of({ access }, one)!.actions[0]!.decidedBy as unknown as { rule: unknown }).rule;
    expect(ruleOf(both.access, viewer)).toBeNull();
    expect(ruleOf(both.access, both.asker)).not.toBeNull();
    const all = await asked(member, groups, role);
    expect(ruleOf(all.access, viewer)).toEqual(on('describeSecret', 'readValue'));
    const byGroup = (access: { actors: Entry[] }) => of({ access }, grouped)!.actions[0]!.decidedBy!.grant;
    expect(byGroup(all.access)).toMatchObject({ isByGroup: true, group: { id: group.id } });
  });

  it('discloses of the secret what reading it discloses, with the same errors', async () => {
    const may = (...rules: Rule[]) => test.identity({ projectId: project.id, rules });
    const compare = async (caller: Awaited<ReturnType<typeof may>>, name: string, status: number) => {
      const where = `environment=prod&secretPath=/app`;
      const read = await caller.call(
        'GET',
        `/api/v4/secrets/${name}?projectId=${project.id}&viewSecretValue=false&${where}`,
      );
      const asked = await caller.call('GET', accessUrl(`?${where}&secretName=${name}`));
      expect([name, asked.status, read.status]).toEqual([name, status, status]);
      const refusal = ({ body }: typeof asked) => (status === 200 ? 'none' : { ...body, reqId: '' });
      expect(refusal(asked)).toEqual(refusal(read));
    };
    const [anything, nothing] = [await may(on('describeSecret')), await may(on('readValue'))];
    const byTag = await may(on('describeSecret'), not(at(on('describeSecret'), { secretTags: { $in: ['red'] } })));
    await compare(anything, 'DB_URL', 200);
    await compare(anything, 'ABSENT', 404);
    await compare(nothing, 'DB_URL', 403);
    await compare(nothing, 'ABSENT', 403);
    await compare(byTag, 'DB_URL', 403);
    await compare(byTag, 'ABSENT', 404);
    const folder = await anything.call('GET', accessUrl('?environment=prod&secretPath=/absent'));
    expect([folder.status, folder.body.message]).toEqual([404, 'There is no such folder']);
  });

  it('rejects a missing token, another organization and non-members', async () => {
    const foreign = await test.foreign();
    const stranger = await test.identity();
    const [theirs, absent] = [accessUrl(DB_URL), accessUrl(DB_URL, { id: NOWHERE })];
    for (const rest of [DB_URL, '/me', `/users/${NOWHERE}`, `/identities/${NOWHERE}`]) {
      expect((await test.as()('GET', accessUrl(rest))).status).toBe(401);
      await same(foreign.call, 'GET', accessUrl(rest), accessUrl(rest, { id: NOWHERE }));
    }
    await same(stranger.call, 'GET', theirs, absent);
    for (const input of ['', '?environment=', '?environment=prod&secretPath=//', `${DB_URL}&limit=1001`])
      expect([input, (await test.admin('GET', accessUrl(input))).status]).toEqual([input, 422]);
  });

  it('is audited', async () => {
    await ok(test.admin('GET', accessUrl(DB_URL)));
    const { rows } = await test.coffer.pool.query(
      `select data from audit_events where type = 'access.viewed' and project_id = $1 order by created_at desc limit 1`,
      [project.id],
    );
    expect(rows).toEqual([{ data: { actorId: null, environment: 'prod', secretPath: '/app', secretName: 'DB_URL' } }]);
  });
});

describe('effective permissions in a project', () => {
  it('has the grants, the current rules, a table, and decisions at a place', async () => {
    const machine = await test.identity({
      projectId: project.id,
      rules: [on('describeSecret', 'readValue'), not(at(on('readValue'), { environment: 'prod' }))],
    });
    const now = await holders.privilege(project, machine, [at(on('edit'), { secretPath: '/app' })], 0);
    const later = await holders.privilege(project, machine, [on('delete')], 2);
    const { access } = await ok(test.admin('GET', accessUrl(`/identities/${machine.id}${DB_URL}`)));
    expect(access.actor).toEqual({ type: 'identity', id: machine.id, name: 'machine', username: null });
    expect(access.grants.map((one: Record<string, unknown>) => [one['kind'], one['slug'], one['state']])).toEqual([
      ['role', expect.any(String), 'active'],
      ['privilege', now.slug, 'active'],
      ['privilege', later.slug, 'upcoming'],
    ]);
    expect(access.grants[2].rules).toEqual([on('delete')]);
    expect(access.changesAt).toBe(now.temporaryAccessEndTime);
    expect(access.rules).toEqual([
      { grant: 0, rule: on('describeSecret', 'readValue'), allows: true },
      { grant: 0, rule: not(at(on('readValue'), { environment: 'prod' })), allows: false },
      { grant: 1, rule: at(on('edit'), { secretPath: '/app' }), allows: true },
    ]);
    const row = (subject: string, action: string) =>
      access.table.find((one: Record<string, unknown>) => one['subject'] === subject && one['action'] === action);
    expect(row('secrets', 'describeSecret')).toMatchObject({ access: 'always', rules: [0] });
    expect(row('secrets', 'readValue')).toMatchObject({ access: 'sometimes', rules: [1, 0] });
    expect(row('secrets', 'edit')).toMatchObject({ access: 'sometimes', rules: [2] });
    expect(row('secrets', 'delete')).toMatchObject({ access: 'never', rules: [] });
    expect(row('tags', 'read')).toMatchObject({ access: 'never', rules: [] });
    const decisions = Object.fromEntries(
      access.decisions.map((one: { action: string; isAllowed: boolean }) => [one.action, one.isAllowed]),
    );
    expect(decisions).toEqual({ describeSecret: true, readValue: false, create: false, edit: true, delete: false });
    test.advance(HOUR);
    const after = (await ok(test.admin('GET', accessUrl(`/identities/${machine.id}`)))).access;
    expect(after.grants.map(({ state }: { state: string }) => state)).toEqual(['active', 'over', 'upcoming']);
    expect([after.rules.length, after.decisions]).toEqual([2, null]);
  });

  it('agrees with what really happens', async () => {
    const machine = await test.identity({
      projectId: project.id,
      rules: [on('describeSecret', 'readValue'), not(at(on('readValue'), { secretTags: { $in: ['red'] } }))],
    });
    for (const [where, name] of [
      ['environment=prod&secretPath=/app', 'DB_URL'],
      ['environment=dev&secretPath=/', 'FREE'],
    ] as const) {
      const read = await machine.call('GET', `/api/v4/secrets/${name}?projectId=${project.id}&${where}`);
      const { access } = await ok(machine.call('GET', accessUrl(`/me?${where}&secretName=${name}`)));
      const { isAllowed } = access.decisions.find(({ action }: { action: string }) => action === 'readValue');
      expect([name, isAllowed]).toEqual([name, read.status === 200]);
    }
  });

  it('is returned to every caller for themselves, and for others to callers who may read them', async () => {
    const asker = await test.identity({ projectId: project.id });
    expect((await ok(asker.call('GET', accessUrl('/me')))).access.actor.id).toBe(asker.id);
    expect((await ok(asker.call('GET', accessUrl(`/identities/${asker.id}`)))).access.actor.id).toBe(asker.id);
    const other = await test.identity({ projectId: project.id });
    const person = await holders.personIn(project, 'viewer');
    for (const rest of [
      `/identities/${other.id}`,
      `/users/${person.id}`,
      `/identities/${NOWHERE}`,
      `/users/${NOWHERE}`,
    ])
      expect([rest, (await asker.call('GET', accessUrl(rest))).status]).toEqual([rest, 403]);
    const reader = await test.identity({ projectId: project.id, rules: SEE_ALL });
    expect((await ok(reader.call('GET', accessUrl(`/users/${person.id}`)))).access.grants[0].slug).toBe('viewer');
    await same(reader.call, 'GET', accessUrl(`/users/${other.id}`), accessUrl(`/users/${NOWHERE}`));
    await same(reader.call, 'GET', accessUrl(`/identities/${person.id}`), accessUrl(`/identities/${NOWHERE}`));
    const outside = await test.identity();
    await same(reader.call, 'GET', accessUrl(`/identities/${outside.id}`), accessUrl('/identities/no-uuid'));
  });

  it('hides members by a group from callers who may not read groups', async () => {
    const [group, person] = [await holders.make(), await holders.person()];
    await holders.putIn(group, person);
    await holders.letInto(project, group, { role: 'viewer' });
    const blind = await test.identity({ projectId: project.id, rules: [{ subject: 'member', action: ['read'] }] });
    await same(blind.call, 'GET', accessUrl(`/users/${person.id}`), accessUrl(`/users/${NOWHERE}`));
    const { access } = await ok(test.admin('GET', accessUrl(`/users/${person.id}`)));
    expect(access.grants).toMatchObject([{ slug: 'viewer', isByGroup: true, group: { id: group.id } }]);
    await test.admin('DELETE', userUrl(group, person));
    expect((await test.admin('GET', accessUrl(`/users/${person.id}`))).status).toBe(404);
  });
});

describe('effective permissions in the organization', () => {
  const base = '/api/v1/organization/access';
  it('is returned to every caller for themselves, and for others to callers who may read them', async () => {
    const role = await holders.organizationRole({ subject: 'member', action: ['read'] });
    const asker = await test.identity({ organizationRole: role.slug });
    const { access } = await ok(asker.call('GET', `${base}/me`));
    expect(access).toMatchObject({ actor: { id: asker.id }, grants: [{ slug: role.slug }], decisions: null });
    expect(
      access.table.find((one: Record<string, unknown>) => one['subject'] === 'member' && one['action'] === 'read'),
    ).toMatchObject({ access: 'always' });
    const person = await holders.person();
    expect((await ok(asker.call('GET', `${base}/users/${person.id}`))).access.grants[0].slug).toBe('no-access');
    expect((await asker.call('GET', `${base}/identities/${test.adminIdentity.id}`)).status).toBe(403);
    const foreign = await test.foreign();
    await same(foreign.call, 'GET', `${base}/users/${person.id}`, `${base}/users/${NOWHERE}`);
    await same(foreign.call, 'GET', `${base}/identities/${asker.id}`, `${base}/identities/${NOWHERE}`);
    expect((await test.as()('GET', `${base}/me`)).status).toBe(401);
  });
});
