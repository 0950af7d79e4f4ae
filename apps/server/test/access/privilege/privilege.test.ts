import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectWithSecrets, reads, type Project } from '../../harness/privileges.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../../harness/test-server.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const HOUR = 3_600_000;

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

const V2 = '/api/v2/identity-project-additional-privilege';
const USERS = '/api/v1/user-project-additional-privilege';

const permanently = { isTemporary: false };
const from = (start: number, temporaryRange: string) => ({
  isTemporary: true,
  temporaryMode: 'relative',
  temporaryRange,
  temporaryAccessStartTime: new Date(start).toISOString(),
});
const now = () => test.coffer.now().getTime();

const read = (environment = 'dev') => ({
  subject: 'secrets',
  action: ['describeSecret', 'readValue'],
  conditions: { environment },
});
const edit = { subject: 'secrets', action: ['edit'] };

/** A member of the project, a machine or a person, and the paths of its privileges. */
interface Member {
  readonly id: string;
  readonly call: Caller;
  readonly membershipId: string;
  readonly url: string;
  /** What names the member in the body or query. */
  readonly of: Record<string, string>;
}

type Rights = { rules: object[] } | { projectRole: string };

async function machine(project: Project, rights: Rights = { projectRole: 'no-access' }): Promise<Member> {
  const { id, call } = await test.identity({ projectId: project.id, ...(rights as { projectRole: string }) });
  const { body } = await test.admin('GET', `/api/v1/projects/${project.id}/memberships/identities/${id}`);
  const of = { identityId: id, projectId: project.id };
  return { id, call, membershipId: body.identityMembership.id, url: V2, of };
}

async function person(project: Project, role = 'no-access'): Promise<Member> {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId });
  const { body } = await test.admin('POST', `/api/v2/workspace/${project.id}/memberships`, {
    usernames: [user.email],
    roleSlugs: [role],
  });
  const membershipId: string = body.memberships[0].id;
  const of = { projectMembershipId: membershipId };
  return { id: user.id, call: test.as(user.token), membershipId, url: USERS, of };
}

const give = (member: Member, body: object, call: Caller = test.admin): Promise<Answer> =>
  call('POST', member.url, { ...member.of, type: permanently, permissions: [read()], ...body });
const list = (member: Member, call: Caller = test.admin): Promise<Answer> =>
  call('GET', `${member.url}?${new URLSearchParams(member.of).toString()}`);

/** An identity of the project that may manage members, with these additional rules. */
const manager = (project: Project, ...rules: object[]) =>
  test.identity({
    projectId: project.id,
    rules: [
      { subject: 'identity', action: ['read', 'edit'] },
      { subject: 'member', action: ['read', 'edit'] },
      ...rules,
    ] as never,
  });

const without = ({ status, body }: Answer) => ({ status, body: { ...body, reqId: '' } });

