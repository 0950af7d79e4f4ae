import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BOUNDARY,
  GROUP_ACTIONS,
  Groups,
  groupUrl,
  identityUrl,
  ok,
  projectUrl,
  statuses,
  userUrl,
} from '../../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../../harness/test-server.ts';

const HOUR = 3_600_000;

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

const groups = new Groups(() => test);

describe('no one gains rights by a group', () => {
  const manage = { subject: 'groups', action: GROUP_ACTIONS };

  it('by creating one with a role, or by assigning one', async () => {
    const { call } = await groups.holder(manage);
    for (const role of ['admin', 'member'])
      expect(await call('POST', '/api/v1/groups', { name: groups.unique('x'), role })).toMatchObject(BOUNDARY);
    const group = await ok(call('POST', '/api/v1/groups', { name: groups.unique('Mine') }));
    for (const role of ['admin', 'member'])
      expect(await call('PATCH', groupUrl(group), { role })).toMatchObject(BOUNDARY);
    const own = await groups.organizationRole(manage);
    expect((await ok(call('PATCH', groupUrl(group), { role: own.slug }))).role).toBe('custom');
  });

  it('but may send the current role', async () => {
    const group = await groups.make({ role: 'admin' });
    const { call } = await groups.holder(manage);
    const { name, slug } = group;
    const same = { name, slug, role: 'admin' };
    expect(await ok(call('PATCH', groupUrl(group), same))).toMatchObject(same);
    const role = await groups.organizationRole({ subject: 'member', action: 'read' });
    await ok(test.admin('PATCH', groupUrl(group), { role: role.slug }));
    expect((await ok(call('PATCH', groupUrl(group), { role: role.slug }))).roleId).toBe(role.id);
  });

  it('by joining one, or by adding a controlled actor', async () => {
    const [strong, weak] = [await groups.make({ role: 'member' }), await groups.make()];
    const { id, call } = await groups.holder(manage);
    const [puppet, ann] = [await test.identity(), await groups.person()];
    for (const one of [{ id }, puppet]) expect(await call('POST', identityUrl(strong, one))).toMatchObject(BOUNDARY);
    expect(await call('POST', userUrl(strong, ann))).toMatchObject(BOUNDARY);
    for (const one of [{ id }, puppet]) expect((await call('POST', identityUrl(weak, one))).status).toBe(200);
    expect((await call('POST', userUrl(weak, ann))).status).toBe(200);
  });

  it('in a project either, be it a member there or not', async () => {
    const [project, group] = [await test.project(), await groups.make()];
    await groups.letInto(project, group, { role: 'viewer' });
    const puppet = await test.identity();
    const outside = await groups.holder(manage);
    expect(await outside.call('POST', identityUrl(group, puppet))).toMatchObject(BOUNDARY);
    const make = { organizationRules: [manage], projectId: project.id };
    const less = await test.identity({ ...make, rules: [{ subject: 'tags', action: 'read' }] });
    expect(await less.call('POST', identityUrl(group, puppet))).toMatchObject(BOUNDARY);
    const enough = await test.identity({ ...make, projectRole: 'admin' });
    expect((await enough.call('POST', identityUrl(group, puppet))).status).toBe(200);
  });

  it('nor later ones', async () => {
    const [project, group] = [await test.project(), await groups.make()];
    await ok(
      test.admin('POST', projectUrl(project, group), {
        roles: [
          {
            role: 'admin',
            isTemporary: true,
            temporaryMode: 'relative',
            temporaryRange: '1h',
            temporaryAccessStartTime: new Date(test.coffer.now().getTime() + HOUR).toISOString(),
          },
        ],
      }),
    );
    const make = { organizationRules: [manage], projectId: project.id, projectRole: 'member' };
    const { call } = await test.identity(make);
    const puppet = await test.identity();
    expect(await call('POST', identityUrl(group, puppet))).toMatchObject(BOUNDARY);
    test.advance(3 * HOUR);
    expect((await call('POST', identityUrl(group, puppet))).status).toBe(200);
  });

  it('by acting as a member of one', async () => {
    const [group, machine] = [await groups.make({ role: 'member' }), await test.identity()];
    await groups.putIn(group, machine);
    const { call } = await groups.holder({
      subject: 'identity',
      action: ['read', 'edit', 'create-token', 'delete', 'revoke-auth'],
    });
    const auth = `/api/v1/auth/token-auth/identities/${machine.id}`;
    expect((await call('POST', `${auth}/tokens`, {})).status).toBe(403);
    expect(await call('PATCH', `/api/v1/identities/${machine.id}`, { name: 'mine' })).toMatchObject(BOUNDARY);
  });

  it('by inviting a member again', async () => {
    const group = await groups.make({ role: 'admin' });
    const email = `${groups.unique('invited').replace(' ', '-')}@example.com`;
    const invite = { inviteeEmails: [email], organizationId: test.organizationId, organizationRoleSlug: 'no-access' };
    await ok(test.admin('POST', '/api/v1/invite-org/signup', invite));
    await groups.putIn(group, { id: '', username: email });
    const { call } = await groups.holder({ subject: 'member', action: ['read', 'create'] });
    expect(await call('POST', '/api/v1/invite-org/signup', invite)).toMatchObject(BOUNDARY);
  });

  describe('by lifting the denials of a group', () => {
    const forbidden = { subject: 'member', action: ['read'], inverted: true };
    const members = () => `/api/v2/organizations/${test.organizationId}/memberships`;

    /** A machine identity that a group forbids to see the members. */
    const kept = async () => {
      const role = await groups.organizationRole(forbidden);
      const group = await groups.make({ role: role.slug });
      const machine = await test.identity({ organizationRole: 'member' });
      await groups.putIn(group, machine);
      expect((await machine.call('GET', members())).status).toBe(403);
      return { group, machine, role };
    };

    it('through leaving it, or removing a member', async () => {
      const { group, machine } = await kept();
      const { call } = await groups.holder(manage);
      expect(await call('DELETE', identityUrl(group, machine))).toMatchObject(BOUNDARY);
      const self = await test.identity({ organizationRules: [manage, { subject: 'member', action: ['read'] }] });
      await groups.putIn(group, self);
      expect(await self.call('DELETE', identityUrl(group, self))).toMatchObject(BOUNDARY);
      expect(await self.call('DELETE', identityUrl(group, machine))).toMatchObject(BOUNDARY);
      const strong = await groups.holder(manage, { subject: 'member', action: ['read'] });
      expect((await strong.call('DELETE', identityUrl(group, machine))).status).toBe(200);
      expect((await machine.call('GET', members())).status).toBe(200);
    });

    it('through deleting it, or through another role for it', async () => {
      const { group, machine, role } = await kept();
      const { call } = await groups.holder(manage);
      expect(await call('DELETE', groupUrl(group))).toMatchObject(BOUNDARY);
      expect(await call('PATCH', groupUrl(group), { role: 'no-access' })).toMatchObject(BOUNDARY);
      const stricter = await groups.organizationRole(forbidden, { subject: 'role', action: ['read'], inverted: true });
      expect(await call('PATCH', groupUrl(group), { role: stricter.slug })).toMatchObject(BOUNDARY);
      const strong = await groups.holder(manage, { subject: 'role', action: ['read'] });
      expect((await strong.call('PATCH', groupUrl(group), { role: stricter.slug })).status).toBe(200);
      expect(await call('PATCH', groupUrl(group), { role: role.slug })).toMatchObject(BOUNDARY);
      expect((await machine.call('GET', members())).status).toBe(403);
      await ok(test.admin('DELETE', groupUrl(group)));
      expect((await machine.call('GET', members())).status).toBe(200);
    });

    it('but actors who lose nothing by it can be added and removed', async () => {
      const { group } = await kept();
      const machine = await test.identity();
      await groups.putIn(group, machine);
      const { call } = await groups.holder(manage);
      expect((await call('DELETE', identityUrl(group, machine))).status).toBe(200);
    });

    it('in a project of which it is not a member', async () => {
      const [project, group] = [await test.project(), await groups.make()];
      const machine = await test.identity({ projectId: project.id, projectRole: 'member' });
      const slug = await groups.projectRole(project, { subject: 'tags', action: ['read'], inverted: true });
      await groups.letInto(project, group, { role: slug });
      await groups.putIn(group, machine);
      const tags = `/api/v1/projects/${project.id}/tags`;
      expect((await machine.call('GET', tags)).status).toBe(403);
      const { call } = await groups.holder(manage);
      expect(await call('DELETE', identityUrl(group, machine))).toMatchObject(BOUNDARY);
      expect(await call('DELETE', groupUrl(group))).toMatchObject(BOUNDARY);
      const member = await test.identity({ organizationRules: [manage], projectId: project.id, projectRole: 'member' });
      expect((await member.call('DELETE', identityUrl(group, machine))).status).toBe(200);
      expect((await machine.call('GET', tags)).status).toBe(200);
    });
  });
});

