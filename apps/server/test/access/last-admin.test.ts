import { builtInRole } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BOUNDARY,
  groupUrl,
  identityUrl,
  ok,
  projectUrl,
  statuses,
  userUrl,
  type Person,
  type Ref,
} from '../harness/groups.ts';
import { Holders } from '../harness/holders.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const HOUR = 3_600_000;
const PRIVILEGES = '/api/v2/identity-project-additional-privilege';
const forbidding = { subject: 'tags', action: ['read'], inverted: true };
const refused = (what: 'organization' | 'project') => ({
  status: 400,
  body: {
    message: `This is the only administrator of the ${what} without forbidding rules; appoint another one first`,
  },
});
const refusedProject = refused('project');

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const holders = new Holders(() => test);
const permanently = (...roles: string[]) => ({ roles: roles.map((role) => ({ role, isTemporary: false })) });
const identityMember = (project: Ref, identity: Ref) =>
  `/api/v1/projects/${project.id}/memberships/identities/${identity.id}`;
const roleUrl = (project: Ref, role: Ref) => `/api/v1/projects/${project.id}/roles/${role.id}`;
const readsTags = async (project: Ref, call: Caller) =>
  (await call('GET', `/api/v1/projects/${project.id}/tags`)).status === 200;

describe('the last administrator of a project to whom nothing is forbidden', () => {
  /** A project with one machine identity as administrator, and an actor with equal rights by a custom role. */
  const ruledByOne = async () => {
    const project = await test.project();
    const boss = await test.identity({ projectId: project.id, projectRole: 'admin' });
    await ok(test.admin('DELETE', identityMember(project, test.adminIdentity)));
    const manager = await test.identity({ projectId: project.id, rules: builtInRole('project', 'admin')!.rules });
    return { project, boss, manager };
  };
  const roleOf = async ({ project, boss }: { project: Ref; boss: { call: Caller } }, ...permissions: object[]) => {
    const slug = holders.unique('role').replace(' ', '-');
    const make = { slug, name: slug, permissions };
    return (await ok(boss.call('POST', `/api/v1/projects/${project.id}/roles`, make))).role as Ref & { slug: string };
  };

  it('cannot be added to a group with denials, by any order of changes', async () => {
    const world = await ruledByOne();
    const { project, boss, manager } = world;
    const [denies, harmless] = [await roleOf(world, forbidding), await roleOf(world)];
    const [inside, outside] = [await holders.make(), await holders.make()];
    await ok(boss.call('POST', projectUrl(project, inside), { role: denies.slug }));
    // The group is in the project, and forbids; the administrator is in another group.
    expect(await test.admin('POST', identityUrl(inside, boss))).toMatchObject(refusedProject);
    await holders.putIn(outside, boss);
    expect(await manager.call('POST', projectUrl(project, outside), { role: denies.slug })).toMatchObject(
      refusedProject,
    );
    await ok(manager.call('POST', projectUrl(project, outside), { role: harmless.slug }));
    expect(await manager.call('PATCH', projectUrl(project, outside), permanently(denies.slug))).toMatchObject(
      refusedProject,
    );
    const change = { permissions: [forbidding] };
    expect(await manager.call('PATCH', roleUrl(project, harmless), change)).toMatchObject(refusedProject);
    expect(await readsTags(project, boss.call)).toBe(true);

    const second = await test.identity();
    await ok(boss.call('POST', identityMember(project, second), { role: 'admin' }));
    await ok(manager.call('PATCH', roleUrl(project, harmless), change));
    expect([await readsTags(project, boss.call), await readsTags(project, second.call)]).toEqual([false, true]);
    // Now the second one is the last.
    expect(await test.admin('POST', identityUrl(outside, second))).toMatchObject(refusedProject);
    expect(await second.call('DELETE', identityMember(project, second))).toMatchObject(refusedProject);
    await ok(second.call('DELETE', projectUrl(project, outside)));
    await ok(second.call('DELETE', identityMember(project, second)));
  });

  it('cannot get a privilege that forbids, now or later, nor by an update', async () => {
    const { project, boss, manager } = await ruledByOne();
    const start = new Date(test.coffer.now().getTime() + HOUR).toISOString();
    const windows = [
      { isTemporary: false },
      { isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h', temporaryAccessStartTime: start },
    ];
    const of = { projectId: project.id, identityId: boss.id };
    for (const type of windows) {
      const give = { ...of, permissions: [forbidding], type };
      expect(await manager.call('POST', PRIVILEGES, give)).toMatchObject(refusedProject);
    }
    const harmless = { ...of, permissions: [], type: { isTemporary: false } };
    const { privilege } = await ok(manager.call('POST', PRIVILEGES, harmless));
    const change = { permissions: [forbidding] };
    expect(await manager.call('PATCH', `${PRIVILEGES}/${privilege.id}`, change)).toMatchObject(refusedProject);
    const past = { ...windows[1]!, temporaryAccessStartTime: new Date(Date.now() - 9 * HOUR).toISOString() };
    const over = { ...of, permissions: [forbidding], type: past };
    const ended = (await ok(manager.call('POST', PRIVILEGES, over))).privilege;
    expect(await manager.call('PATCH', `${PRIVILEGES}/${ended.id}`, { type: windows[0] })).toMatchObject(
      refusedProject,
    );
    expect(await readsTags(project, boss.call)).toBe(true);
  });

  it('cannot get a later role that forbids, but one that the administrator role overrides', async () => {
    const world = await ruledByOne();
    const { project, boss, manager } = world;
    const denies = await roleOf(world, forbidding);
    const all = [...(await ok(boss.call('GET', `/api/v1/projects/${project.id}/roles/slug/admin`))).role.permissions];
    expect(all.length).toBeGreaterThan(10);
    expect(await boss.call('PATCH', identityMember(project, boss), permanently('admin', denies.slug))).toMatchObject(
      refusedProject,
    );
    await ok(boss.call('PATCH', identityMember(project, boss), permanently(denies.slug, 'admin')));
    expect(await readsTags(project, boss.call)).toBe(true);
    // It counts fully: the manager of groups cannot restrict it either.
    const group = await holders.make();
    await holders.putIn(group, boss);
    expect(await manager.call('POST', projectUrl(project, group), { role: denies.slug })).toMatchObject(refusedProject);
    expect(await boss.call('DELETE', identityMember(project, boss))).toMatchObject({ status: 400 });
  });

  it('stays where two are forbidden something at the same time, in different ways', async () => {
    for (let round = 0; round < 6; round++) {
      const world = await ruledByOne();
      const { project, boss, manager } = world;
      const [one, two] = [await test.identity(), await test.identity()];
      for (const other of [one, two]) await ok(boss.call('POST', identityMember(project, other), { role: 'admin' }));
      const [denies, harmless] = [await roleOf(world, forbidding), await roleOf(world)];
      const [group, other] = [await holders.make(), await holders.make()];
      await ok(boss.call('POST', projectUrl(project, group), { role: denies.slug }));
      await ok(boss.call('POST', projectUrl(project, other), { role: harmless.slug }));
      await holders.putIn(other, two);
      const give = { projectId: project.id, identityId: boss.id, permissions: [forbidding] };
      const answers = await Promise.all([
        manager.call('POST', PRIVILEGES, { ...give, type: { isTemporary: false } }),
        test.admin('POST', identityUrl(group, one)),
        manager.call('PATCH', roleUrl(project, harmless), { permissions: [forbidding] }),
      ]);
      expect(statuses(answers)).toBe('200,200,400');
      const free = await Promise.all([boss, one, two].map(({ call }) => readsTags(project, call)));
      expect(free.filter(Boolean)).toHaveLength(1);
    }
  });

  it('may be restricted in another project, and a non-administrator in this one', async () => {
    const world = await ruledByOne();
    const { project, boss } = world;
    const [denies, group, other] = [await roleOf(world, forbidding), await holders.make(), await test.project()];
    await ok(boss.call('POST', projectUrl(project, group), { role: denies.slug }));
    await holders.putIn(group, await test.identity({ projectId: project.id, projectRole: 'member' }));
    const elsewhere = await holders.make();
    await ok(test.admin('POST', identityMember(other, boss), { role: 'member' }));
    await holders.letInto(other, elsewhere, { role: await holders.projectRole(other, forbidding) });
    await holders.putIn(elsewhere, boss);
    expect([await readsTags(project, boss.call), await readsTags(other, boss.call)]).toEqual([true, false]);
  });
});

describe('the last administrator of an organization to whom nothing is forbidden', () => {
  /** An organization with these administrators, a machine identity, and a manager of groups. */
  const ruledBy = async (count: number) => {
    const { organizationId, call } = await test.foreign();
    const people: (Person & { call: Caller })[] = [];
    for (let n = 0; n < count; n++) {
      const { id, email, token } = await makeUser(test.coffer, { organizationId, role: 'admin' });
      people.push({ id, username: email, call: test.as(token) });
    }
    const role = async (...permissions: object[]): Promise<Ref & { slug: string }> => {
      const slug = holders.unique('role').replace(' ', '-');
      return (await ok(call('POST', '/api/v1/organization/roles', { slug, name: slug, permissions }))).role;
    };
    const group = (slug: string): Promise<Ref> =>
      ok(call('POST', '/api/v1/groups', { name: holders.unique('Group'), role: slug }));
    return { call, people, role, group };
  };
  const deny = { subject: 'member', action: ['read', 'create', 'edit', 'delete'], inverted: true };
  const refusedOrganization = refused('organization');
  const mayRead = async (call: Caller) => (await call('GET', '/api/v1/organization/roles')).status === 200;
  const denyRoles = { subject: 'role', action: ['read'], inverted: true };

  it('cannot be added to a group that forbids, nor can its group begin to forbid', async () => {
    const { call, people, role, group } = await ruledBy(1);
    const [ann] = people as [(typeof people)[number]];
    const [denies, harmless] = [await role(deny), await role()];
    const [first, second] = [await group(denies.slug), await group(harmless.slug)];
    expect(await call('POST', userUrl(first, ann))).toMatchObject(refusedOrganization);
    await ok(call('POST', userUrl(second, ann)));
    expect(await call('PATCH', groupUrl(second), { role: denies.slug })).toMatchObject(refusedOrganization);
    const change = { permissions: [deny] };
    expect(await call('PATCH', `/api/v1/organization/roles/${harmless.id}`, change)).toMatchObject(refusedOrganization);
    expect(await mayRead(ann.call)).toBe(true);
  });

  it('stays if all of them are added to such groups at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const { call, people, role, group } = await ruledBy(3);
      const [denies, harmless] = [await role(denyRoles), await role()];
      const [first, second, third] = [await group(denies.slug), await group(denies.slug), await group(harmless.slug)];
      await ok(call('POST', userUrl(third, people[2]!)));
      const answers = await Promise.all([
        call('POST', userUrl(first, people[0]!)),
        call('POST', userUrl(second, people[1]!)),
        call('PATCH', `/api/v1/organization/roles/${harmless.id}`, { permissions: [denyRoles] }),
      ]);
      expect(statuses(answers)).toBe('200,200,400');
      const free = await Promise.all(people.map((one) => mayRead(one.call)));
      expect(free.filter(Boolean)).toHaveLength(1);
    }
  });
});