describe.each([
  ['a machine identity', machine],
  ['a person', person],
] as const)('privileges of %s', (kind, makeMember) => {
  const isPerson = kind === 'a person';
  const shape = (member: Member, project: Project) => ({
    id: ID,
    slug: expect.any(String),
    projectMembershipId: member.membershipId,
    isTemporary: false,
    temporaryMode: null,
    temporaryRange: null,
    temporaryAccessStartTime: null,
    temporaryAccessEndTime: null,
    createdAt: INSTANT,
    updatedAt: INSTANT,
    ...(isPerson && { userId: member.id, projectId: project.id }),
  });

  it('are granted, read, listed, updated and revoked in the published shape', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    const rule = { subject: 'tags', action: 'read' };
    const made = await give(member, { slug: ' Reads-Dev ', permissions: [read(), rule, { ...edit, inverted: true }] });
    const stored = [read(), { subject: 'tags', action: ['read'] }, { ...edit, inverted: true }];
    const privilege = { ...shape(member, project), slug: 'reads-dev', permissions: stored };
    expect([made.status, made.body]).toEqual([200, { privilege }]);
    const { id } = made.body.privilege;
    const url = `${member.url}/${id}`;
    expect((await test.admin('GET', url)).body).toEqual({ privilege: made.body.privilege });
    const { permissions: _, ...summary } = made.body.privilege;
    expect((await list(member)).body).toEqual({ privileges: [summary] });

    const changed = await test.admin('PATCH', url, { slug: 'other', permissions: [rule] });
    expect(changed.body.privilege).toEqual({
      ...privilege,
      id,
      slug: 'other',
      permissions: [{ subject: 'tags', action: ['read'] }],
    });
    expect((await test.admin('DELETE', url)).body).toEqual({ privilege: changed.body.privilege });
    expect((await test.admin('GET', url)).status).toBe(404);
    expect((await list(member)).body).toEqual({ privileges: [] });
  });

  it('get a random slug of eight letters and digits by default; slugs are unique', async () => {
    const project = await projectWithSecrets(test);
    const [member, other] = [await makeMember(project), await makeMember(project)];
    const slugs = [(await give(member, {})).body.privilege.slug, (await give(member, {})).body.privilege.slug];
    expect(slugs).toEqual([expect.stringMatching(/^[a-z0-9]{8}$/), expect.stringMatching(/^[a-z0-9]{8}$/)]);
    expect((await give(member, { slug: 'mine' })).status).toBe(200);
    expect((await give(other, { slug: 'mine' })).status).toBe(200);
    const taken = await give(member, { slug: 'mine' });
    expect([taken.status, taken.body.message]).toEqual([400, 'This member already has a privilege with this slug']);
    const { id } = (await give(member, {})).body.privilege;
    expect((await test.admin('PATCH', `${member.url}/${id}`, { slug: 'mine' })).status).toBe(400);
    expect((await test.admin('PATCH', `${member.url}/${id}`, { slug: 'a'.repeat(60) })).status).toBe(200);
  });

  it('apply with the next request, and no longer after an update or deletion', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    expect(await reads(member, project)).toBe(403);
    const { id } = (await give(member, {})).body.privilege;
    expect([await reads(member, project), await reads(member, project, 'prod')]).toEqual([200, 403]);
    await test.admin('PATCH', `${member.url}/${id}`, { permissions: [read('prod')] });
    expect([await reads(member, project), await reads(member, project, 'prod')]).toEqual([403, 200]);
    await test.admin('DELETE', `${member.url}/${id}`);
    expect([await reads(member, project), await reads(member, project, 'prod')]).toEqual([403, 403]);
  });

  it('override roles and older privileges', async () => {
    const project = await projectWithSecrets(test);
    const member = isPerson ? await person(project, 'member') : await machine(project, { projectRole: 'member' });
    expect(await reads(member, project)).toBe(200);
    await give(member, { permissions: [{ ...read(), inverted: true }] });
    expect([await reads(member, project), await reads(member, project, 'prod')]).toEqual([403, 200]);
    await give(member, { permissions: [read()] });
    expect(await reads(member, project)).toBe(200);
  });

  it('apply only during their time window, without cleanup', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    const start = now() + HOUR;
    const { status, body } = await give(member, { type: from(start, '30m') });
    expect([status, body.privilege]).toEqual([
      200,
      {
        ...shape(member, project),
        isTemporary: true,
        temporaryMode: 'relative',
        temporaryRange: '30m',
        temporaryAccessStartTime: new Date(start).toISOString(),
        temporaryAccessEndTime: new Date(start + HOUR / 2).toISOString(),
        permissions: [read()],
      },
    ]);
    expect(await reads(member, project)).toBe(403);
    test.advance(HOUR + 1000);
    expect(await reads(member, project)).toBe(200);
    test.advance(HOUR / 2 - 3000);
    expect(await reads(member, project)).toBe(200);
    test.advance(3000);
    expect(await reads(member, project)).toBe(403);
    const { id } = body.privilege;
    const moved = await test.admin('PATCH', `${member.url}/${id}`, { type: from(now() - HOUR, '2h') });
    expect([moved.body.privilege.temporaryRange, await reads(member, project)]).toEqual(['2h', 200]);
    const stays = await test.admin('PATCH', `${member.url}/${id}`, { slug: 'kept' });
    expect([stays.body.privilege.temporaryRange, stays.body.privilege.permissions]).toEqual(['2h', [read()]]);
    const kept = await test.admin('PATCH', `${member.url}/${id}`, { type: permanently });
    expect(kept.body.privilege).toEqual({ ...shape(member, project), id, slug: 'kept', permissions: [read()] });
    test.advance(3 * HOUR);
    expect(await reads(member, project)).toBe(200);
    const past = await give(member, { slug: 'past', type: from(now() - 3 * HOUR, '1h'), permissions: [read('prod')] });
    expect([past.status, await reads(member, project, 'prod')]).toEqual([200, 403]);
  });

  it('reject invalid input', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    const limits: [object, number][] = [
      [{ slug: '' }, 422],
      [{ slug: 'a'.repeat(61) }, 422],
      [{ slug: 'a--b' }, 422],
      [{ slug: 'ä' }, 422],
      [{ type: undefined }, 422],
      [{ type: {} }, 422],
      [{ type: { isTemporary: true } }, 422],
      [{ type: { ...from(now(), '1h'), temporaryMode: 'absolute' } }, 422],
      [{ type: { ...from(now(), '1h'), temporaryRange: 'soon' } }, 422],
      [{ type: { ...from(now(), '1h'), temporaryRange: '0s' } }, 422],
      [{ type: { ...from(now(), '1h'), temporaryAccessStartTime: 'now' } }, 422],
      [{ type: from(now(), '9000y') }, 400],
      [{ permissions: undefined }, 422],
      [{ permissions: null }, 422],
      [{ permissions: {} }, 422],
      [{ permissions: [null] }, 422],
      [{ permissions: [{ subject: 'nothing', action: 'read' }] }, 422],
      [{ permissions: [{ subject: 'tags', action: 'fly' }] }, 422],
      [{ permissions: [{ ...edit, conditions: { environment: { $regex: '.' } } }] }, 422],
      [{ permissions: [{ ...edit, conditions: { secretPath: { $glob: '/[' } } }] }, 422],
      [{ permissions: Array.from({ length: 1001 }, () => edit) }, 422],
      [{ permissions: [{ subject: 'secrets', action: ['read', 'readValue'] }] }, 400],
      [{ permissions: [{ subject: 'secrets', action: ['describeSecret', 'read'] }] }, 400],
      [{ permissions: [{ ...edit, conditions: { environment: '{{user.name}}' } }] }, 400],
      [{ permissions: [{ ...edit, conditions: { secretPath: { $glob: '/{{identity.password}}/*' } } }] }, 400],
      [{ permissions: [{ ...edit, conditions: { environment: 'a\0b' } }] }, 400],
    ];
    for (const [body, status] of limits) {
      const answer = await give(member, body);
      expect([body, answer.status]).toEqual([body, status]);
    }
    expect((await list(member)).body.privileges).toEqual([]);
    const { id } = (await give(member, {})).body.privilege;
    for (const body of [
      { slug: '' },
      { permissions: [{ subject: 'x', action: 'y' }] },
      { type: { isTemporary: true } },
    ])
      expect([body, (await test.admin('PATCH', `${member.url}/${id}`, body)).status]).toEqual([body, 422]);
    expect((await test.admin('PATCH', `${member.url}/${id}`, {})).body.privilege.permissions).toEqual([read()]);
  });

  it('say which part of a time window is wrong', async () => {
    const member = await makeMember(await projectWithSecrets(test));
    const { temporaryRange: _, ...endless } = from(now(), '1h');
    for (const [type, field] of [
      [endless, 'temporaryRange'],
      [{ ...from(now(), '1h'), temporaryMode: 'absolute' }, 'temporaryMode'],
      [{ ...from(now(), '1h'), temporaryAccessStartTime: '2026-13-01T00:00:00Z' }, 'temporaryAccessStartTime'],
      [{}, 'isTemporary'],
    ] as const) {
      const { status, body } = await give(member, { type });
      expect([status, body.message.map(({ path }: { path: string[] }) => path.join('.'))]).toEqual([
        422,
        [`type.${field}`],
      ]);
    }
    const { body } = await give(member, { type: { ...from(now(), '1h'), temporaryAccessStartTime: 'now' } });
    expect(body.message[0].message).toContain('RFC 3339');
  });

  it('need a valid token', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    const { id } = (await give(member, {})).body.privilege;
    const { expired, revoked } = await endedTokens(project);
    const operations: [Parameters<Caller>[0], string, object?][] = [
      ['GET', `${member.url}?${new URLSearchParams(member.of).toString()}`],
      ['POST', member.url, { ...member.of, type: permanently, permissions: [] }],
      ['GET', `${member.url}/${id}`],
      ['PATCH', `${member.url}/${id}`, { slug: 'other' }],
      ['DELETE', `${member.url}/${id}`],
    ];
    if (!isPerson) operations.push(['GET', `${V2}/slug/x?identityId=${member.id}&projectSlug=${project.slug}`]);
    for (const [method, url, body] of operations)
      for (const token of [undefined, expired, revoked])
        expect([method, url, (await test.as(token)(method, url, body)).status]).toEqual([method, url, 401]);
    expect((await list(member)).body.privileges).toHaveLength(1);
  });

  it('do not exist for another organization, nor for non-members of the project', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    const { id } = (await give(member, { slug: 'mine' })).body.privilege;
    const foreign = await test.foreign();
    const outsider = await test.identity({ organizationRole: 'member' });
    for (const call of [foreign.call, outsider.call]) {
      for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
        const body = method === 'PATCH' ? { slug: 'stolen' } : undefined;
        const unknown = without(await call(method, `${member.url}/${NOWHERE}`, body));
        expect(unknown.status).toBe(404);
        expect(without(await call(method, `${member.url}/${id}`, body))).toEqual(unknown);
        expect(without(await call(method, `${member.url}/no-uuid`, body))).toEqual(unknown);
      }
      const elsewhere: Member = {
        ...member,
        of: Object.fromEntries(Object.keys(member.of).map((key) => [key, NOWHERE])),
      };
      expect(without(await give(member, {}, call))).toEqual(without(await give(elsewhere, {}, call)));
      expect(without(await list(member, call))).toEqual(without(await list(elsewhere, call)));
      expect((await list(member, call)).status).toBe(404);
    }
    expect((await list(member)).body.privileges).toHaveLength(1);
    expect((await give({ ...member, of: { ...member.of, identityId: outsider.id } }, {})).status).toBe(
      isPerson ? 200 : 404,
    );
    for (const name of Object.keys(member.of))
      for (const given of ['no-uuid', '\0', NOWHERE])
        expect((await give({ ...member, of: { ...member.of, [name]: given } }, {})).status).toBe(404);
  });

  it('cannot be read or changed without the permission', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    const { id } = (await give(member, {})).body.privilege;
    const { call } = await test.identity({ projectId: project.id, projectRole: 'no-access' });
    const url = `${member.url}/${id}`;
    const answers = [
      await list(member, call),
      await give(member, {}, call),
      await call('GET', url),
      await call('PATCH', url, { slug: 'other' }),
      await call('DELETE', url),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
      answers.map(() => [403, 'PermissionDenied']),
    );
    const reader = await test.identity({
      projectId: project.id,
      rules: [{ subject: isPerson ? 'member' : 'identity', action: 'read' }],
    });
    expect((await reader.call('GET', url)).status).toBe(200);
    expect((await list(member, reader.call)).status).toBe(200);
    expect((await give(member, { permissions: [] }, reader.call)).status).toBe(403);
    expect((await reader.call('PATCH', url, { slug: 'x' })).status).toBe(403);
    expect((await reader.call('DELETE', url)).status).toBe(403);
  });

  it('can be granted with the specific permission as well, unless it is forbidden', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    const subject = isPerson ? 'member' : 'identity';
    const only = await test.identity({
      projectId: project.id,
      rules: [{ subject, action: 'assign-additional-privileges' }, read()],
    });
    const { status, body } = await give(member, {}, only.call);
    expect(status).toBe(200);
    expect((await only.call('DELETE', `${member.url}/${body.privilege.id}`)).status).toBe(200);
    const never = await test.identity({
      projectId: project.id,
      rules: [
        { subject, action: ['read', 'edit'] },
        { subject, action: 'assign-additional-privileges', inverted: true },
        read(),
      ],
    });
    expect((await give(member, {}, never.call)).status).toBe(403);
  });

  it('are separate for each kind of member', async () => {
    const project = await projectWithSecrets(test);
    const [member, other] = [await makeMember(project), isPerson ? await machine(project) : await person(project)];
    const { id } = (await give(member, {})).body.privilege;
    for (const [method, body] of [['GET'], ['PATCH', { slug: 'x' }], ['DELETE']] as const)
      expect([method, (await test.admin(method, `${other.url}/${id}`, body)).status]).toEqual([method, 404]);
    const mixed: Record<string, string> = isPerson
      ? { projectMembershipId: other.membershipId }
      : { ...member.of, identityId: other.id };
    expect((await give({ ...member, of: mixed }, {})).status).toBe(404);
    expect((await list({ ...member, of: mixed })).status).toBe(404);
  });

  it('are noted in the audit log with ids, names, and what they give', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    const { id } = (await give(member, { slug: 'noted' })).body.privilege;
    const start = new Date('2030-01-01T00:00:00Z');
    const anHour = {
      isTemporary: true,
      temporaryMode: 'relative',
      temporaryRange: '1h',
      temporaryAccessStartTime: start,
    };
    await test.admin('PATCH', `${member.url}/${id}`, { permissions: [], type: anHour });
    await test.admin('DELETE', `${member.url}/${id}`);
    const { rows } = await test.coffer.pool.query<{ type: string; data: unknown }>(
      `select type, data from audit_events where data ->> 'privilegeId' = $1 order by created_at, id`,
      [id],
    );
    const noun = isPerson ? 'user_privilege' : 'identity_privilege';
    const data = { privilegeId: id, slug: 'noted', membershipId: member.membershipId, holderId: member.id };
    expect(rows).toEqual([
      { type: `${noun}.created`, data: { ...data, permissions: [{ ...read(), action: [read().action].flat() }] } },
      {
        type: `${noun}.updated`,
        data: {
          ...{ ...data, changed: ['permissions', 'type'], permissions: [] },
          ...{ from: '2030-01-01T00:00:00.000Z', until: '2030-01-01T01:00:00.000Z' },
        },
      },
      { type: `${noun}.deleted`, data },
    ]);
  });

  it('go with the membership', async () => {
    const project = await projectWithSecrets(test);
    const member = await makeMember(project);
    const { id } = (await give(member, {})).body.privilege;
    const url = isPerson
      ? `/api/v1/projects/${project.id}/memberships/${member.membershipId}`
      : `/api/v1/projects/${project.id}/memberships/identities/${member.id}`;
    expect((await test.admin('DELETE', url)).status).toBe(200);
    expect((await test.admin('GET', `${member.url}/${id}`)).status).toBe(404);
    expect(await reads(member, project)).toBe(404);
  });

  describe('cannot grant', () => {
    const refused = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      expect([status, body.error]).toEqual([403, 'PermissionBoundaryError']);
      return body.details.missingPermissions;
    };

    it('more than the giver may do, forever or for a time', async () => {
      const project = await projectWithSecrets(test);
      const member = await makeMember(project);
      const { call } = await manager(project, read());
      expect((await give(member, { permissions: [read()] }, call)).status).toBe(200);
      const missing = await refused(give(member, { permissions: [read('prod')] }, call));
      expect(missing).toContainEqual({
        subject: 'secrets',
        action: 'readValue',
        conditions: { environment: 'prod' },
      });
      for (const rule of [
        { subject: 'secrets', action: 'readValue' },
        { subject: 'secrets', action: 'read', conditions: { environment: 'dev' } },
        edit,
        { ...read(), conditions: { environment: { $glob: 'd*' } } },
        { ...read(), conditions: { environment: { $ne: 'prod' } } },
        { subject: 'role', action: 'create' },
      ]) {
        await refused(give(member, { permissions: [rule] }, call));
        await refused(give(member, { permissions: [rule], type: from(now() + HOUR, '1h') }, call));
        await refused(give(member, { permissions: [read(), { ...rule, inverted: true }, rule] }, call));
      }
      expect((await list(member)).body.privileges).toHaveLength(1);
    });

    it('what is forbidden to the grantor, nor lift what is forbidden to the member', async () => {
      const project = await projectWithSecrets(test);
      const member = await makeMember(project);
      const all = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
      const { call } = await manager(project, all, { ...read('prod'), inverted: true });
      await refused(give(member, { permissions: [all] }, call));
      const forbidding = { permissions: [{ ...read('prod'), inverted: true }] };
      expect((await give(member, forbidding, call)).status).toBe(200);
      for (const type of [permanently, from(now(), '1h'), from(now() + HOUR, '1h')]) {
        const { id } = (await give(member, { ...forbidding, type })).body.privilege;
        const url = `${member.url}/${id}`;
        await refused(call('DELETE', url));
        await refused(call('PATCH', url, { permissions: [] }));
        await refused(call('PATCH', url, { type: from(now() - HOUR, '1s') }));
        await refused(call('PATCH', url, { type: from(now() + 90 * 60_000, '1m') }));
        expect((await call('PATCH', url, { slug: `renamed-${id.slice(-8)}`, type: permanently })).status).toBe(200);
      }
      const over = (await give(member, { ...forbidding, type: from(now() - 2 * HOUR, '1h') })).body.privilege;
      expect((await call('DELETE', `${member.url}/${over.id}`)).status).toBe(200);
    });

    it('more by an update: other rules, a longer time, or a time that begins again', async () => {
      const project = await projectWithSecrets(test);
      const member = await makeMember(project);
      const { call } = await manager(project, read());
      const type = from(now() - HOUR, '2h');
      const { id } = (await give(member, { permissions: [edit], type })).body.privilege;
      const url = `${member.url}/${id}`;
      await refused(call('PATCH', url, { permissions: [read(), edit] }));
      await refused(call('PATCH', url, { permissions: [edit] }));
      await refused(call('PATCH', url, { type: permanently }));
      await refused(call('PATCH', url, { type: from(now() - HOUR, '3h') }));
      await refused(call('PATCH', url, { type: from(now() + HOUR, '1h') }));
      await refused(call('PATCH', url, { slug: 'renamed' }));
      await refused(call('PATCH', url, { type: from(now() - HOUR, '90m') }));
      expect((await test.admin('PATCH', url, { type: from(now() - HOUR, '90m') })).status).toBe(200);
      test.advance(2 * HOUR);
      for (const again of [permanently, from(now(), '1m'), from(now() + HOUR, '1h')])
        await refused(call('PATCH', url, { type: again }));
      expect((await call('PATCH', url, { permissions: [read()], type: permanently })).status).toBe(200);
      expect(await reads(member, project)).toBe(200);
    });

    it('anything to the grantor itself, nor lift its denials', async () => {
      const project = await projectWithSecrets(test);
      const own = await machine(project, {
        rules: [{ subject: 'identity', action: ['read', 'edit'] }, read(), { subject: 'member', action: 'edit' }],
      });
      const { id } = (await give(own, { permissions: [{ ...read(), inverted: true }] })).body.privilege;
      expect(await reads(own, project)).toBe(403);
      await refused(own.call('DELETE', `${V2}/${id}`));
      await refused(own.call('PATCH', `${V2}/${id}`, { permissions: [] }));
      await refused(own.call('PATCH', `${V2}/${id}`, { type: from(now() - HOUR, '1s') }));
      await refused(give(own, { permissions: [read()] }, own.call));
      await refused(give(own, { permissions: [edit] }, own.call));
      expect(await reads(own, project)).toBe(403);
    });

    it('rights of a project to grantees in another one', async () => {
      const [project, other] = [await projectWithSecrets(test), await projectWithSecrets(test)];
      const { call, id } = await manager(project, read());
      await test.admin('POST', `/api/v1/projects/${other.id}/memberships/identities/${id}`, { role: 'no-access' });
      const member = await makeMember(other);
      expect((await give(member, {}, call)).status).toBe(403);
    });

    it('templated rules that could be more than the giver may do', async () => {
      const project = await projectWithSecrets(test);
      const member = await makeMember(project);
      const at = (secretPath: object | string) => ({ ...edit, conditions: { secretPath } });
      const { call } = await manager(project, at({ $glob: '/team/**' }));
      expect((await give(member, { permissions: [at({ $glob: '/team/{{identity.id}}/**' })] }, call)).status).toBe(200);
      expect((await give(member, { permissions: [at('/team/{{identity.metadata.team}}')] }, call)).status).toBe(200);
      await refused(give(member, { permissions: [at({ $glob: '/{{identity.metadata.team}}/**' })] }, call));
      await refused(give(member, { permissions: [at('{{identity.metadata.path}}')] }, call));
      await refused(
        give(member, { permissions: [edit, { ...at({ $ne: '/team/{{identity.id}}' }), inverted: true }] }, call),
      );
    });
  });
});

