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

const V1 = '/api/v1/additional-privilege/identity';
const V2 = '/api/v2/identity-project-additional-privilege';

const now = () => test.coffer.now().getTime();
const window = (start: number, temporaryRange: string) => ({
  temporaryMode: 'relative',
  temporaryRange,
  temporaryAccessStartTime: new Date(start).toISOString(),
});

interface Member {
  readonly id: string;
  readonly token: string;
  readonly call: Caller;
  readonly membershipId: string;
  readonly of: { identityId: string; projectSlug: string };
}

async function machine(project: Project, rules: object[] = []): Promise<Member> {
  const identity = await test.identity({ projectId: project.id, rules: rules as never });
  const { body } = await test.admin('GET', `/api/v1/projects/${project.id}/memberships/identities/${identity.id}`);
  const of = { identityId: identity.id, projectSlug: project.slug };
  return { ...identity, membershipId: body.identityMembership.id, of };
}

const inDev = { environment: 'dev', secretPath: { $glob: '/**' } };
const readDev = { action: 'read', subject: 'secrets', conditions: inDev };
const shownReadDev = { ...readDev, action: ['read'] };
const permanent = (member: Member, body: object, call: Caller = test.admin): Promise<Answer> =>
  call('POST', `${V1}/permanent`, { ...member.of, permissions: [readDev], ...body });
const temporary = (member: Member, body: object, call: Caller = test.admin): Promise<Answer> =>
  call('POST', `${V1}/temporary`, { ...member.of, permissions: [readDev], ...window(now(), '1h'), ...body });
const list = (member: Member, call: Caller = test.admin): Promise<Answer> =>
  call('GET', `${V1}?${new URLSearchParams(member.of).toString()}`);
const bySlug = (member: Member, slug: string, call: Caller = test.admin): Promise<Answer> =>
  call('GET', `${V1}/${slug}?${new URLSearchParams(member.of).toString()}`);
const update = (member: Member, privilegeSlug: string, privilegeDetails: object, call: Caller = test.admin) =>
  call('PATCH', V1, { ...member.of, privilegeSlug, privilegeDetails });
const remove = (member: Member, privilegeSlug: string, call: Caller = test.admin) =>
  call('DELETE', V1, { ...member.of, privilegeSlug });

/** The stored rules. */
const stored = async ({ body }: Answer): Promise<unknown> =>
  (await test.admin('GET', `${V2}/${body.privilege.id}`)).body.privilege.permissions;

const without = ({ status, body }: Answer) => ({ status, body: { ...body, reqId: '' } });