describe('the last administrator', () => {
  const refusedOrganization = {
    status: 400,
    body: { message: 'This is the only administrator of the organization; appoint another one first' },
  };
  const refusedProject = {
    status: 400,
    body: { message: 'This is the only administrator of the project; appoint another one first' },
  };

  /** An organization with only these administrators, all of them by one group. */
  const ruledByGroup = async (people: number) => {
    const { organizationId, call } = await test.foreign();
    const group = await ok(call('POST', '/api/v1/groups', { name: 'Rulers', role: 'admin' }));
    const rulers: Awaited<ReturnType<typeof groups.person>>[] = [];
    for (let n = 0; n < people; n++) {
      const ruler = await groups.person(organizationId);
      await ok(call('POST', userUrl(group, ruler)));
      rulers.push(ruler);
    }
    return { organizationId, call, group, rulers };
  };

  it('of an organization is not taken out of the group that makes it one, nor is that deleted or demoted', async () => {
    const { organizationId, call, group, rulers } = await ruledByGroup(1);
    const [ann] = rulers as [(typeof rulers)[number]];
    expect(await call('DELETE', userUrl(group, ann))).toMatchObject(refusedOrganization);
    expect(await ann.call('DELETE', groupUrl(group))).toMatchObject(refusedOrganization);
    expect(await ann.call('PATCH', groupUrl(group), { role: 'member' })).toMatchObject(refusedOrganization);
    await makeUser(test.coffer, { organizationId, role: 'admin' });
    expect((await ann.call('DELETE', groupUrl(group))).status).toBe(200);
  });

  it('of an organization remains when all take one another out at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { group, rulers } = await ruledByGroup(3);
      const answers = await Promise.all(
        rulers.map(({ call }, index) => call('DELETE', userUrl(group, rulers[(index + 1) % 3]!))),
      );
      const left = await test.coffer.pool.query('select 1 from group_members where group_id = $1', [group.id]);
      expect(left.rowCount).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3 - left.rowCount!);
      expect(answers.every(({ status }) => [200, 400, 403, 404].includes(status))).toBe(true);
    }
  });

  it('of an organization remains when its two groups are deleted at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { organizationId, call, group } = await ruledByGroup(1);
      const other = await ok(call('POST', '/api/v1/groups', { name: 'Others', role: 'admin' }));
      await ok(call('POST', userUrl(other, await groups.person(organizationId))));
      const answers = await Promise.all([
        call('DELETE', groupUrl(group)),
        call('PATCH', groupUrl(other), { role: 'no-access' }),
      ]);
      expect(statuses(answers)).toBe('200,400');
    }
  });

  it('of a project is not lost with a group', async () => {
    const [project, group, ann, machine] = [
      await test.project(),
      await groups.make(),
      await groups.person(),
      await test.identity(),
    ];
    await groups.letInto(project, group, { role: 'admin' });
    await groups.putIn(group, ann);
    const own = `/api/v1/projects/${project.id}/memberships/identities/${test.adminIdentity.id}`;
    await ok(test.admin('DELETE', own));
    expect(await test.admin('DELETE', userUrl(group, ann))).toMatchObject(refusedProject);
    expect(await test.admin('DELETE', groupUrl(group))).toMatchObject(refusedProject);
    expect(await ann.call('DELETE', projectUrl(project, group))).toMatchObject(refusedProject);
    expect(
      await ann.call('PATCH', projectUrl(project, group), { roles: [{ role: 'member', isTemporary: false }] }),
    ).toMatchObject(refusedProject);
    await groups.putIn(group, machine);
    await groups.takeOut(group, ann);
    expect(await test.admin('DELETE', identityUrl(group, machine))).toMatchObject(refusedProject);
  });

  it('of a project remains when its groups are emptied and taken away at the same time', async () => {
    for (let round = 0; round < 6; round++) {
      const project = await test.project();
      const made = [await groups.make(), await groups.make(), await groups.make()];
      const people = [await groups.person(), await groups.person(), await groups.person()];
      for (const [index, group] of made.entries()) {
        await groups.letInto(project, group, { role: 'admin' });
        await groups.putIn(group, people[index]!);
      }
      const identities = `/api/v1/projects/${project.id}/memberships/identities/${test.adminIdentity.id}`;
      const answers = await Promise.all([
        test.admin('DELETE', identities),
        test.admin('DELETE', groupUrl(made[0]!)),
        test.admin('DELETE', userUrl(made[1]!, people[1]!)),
        people[2]!.call('DELETE', projectUrl(project, made[2]!)),
      ]);
      expect(statuses(answers)).toBe('200,200,200,400');
      const { rowCount } = await test.coffer.pool.query('select 1 from effective_memberships where project_id = $1', [
        project.id,
      ]);
      expect(rowCount).toBe(1);
    }
  });

  /** Stops the removal of an actor from a group just before it is written, until `meanwhile` is done. */
  const duringRemoval = async (
    group: { id: string },
    ann: { id: string; username: string },
    meanwhile: (settled: (call: ReturnType<Caller>) => Promise<void>) => Promise<void>,
  ) => {
    const client = await test.coffer.pool.connect();
    const waiting = async (): Promise<number> => {
      const { rows } = await test.coffer.pool.query<{ count: string }>(
        `select count(*) from pg_stat_activity
         where wait_event_type = 'Lock' and datname = current_database() and pid <> pg_backend_pid()`,
      );
      return Number(rows[0]!.count);
    };
    /** Until a call has ended, or so many wait for locks. */
    const untilWaiting = async (count: number, call: ReturnType<Caller>) => {
      let hasEnded = false;
      const end = () => void (hasEnded = true);
      call.then(end, end);
      await expect.poll(async () => hasEnded || (await waiting()) >= count).toBe(true);
    };
    try {
      await client.query('begin');
      await client.query('select 1 from group_members where group_id = $1 and actor_id = $2 for update', [
        group.id,
        ann.id,
      ]);
      const removal = test.admin('DELETE', userUrl(group, ann));
      await untilWaiting(1, removal);
      await meanwhile((call) => untilWaiting(2, call));
      await client.query('commit');
      return await removal;
    } finally {
      client.release();
    }
  };

  /** A project with one administrator, who also administers the organization. */
  const ruledByOne = async () => {
    const project = await test.project();
    const boss = await test.identity({ organizationRole: 'admin', projectId: project.id, projectRole: 'admin' });
    const identities = `/api/v1/projects/${project.id}/memberships/identities`;
    await ok(boss.call('DELETE', `${identities}/${test.adminIdentity.id}`));
    return { project, boss, leave: () => boss.call('DELETE', `${identities}/${boss.id}`) };
  };

  it('of a project stays while one who is so by a group is taken out of that', async () => {
    const [{ project, boss, leave }, group, ann] = [await ruledByOne(), await groups.make(), await groups.person()];
    await ok(boss.call('POST', projectUrl(project, group), { role: 'admin' }));
    await groups.putIn(group, ann);
    let left: ReturnType<Caller> | undefined;
    const removal = await duringRemoval(group, ann, async (settled) => {
      left = leave();
      await settled(left);
    });
    expect(removal.status).toBe(200);
    expect(await left).toMatchObject(refusedProject);
  });

  it('of a project stays while a group comes to it whose last member goes', async () => {
    const [{ project, boss, leave }, group, ann] = [await ruledByOne(), await groups.make(), await groups.person()];
    await groups.putIn(group, ann);
    let added: ReturnType<Caller> | undefined;
    const removal = await duringRemoval(group, ann, async (settled) => {
      added = boss.call('POST', projectUrl(project, group), { role: 'admin' });
      await settled(added);
      expect(await leave()).toMatchObject(refusedProject);
    });
    expect(removal.status).toBe(200);
    expect((await added)?.status).toBe(200);
  });
});