describe('who is in a project by a group as well', () => {
  it("does not lose a privilege's denial by leaving, and callers without the right cannot lift it", async () => {
    const [project, group] = [await test.project(), await holders.make()];
    await holders.letInto(project, group, { role: 'viewer' });
    const ann = await holders.personIn(project, 'no-access');
    await holders.putIn(group, ann);
    const give = { projectMembershipId: ann.membershipId, slug: 'no-tags', permissions: [forbidding] };
    const type = { isTemporary: false };
    await ok(test.admin('POST', '/api/v1/user-project-additional-privilege', { ...give, type }));
    const machine = await test.identity({ projectId: project.id, projectRole: 'no-access' });
    await holders.putIn(group, machine);
    await holders.privilege(project, machine, [forbidding]);
    const leave = () => ann.call('DELETE', `/api/v1/workspace/${project.id}/leave`);
    expect(await leave()).toMatchObject(BOUNDARY);
    const rules = ['member', 'identity'].map((subject) => ({ subject, action: ['read', 'delete'] }));
    const { call } = await test.identity({ projectId: project.id, rules });
    const memberships = `/api/v1/projects/${project.id}/memberships`;
    for (const [url, body] of [
      [`${memberships}/${ann.membershipId}`, undefined],
      [memberships, { usernames: [ann.username], emails: [] }],
      [identityMember(project, machine), undefined],
    ] as const)
      expect(await call('DELETE', url, body)).toMatchObject(BOUNDARY);
    for (const one of [ann, machine]) expect(await readsTags(project, one.call)).toBe(false);
    // After leaving the group, there is nothing left to lift.
    await holders.takeOut(group, ann);
    await ok(leave());
    await ok(test.admin('DELETE', identityMember(project, machine)));
    expect(await readsTags(project, machine.call)).toBe(true);
  });
});