describe('privileges of a machine identity', () => {
  it('are found by their slug', async () => {
    const project = await projectWithSecrets(test);
    const member = await machine(project);
    const made = (await give(member, { slug: 'by-slug' })).body.privilege;
    const at = (slug: string, identityId: string, projectSlug: string) =>
      `${V2}/slug/${slug}?identityId=${identityId}&projectSlug=${projectSlug}`;
    const found = await test.admin('GET', at('by-slug', member.id, project.slug));
    expect([found.status, found.body]).toEqual([200, { privilege: made }]);
    expect((await test.admin('GET', at('By-Slug', member.id.toUpperCase(), project.slug))).status).toBe(200);
    for (const url of [
      at('other', member.id, project.slug),
      at('%00', member.id, project.slug),
      at('by-slug', NOWHERE, project.slug),
      at('by-slug', 'no-uuid', project.slug),
      at('by-slug', member.id, 'no-project'),
    ])
      expect([url, (await test.admin('GET', url)).status]).toEqual([url, 404]);
    const { call } = await test.identity({ projectId: project.id });
    expect((await call('GET', at('by-slug', member.id, project.slug))).status).toBe(403);
    const foreign = await test.foreign();
    expect(without(await foreign.call('GET', at('by-slug', member.id, project.slug)))).toEqual(
      without(await foreign.call('GET', at('by-slug', member.id, 'no-project'))),
    );
  });

  it('can be managed by rules that name the identity, and only those', async () => {
    const project = await projectWithSecrets(test);
    const [mine, other] = [await machine(project), await machine(project)];
    const { call } = await test.identity({
      projectId: project.id,
      rules: [{ subject: 'identity', action: ['read', 'edit'], conditions: { identityId: mine.id } }, read()],
    });
    const given = await give(mine, {}, call);
    expect(given.status).toBe(200);
    expect((await give(other, {}, call)).status).toBe(403);
    const { id } = (await give(other, {})).body.privilege;
    for (const [method, body] of [['GET'], ['PATCH', { slug: 'x' }], ['DELETE']] as const) {
      expect((await call(method, `${V2}/${id}`, body)).status).toBe(403);
      expect((await call(method, `${V2}/${given.body.privilege.id}`, body)).status).toBe(200);
    }
    expect((await list(other, call)).status).toBe(403);
  });
});

/** Tokens of an administrator of the project: an expired and a revoked one. */
async function endedTokens(project: Project): Promise<{ expired: string; revoked: string }> {
  const { body } = await test.admin('POST', '/api/v1/identities', {
    name: 'ends',
    organizationId: test.organizationId,
    role: 'admin',
  });
  const { id } = body.identity;
  await test.admin('POST', `/api/v1/projects/${project.id}/memberships/identities/${id}`, { role: 'admin' });
  const at = `/api/v1/auth/token-auth/identities/${id}`;
  await test.admin('POST', at, { accessTokenTTL: 60, accessTokenMaxTTL: 60 });
  const expired = (await test.admin('POST', `${at}/tokens`, {})).body.accessToken;
  test.advance(61_000);
  const { accessToken: revoked, tokenData } = (await test.admin('POST', `${at}/tokens`, {})).body;
  expect((await test.as(revoked)('GET', `/api/v1/projects/${project.id}/roles`)).status).toBe(200);
  await test.admin('POST', `/api/v1/auth/token-auth/tokens/${tokenData.id}/revoke`);
  return { expired, revoked };
}