describe('privileges of older clients', () => {
  it('are granted permanently, read, listed, updated and revoked in the published shape', async () => {
    const project = await projectWithSecrets(test);
    const member = await machine(project);
    const made = await permanent(member, { slug: ' Mine ' });
    const privilege = {
      id: ID,
      slug: 'mine',
      projectMembershipId: member.membershipId,
      isTemporary: false,
      temporaryMode: null,
      temporaryRange: null,
      temporaryAccessStartTime: null,
      temporaryAccessEndTime: null,
      permissions: [shownReadDev],
      createdAt: INSTANT,
      updatedAt: INSTANT,
    };
    expect([made.status, made.body]).toEqual([200, { privilege }]);
    expect((await bySlug(member, 'mine')).body).toEqual(made.body);
    expect((await list(member)).body).toEqual({ privileges: [made.body.privilege] });
    const rule = { action: 'read', subject: 'role' };
    const changed = await update(member, 'mine', { slug: 'other', permissions: [rule] });
    expect(changed.body.privilege).toEqual({
      ...privilege,
      id: made.body.privilege.id,
      slug: 'other',
      permissions: [{ ...rule, action: ['read'] }],
    });
    expect((await remove(member, 'other')).body).toEqual({ privilege: changed.body.privilege });
    expect((await bySlug(member, 'other')).status).toBe(404);
    expect((await list(member)).body).toEqual({ privileges: [] });
  });

  it('are updated only in the given fields: a slug, rules or a time', async () => {
    const member = await machine(await projectWithSecrets(test));
    const start = now();
    const made = await temporary(member, { slug: 'first', ...window(start, '1h') });
    const rules = await stored(made);
    const renamed = await update(member, 'first', { slug: 'second' });
    const { updatedAt: _before, ...before } = made.body.privilege;
    const { updatedAt: _after, ...after } = renamed.body.privilege;
    expect([renamed.status, after]).toEqual([200, { ...before, slug: 'second' }]);
    expect(await stored(renamed)).toEqual(rules);
    const prolonged = await update(member, 'second', { temporaryRange: '2h' });
    expect(prolonged.body.privilege).toMatchObject({ slug: 'second', isTemporary: true, temporaryRange: '2h' });
    expect(await stored(prolonged)).toEqual(rules);
    const ruled = await update(member, 'second', { permissions: [{ action: 'read', subject: 'role' }] });
    expect(ruled.body.privilege).toMatchObject({ slug: 'second', isTemporary: true, temporaryRange: '2h' });
    expect(await stored(ruled)).toEqual([{ action: ['read'], subject: 'role' }]);
    expect((await update(member, 'second', {})).body.privilege.slug).toBe('second');
  });

  it('accept the documented body', async () => {
    const project = await projectWithSecrets(test);
    const member = await machine(project);
    const conditions = { environment: 'dev', secretPath: { $glob: '/' } };
    const body = {
      slug: 'documented',
      permissions: [{ action: 'read', subject: 'role', conditions }],
      privilegePermission: { actions: ['read'], subject: 'secrets', conditions },
    };
    const both = [{ action: ['read'], subject: 'secrets', conditions }];
    expect((await permanent(member, body)).body.privilege.permissions).toEqual(both);
    const { privilegePermission: _, ...alone } = body;
    const made = await permanent(member, { ...alone, slug: 'role' });
    expect(made.body.privilege.permissions).toEqual([{ action: ['read'], subject: 'role', conditions }]);
    const type = { isTemporary: true, ...window(now(), '1h') };
    const changed = await update(member, 'role', { ...body, slug: 'again', ...type });
    expect(changed.body.privilege).toMatchObject({ slug: 'again', isTemporary: true, permissions: both });
  });

  it('apply during their window, and with the next request', async () => {
    const project = await projectWithSecrets(test);
    const member = await machine(project);
    const start = now() + HOUR;
    const { status, body } = await temporary(member, window(start, '30m'));
    expect([status, body.privilege]).toEqual([
      200,
      {
        id: ID,
        slug: expect.stringMatching(/^[a-z0-9]{8}$/),
        projectMembershipId: member.membershipId,
        isTemporary: true,
        temporaryMode: 'relative',
        temporaryRange: '30m',
        temporaryAccessStartTime: new Date(start).toISOString(),
        temporaryAccessEndTime: new Date(start + HOUR / 2).toISOString(),
        permissions: [shownReadDev],
        createdAt: INSTANT,
        updatedAt: INSTANT,
      },
    ]);
    expect(await reads(member, project)).toBe(403);
    test.advance(HOUR + 1000);
    expect([await reads(member, project), await reads(member, project, 'prod')]).toEqual([200, 403]);
    test.advance(HOUR / 2);
    expect(await reads(member, project)).toBe(403);
    const { slug } = body.privilege;
    await update(member, slug, { permissions: [readDev], isTemporary: false });
    expect(await reads(member, project)).toBe(200);
    await remove(member, slug);
    expect(await reads(member, project)).toBe(403);
  });

  it('keep the parts of a time window that an update omits', async () => {
    const project = await projectWithSecrets(test);
    const member = await machine(project);
    const start = now();
    const { slug } = (await temporary(member, window(start, '1h'))).body.privilege;
    const permissions = [readDev];
    expect((await update(member, slug, { permissions })).body.privilege).toMatchObject(window(start, '1h'));
    expect((await update(member, slug, { permissions, temporaryRange: '2h' })).body.privilege).toMatchObject({
      ...window(start, '2h'),
      temporaryAccessEndTime: new Date(start + 2 * HOUR).toISOString(),
    });
    const ended = await update(member, slug, { permissions, isTemporary: false });
    expect(ended.body.privilege).toMatchObject({
      isTemporary: false,
      temporaryMode: null,
      temporaryRange: null,
      temporaryAccessStartTime: null,
      temporaryAccessEndTime: null,
    });
    for (const half of [{ isTemporary: true }, { temporaryRange: '1h' }, { isTemporary: true, temporaryRange: '1h' }])
      expect((await update(member, slug, { permissions, ...half })).status).toBe(400);
  });

  it('are extended for secrets, and returned as sent', async () => {
    const project = await projectWithSecrets(test);
    const member = await machine(project);
    const actions = ['read', 'create', 'edit', 'delete'];
    const made = await permanent(member, {
      permissions: undefined,
      privilegePermission: { actions, subject: 'secrets', conditions: { environment: 'dev' } },
    });
    const conditions = { environment: 'dev' };
    expect(made.body.privilege.permissions).toEqual(
      actions.map((action) => ({ subject: 'secrets', action: [action], conditions })),
    );
    const rules = (await stored(made)) as { subject: string; action: string[]; conditions: unknown }[];
    expect(rules.every((rule) => JSON.stringify(rule.conditions) === JSON.stringify(conditions))).toBe(true);
    const of = (wanted: string) => rules.flatMap(({ subject, action }) => (subject === wanted ? action : []));
    expect(of('secrets')).toEqual(actions);
    expect(of('secret-imports')).toEqual(actions);
    expect(of('secret-folders')).toEqual(['create', 'edit', 'delete']);
    expect(of('dynamic-secrets')).toEqual([
      'read-root-credential',
      'create-root-credential',
      'edit-root-credential',
      'lease',
      'delete-root-credential',
    ]);
    expect(await reads(member, project)).toBe(200);
    const folder = { projectId: project.id, environment: 'dev', path: '/', name: 'made' };
    expect((await member.call('POST', '/api/v2/folders', folder)).status).toBe(200);
    expect((await member.call('POST', '/api/v2/folders', { ...folder, environment: 'prod' })).status).toBe(403);
    const shown = await permanent(member, {
      permissions: [
        { action: 'create', subject: 'dynamic-secrets' },
        { action: 'read', subject: 'secret-imports', conditions: inDev },
        { action: 'read', subject: 'tags', conditions: null },
      ],
    });
    expect(shown.body.privilege.permissions).toEqual([{ action: ['read'], subject: 'tags' }]);
    expect(await stored(shown)).toEqual([
      { action: ['create-root-credential'], subject: 'dynamic-secrets' },
      { action: ['read'], subject: 'secret-imports', conditions: inDev },
      { action: ['read'], subject: 'tags' },
    ]);
    expect((await list(member)).body.privileges).toEqual([made.body.privilege, shown.body.privilege]);
  });

  it('reject unknown fields', async () => {
    const project = await projectWithSecrets(test);
    const member = await machine(project);
    const { slug } = (await permanent(member, {})).body.privilege;
    const rule = (changes: object) => ({ permissions: [{ ...readDev, ...changes }] });
    const secrets = (changes: object) => ({
      privilegePermission: { actions: ['read'], subject: 'secrets', conditions: { environment: 'dev' }, ...changes },
    });
    const rules: [object, number][] = [
      [{ permissions: undefined }, 400],
      [{ permissions: null }, 422],
      [{ permissions: [null] }, 422],
      [rule({ action: ['read'] }), 422],
      [rule({ action: 'readValue' }), 422],
      [rule({ subject: 'nothing' }), 422],
      [rule({ subject: 'audit-logs', action: 'edit' }), 422],
      [rule({ inverted: true }), 422],
      [rule({ conditions: { environment: { $glob: '*' } } }), 422],
      [rule({ conditions: { environment: '' } }), 422],
      [rule({ conditions: { secretPath: '/' } }), 422],
      [rule({ conditions: { secretPath: { $glob: '' } } }), 422],
      [rule({ conditions: { secretPath: { $glob: '/[' } } }), 422],
      [rule({ conditions: { secretPath: { $glob: '/', $ne: '/' } } }), 422],
      [rule({ conditions: { secretName: 'A' } }), 422],
      [rule({ conditions: { environment: '{{x}}' } }), 400],
      [rule({ conditions: { secretPath: { $glob: '/{{user.id}}' } } }), 400],
      [secrets({ actions: [] }), 422],
      [secrets({ actions: ['lease'] }), 422],
      [secrets({ subject: 'tags' }), 422],
      [secrets({ conditions: undefined }), 422],
      [secrets({ conditions: {} }), 422],
      [secrets({ conditions: { secretPath: { $glob: '/' } } }), 422],
      [secrets({ inverted: true }), 422],
      [{ slug: '-' }, 422],
      [{ slug: 'a'.repeat(61) }, 422],
    ];
    for (const [body, status] of rules) {
      expect([body, (await permanent(member, body)).status]).toEqual([body, status]);
      expect([body, (await temporary(member, body)).status]).toEqual([body, status]);
      const details = { permissions: [readDev], ...body };
      // An update contains only changes; only creation requires rules.
      const expected = 'permissions' in body && body.permissions === undefined ? 200 : status;
      expect([body, (await update(member, slug, details)).status]).toEqual([body, expected]);
    }
    for (const taken of [await permanent(member, { slug }), await temporary(member, { slug })])
      expect([taken.status, taken.body.message]).toEqual([400, 'This member already has a privilege with this slug']);
    const windows: [object, number][] = [
      [{ temporaryMode: undefined }, 422],
      [{ temporaryMode: 'absolute' }, 422],
      [{ temporaryRange: undefined }, 422],
      [{ temporaryRange: '-1h' }, 422],
      [{ temporaryAccessStartTime: undefined }, 422],
      [{ temporaryAccessStartTime: '2026-01-01' }, 422],
    ];
    for (const [body, status] of windows)
      expect([body, (await temporary(member, body)).status]).toEqual([body, status]);
    expect((await test.admin('PATCH', V1, { ...member.of, privilegeSlug: slug })).status).toBe(422);
    expect((await list(member)).body.privileges).toHaveLength(1);
  });

  it('are not there under another name, identity or project', async () => {
    const project = await projectWithSecrets(test);
    const [member, other] = [await machine(project), await machine(project)];
    await permanent(member, { slug: 'mine' });
    const stranger = await test.identity({ organizationRole: 'member' });
    const every = (who: Member, slug: string, call: Caller = test.admin) =>
      Promise.all([bySlug(who, slug, call), update(who, slug, { permissions: [] }, call), remove(who, slug, call)]);
    for (const answers of [
      await every(member, 'other'),
      await every(member, '%00'),
      await every(other, 'mine'),
      await every({ ...member, of: { ...member.of, identityId: NOWHERE } }, 'mine'),
      await every({ ...member, of: { ...member.of, identityId: 'no-uuid' } }, 'mine'),
      await every({ ...member, of: { ...member.of, projectSlug: 'no-project' } }, 'mine'),
    ])
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    const { call: foreign } = await test.foreign();
    for (const call of [foreign, stranger.call]) {
      const unknown = { ...member, of: { ...member.of, projectSlug: 'no-project' } };
      expect((await every(member, 'mine', call)).map(without)).toEqual(
        (await every(unknown, 'mine', call)).map(without),
      );
      for (const operation of [permanent, temporary])
        expect(without(await operation(member, {}, call))).toEqual(without(await operation(unknown, {}, call)));
      expect(without(await list(member, call))).toEqual(without(await list(unknown, call)));
      expect((await list(member, call)).status).toBe(404);
    }
    const absent = { ...member, of: { ...member.of, identityId: stranger.id } };
    for (const operation of [permanent, temporary]) expect((await operation(absent, {})).status).toBe(404);
    expect((await list(absent)).status).toBe(404);
    expect((await list(member)).body.privileges).toHaveLength(1);
  });

  it('need a valid token and a permission', async () => {
    const project = await projectWithSecrets(test);
    const member = await machine(project);
    await permanent(member, { slug: 'mine' });
    const every = async (call: Caller) => [
      await list(member, call),
      await bySlug(member, 'mine', call),
      await permanent(member, {}, call),
      await temporary(member, {}, call),
      await update(member, 'mine', { permissions: [] }, call),
      await remove(member, 'mine', call),
    ];
    const { expired, revoked } = await endedTokens(project);
    for (const token of [undefined, expired, revoked])
      expect((await every(test.as(token))).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    expect((await every(member.call)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
    const reader = await machine(project, [{ subject: 'identity', action: 'read' }]);
    expect((await every(reader.call)).map(({ status }) => status)).toEqual([200, 200, 403, 403, 403, 403]);
    expect((await list(member)).body.privileges).toHaveLength(1);
  });

  it("cannot grant more than the caller's rights, in either form, permanently or for a time", async () => {
    const project = await projectWithSecrets(test);
    const member = await machine(project);
    const onSecrets = ['secrets', 'secret-imports'].map((subject) => ({ subject, action: ['read'] }));
    const credentials = { subject: 'dynamic-secrets', action: ['read-root-credential'] };
    const within = (...rules: object[]) => rules.map((one) => ({ ...one, conditions: { environment: 'dev' } }));
    const rights = { subject: 'identity', action: ['read', 'edit'] };
    const { call } = await machine(project, [rights, ...within(...onSecrets, credentials)]);
    const lesser = await machine(project, [rights, ...within(...onSecrets)]);
    const form = (environment: string, action = 'read'): object[] => [
      { permissions: [{ action, subject: 'secrets', conditions: { environment } }] },
      {
        permissions: [],
        privilegePermission: { actions: [action], subject: 'secrets', conditions: { environment } },
      },
    ];
    const refused = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      expect([status, body.error]).toEqual([403, 'PermissionBoundaryError']);
    };
    const { slug } = (await permanent(member, { permissions: [] })).body.privilege;
    for (const body of form('dev')) {
      expect((await permanent(member, body, call)).status).toBe(200);
      expect((await temporary(member, body, call)).status).toBe(200);
      expect((await update(member, slug, body, call)).status).toBe(200);
      // The extended rules count as well.
      await refused(permanent(member, body, lesser.call));
      await refused(temporary(member, body, lesser.call));
      await refused(update(member, slug, body, lesser.call));
    }
    for (const body of [...form('prod'), ...form('dev', 'edit'), { permissions: [{ ...readDev, conditions: null }] }]) {
      await refused(permanent(member, body, call));
      await refused(temporary(member, body, call));
      await refused(update(member, slug, body, call));
    }
    const ended = (await temporary(member, { ...form('prod')[0], ...window(now() - 2 * HOUR, '1h') })).body.privilege;
    for (const again of [
      { isTemporary: false },
      { temporaryRange: '9h' },
      { isTemporary: true, ...window(now(), '1h') },
    ])
      await refused(update(member, ended.slug, { ...form('prod')[0], ...again }, call));
    const { id } = (await permanent(member, { slug: 'forbids' })).body.privilege;
    const forbids = [
      { subject: 'secrets', action: ['readValue'], conditions: { environment: 'prod' }, inverted: true },
    ];
    await test.admin('PATCH', `${V2}/${id}`, { permissions: forbids });
    await refused(remove(member, 'forbids', call));
    await refused(update(member, 'forbids', { permissions: [] }, call));
  });
});

/** Tokens of an administrator of the project: an expired and a revoked one. */
async function endedTokens(project: Project): Promise<{ expired: string; revoked: string }> {
  const { id, call } = await test.identity({ organizationRole: 'admin', projectId: project.id, projectRole: 'admin' });
  const at = `/api/v1/auth/token-auth/identities/${id}`;
  await test.admin('PATCH', at, { accessTokenTTL: 60, accessTokenMaxTTL: 60 });
  const expired = (await test.admin('POST', `${at}/tokens`, {})).body.accessToken;
  test.advance(61_000);
  const { accessToken: revoked, tokenData } = (await test.admin('POST', `${at}/tokens`, {})).body;
  await test.admin('POST', `/api/v1/auth/token-auth/tokens/${tokenData.id}/revoke`);
  expect((await call('GET', `/api/v1/projects/${project.id}/roles`)).status).toBe(200);
  return { expired, revoked };
}
