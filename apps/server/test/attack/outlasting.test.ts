import { generateKeyPairSync } from 'node:crypto';
import { makeIdentity, makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Approvals } from '../harness/approvals.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const HOUR = 3_600_000;
const PERMANENT = { isTemporary: false };
const EVERYTHING = { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'] };
const REFUSED = [403, 'PermissionBoundaryError'];
const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body.error]);

let test: TestServer;
let project: { id: string; slug: string };
/** An administrator of the project for an hour, as a person and as a machine; the machine may also do much in the organization. */
let person: { id: string; email: string; call: Caller };
let machine: { id: string; call: Caller };
/** A permanent administrator machine of the project. */
let resident: string;

const window = (temporaryRange = '1h') => ({
  isTemporary: true,
  temporaryMode: 'relative',
  temporaryRange,
  temporaryAccessStartTime: test.coffer.now().toISOString(),
});

const ORGANIZATION_RIGHTS = [
  { subject: 'identity', action: ['read', 'create', 'edit', 'delete', 'create-token', 'get-token', 'revoke-auth'] },
  { subject: 'groups', action: ['read', 'create', 'edit', 'add-members', 'add-identities'] },
  { subject: 'member', action: ['read', 'create', 'edit'] },
  { subject: 'workspace', action: ['create'] },
];

beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  project = await test.project();
  const user = await makeUser(test.coffer, { organizationId: test.organizationId });
  const added = await test.admin('POST', `/api/v1/projects/${project.id}/memberships`, {
    usernames: [user.email],
    emails: [],
    roleSlugs: ['admin'],
  });
  const made = await test.identity({
    organizationRules: ORGANIZATION_RIGHTS,
    projectId: project.id,
    projectRole: 'admin',
  });
  resident = (await test.identity({ projectId: project.id, projectRole: 'admin' })).id;
  const memberships = `/api/v1/projects/${project.id}/memberships`;
  const roles = [
    { role: 'no-access', ...PERMANENT },
    { role: 'admin', ...window() },
  ];
  for (const one of [added.body.memberships[0].id, `identities/${made.id}`])
    await test.admin('PATCH', `${memberships}/${one}`, { roles });
  person = { ...user, call: test.as(user.token) };
  machine = made;
});
afterAll(() => test.close());

const serviceToken = (call: Caller, more: object) =>
  call('POST', '/api/v2/service-token', {
    name: 'x',
    workspaceId: project.id,
    scopes: [{ environment: 'dev', secretPath: '/**' }],
    permissions: ['read'],
    ...more,
  });

describe('attack: grants that outlast the rights of the granter', () => {
  it('refuses a service token that outlives its creator’s right', async () => {
    for (const more of [{}, { expiresIn: null }, { expiresIn: 0 }, { expiresIn: 3601 }])
      expect([more, outcome(await serviceToken(person.call, more))]).toEqual([more, REFUSED]);
    expect(outcome(await serviceToken(person.call, { expiresIn: 3500 }))).toBe(200);
  });

  it('refuses a service token without an end by a right to such tokens that ends', async () => {
    const base = `/api/v1/projects/${project.id}`;
    const roleOf = async (slug: string, permissions: object[]) => {
      await test.admin('POST', `${base}/roles`, { slug, name: slug, permissions });
      return slug;
    };
    const lasting = await roleOf('reader-with-tokens', [
      EVERYTHING,
      ...['secret-folders', 'secret-imports'].map((subject) => ({ subject, action: ['read'] })),
      { subject: 'service-tokens', action: ['read', 'create'] },
    ]);
    const ending = await roleOf('endless-tokens', [{ subject: 'service-tokens', action: ['create-without-expiry'] }]);
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const { body } = await test.admin('POST', `${base}/memberships`, {
      usernames: [user.email],
      emails: [],
      roleSlugs: [lasting],
    });
    const roles = [
      { role: lasting, ...PERMANENT },
      { role: ending, ...window() },
    ];
    const membership = `${base}/memberships/${body.memberships[0].id}`;
    expect((await test.admin('PATCH', membership, { roles })).status).toBe(200);
    const call = test.as(user.token);
    expect(outcome(await serviceToken(call, { expiresIn: 0 }))).toEqual(REFUSED);
    expect(outcome(await serviceToken(call, { expiresIn: 3600 }))).toBe(200);
    const forGood = roles.map(({ role }) => ({ role, ...PERMANENT }));
    expect((await test.admin('PATCH', membership, { roles: forGood })).status).toBe(200);
    expect(outcome(await serviceToken(call, { expiresIn: 0 }))).toBe(200);
  });

  it('rejects making one’s own temporary privilege permanent, in every form of the update', async () => {
    const assign = { subject: 'identity', action: ['read', 'edit', 'assign-additional-privileges'] };
    const own = await test.identity({ projectId: project.id, rules: [assign] });
    const given = await test.admin('POST', '/api/v2/identity-project-additional-privilege', {
      projectId: project.id,
      identityId: own.id,
      slug: 'short',
      permissions: [EVERYTHING, assign],
      type: window('10s'),
    });
    expect(given.status).toBe(200);
    const v2 = `/api/v2/identity-project-additional-privilege/${given.body.privilege.id}`;
    const by = { privilegeSlug: 'short', identityId: own.id, projectSlug: project.slug };
    for (const type of [PERMANENT, window('11s'), { ...window('10s'), temporaryAccessStartTime: later(5000) }])
      expect(outcome(await own.call('PATCH', v2, { type }))).toEqual(REFUSED);
    const privilegePermission = { subject: 'secrets', actions: ['read'], conditions: { environment: 'dev' } };
    for (const more of [PERMANENT, window('1d')]) {
      const privilegeDetails = { privilegePermission, ...more };
      expect(
        outcome(await own.call('PATCH', '/api/v1/additional-privilege/identity', { ...by, privilegeDetails })),
      ).toEqual(REFUSED);
    }
    const second = { projectId: project.id, identityId: own.id, permissions: [EVERYTHING] };
    for (const type of [PERMANENT, window('1m')])
      expect(
        outcome(await own.call('POST', '/api/v2/identity-project-additional-privilege', { ...second, type })),
      ).toEqual(REFUSED);
    expect(outcome(await own.call('PATCH', v2, { type: window('5s') }))).toBe(200);
  });

  it('rejects a permanent custom role, also while its rules are edited concurrently', async () => {
    const base = `/api/v1/projects/${project.id}`;
    const own = `${base}/memberships/identities/${machine.id}`;
    const kept = [
      { role: 'no-access', ...PERMANENT },
      { role: 'admin', ...window() },
    ];
    for (let round = 0; round < 12; round++) {
      const slug = `race-${round}`;
      const { id } = (await test.admin('POST', `${base}/roles`, { slug, name: slug, permissions: [] })).body.role;
      const assign = machine.call('PATCH', own, { roles: [...kept, { role: slug, ...PERMANENT }] });
      await new Promise((resolve) => setTimeout(resolve, round));
      const permissions = [{ subject: 'secrets', action: ['readValue'] }];
      const edit = machine.call('PATCH', `${base}/roles/${id}`, { permissions });
      expect([(await assign).status, (await edit).status]).not.toEqual([200, 200]);
      await test.admin('PATCH', own, { roles: kept });
    }
  });

  it('refuses memberships and roles in the project that outlast the giver’s own', async () => {
    const other = await test.identity();
    const base = `/api/v1/projects/${project.id}/memberships`;
    const url = `${base}/identities/${other.id}`;
    for (const body of [{ role: 'viewer' }, { roles: [{ role: 'viewer', ...PERMANENT }] }])
      expect(outcome(await machine.call('POST', url, body))).toEqual(REFUSED);
    const roles = [
      { role: 'no-access', ...PERMANENT },
      { role: 'viewer', ...window('30m') },
    ];
    expect(outcome(await machine.call('POST', url, { roles }))).toBe(200);
    for (const more of [PERMANENT, window('2h')])
      expect(outcome(await machine.call('PATCH', url, { roles: [roles[0]!, { role: 'admin', ...more }] }))).toEqual(
        REFUSED,
      );
    // Its own.
    expect(
      outcome(
        await machine.call('PATCH', `${base}/identities/${machine.id}`, { roles: [{ role: 'admin', ...PERMANENT }] }),
      ),
    ).toEqual(REFUSED);
    const owned = `/api/v1/projects/${project.id}/identities`;
    expect(outcome(await machine.call('POST', owned, { name: 'x', roles: [{ role: 'admin', ...PERMANENT }] }))).toEqual(
      REFUSED,
    );
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    expect(
      outcome(await machine.call('POST', base, { usernames: [user.email], emails: [], roleSlugs: ['viewer'] })),
    ).toEqual(REFUSED);
    const invitation = {
      inviteeEmails: ['outlasting@example.com'],
      organizationId: test.organizationId,
      organizationRoleSlug: 'no-access',
      projects: [{ id: project.id, projectRoleSlug: ['viewer'] }],
    };
    expect(outcome(await machine.call('POST', '/api/v1/invite-org/signup', invitation))).toEqual(REFUSED);
  });

  it('rejects groups as a way to keep a role', async () => {
    const group = (await test.admin('POST', '/api/v1/groups', { name: 'keepers', role: 'no-access' })).body.id;
    const url = `/api/v1/projects/${project.id}/memberships/groups/${group}`;
    expect(outcome(await machine.call('POST', url, { role: 'admin' }))).toEqual(REFUSED);
    expect(outcome(await test.admin('POST', url, { role: 'admin' }))).toBe(200);
    const join = `/api/v1/groups/${group}/machine-identities/${machine.id}`;
    expect(outcome(await machine.call('POST', join, {}))).toEqual(REFUSED);
  });

  it('refuses to change the rules of a role that others have for longer', async () => {
    const make = async (slug: string) =>
      (
        await test.admin('POST', `/api/v1/projects/${project.id}/roles`, {
          slug,
          name: slug,
          permissions: [{ subject: 'tags', action: ['read'] }],
        })
      ).body.role.id;
    const [held, free] = [await make('held'), await make('free')];
    const holder = await test.identity();
    await test.admin('POST', `/api/v1/projects/${project.id}/memberships/identities/${holder.id}`, { role: 'held' });
    const widen = (id: string) =>
      machine.call('PATCH', `/api/v1/projects/${project.id}/roles/${id}`, { permissions: [EVERYTHING] });
    expect([outcome(await widen(held)), outcome(await widen(free))]).toEqual([REFUSED, 200]);
  });

  it('rejects credentials of a machine that will have more rights than their creator before they expire', async () => {
    const attach = (kind: string, settings: object, call = test.admin) =>
      call('POST', `/api/v1/auth/${kind}/identities/${resident}`, settings);
    const brief = { accessTokenTTL: 60, accessTokenMaxTTL: 600 };
    expect(outcome(await attach('universal-auth', brief, machine.call))).toEqual(REFUSED);
    expect(outcome(await attach('universal-auth', brief))).toBe(200);
    const secret = (ttl: number) =>
      machine.call('POST', `/api/v1/auth/universal-auth/identities/${resident}/client-secrets`, { ttl });
    // A token that is issued at the end of the secret lives ten minutes more.
    expect([outcome(await secret(0)), outcome(await secret(3300)), outcome(await secret(2400))]).toEqual([
      REFUSED,
      REFUSED,
      200,
    ]);
    const tokens = `/api/v1/auth/token-auth/identities/${resident}`;
    expect(outcome(await machine.call('POST', `${tokens}/tokens`, { name: 'x' }))).toEqual(REFUSED);
    expect(outcome(await test.admin('PATCH', tokens, brief))).toBe(200);
    expect(outcome(await machine.call('POST', `${tokens}/tokens`, { name: 'x' }))).toBe(200);
    expect(outcome(await machine.call('PATCH', tokens, { accessTokenMaxTTL: 700 }))).toEqual(REFUSED);
    const changing = await test.coffer.pool.connect();
    await changing.query('begin');
    const month = 'access_token_ttl = 2592000, access_token_max_ttl = 2592000';
    await changing.query(`update identity_auth_methods set ${month} where identity_id = $1`, [resident]);
    const waiting = machine.call('POST', `${tokens}/tokens`, { name: 'x' });
    const blocked = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await test.coffer.pool.query(blocked)).rowCount).toBe(1);
    await changing.query('commit');
    changing.release();
    expect(outcome(await waiting)).toEqual(REFUSED);
  });

  it('refuses approvals of access that outlast the approver’s own', async () => {
    const asker = await makeUser(test.coffer, { organizationId: test.organizationId });
    await test.admin('POST', `/api/v1/projects/${project.id}/memberships`, {
      usernames: [asker.email],
      emails: [],
      roleSlugs: ['no-access'],
    });
    const policy = await test.admin('POST', '/api/v1/access-approvals/policies', {
      projectSlug: project.slug,
      environment: 'dev',
      approvers: [{ type: 'user', id: person.id }],
      approvals: 1,
    });
    expect(policy.status).toBe(200);
    const review = async (more: object) => {
      const permissions = [{ ...EVERYTHING, conditions: { environment: 'dev' } }];
      const url = `/api/v1/access-approvals/requests?projectSlug=${project.slug}`;
      const asked = await test.as(asker.token)('POST', url, { permissions, ...more });
      expect(asked.status).toBe(200);
      const { id } = asked.body.approval;
      return outcome(
        await person.call('POST', `/api/v1/access-approvals/requests/${id}/review`, { status: 'approved' }),
      );
    };
    expect(await review({ isTemporary: false })).toEqual(REFUSED);
    expect(await review({ isTemporary: true, temporaryRange: '2h' })).toEqual(REFUSED);
    expect(await review({ isTemporary: true, temporaryRange: '10m' })).toBe(200);
  });

  it('rejects bypassing a change policy for longer than one may edit it', async () => {
    const of = await Approvals.in(test);
    const rights = [
      EVERYTHING,
      { subject: 'identity', action: ['read', 'create', 'edit', 'create-token', 'assign-additional-privileges'] },
      { subject: 'service-tokens', action: ['read', 'create', 'create-without-expiry'] },
      ...['secret-folders', 'secret-imports'].map((subject) => ({
        subject,
        action: ['read', 'create', 'edit', 'delete'],
      })),
    ];
    const mallory = await of.member(rights);
    const editing = { subject: 'secret-approval', action: ['read', 'edit'] };
    const made = await test.admin('POST', '/api/v1/user-project-additional-privilege', {
      projectMembershipId: mallory.membershipId,
      permissions: [editing],
      type: window('1h'),
    });
    expect(made.status).toBe(200);
    const robot = await of.projectIdentity(test.admin, await of.role(rights.slice(0, 1)));
    await of.policy([await of.member()], { exemptIdentityIds: [test.adminIdentity.id, robot] });
    const secrets = `/api/v1/auth/universal-auth/identities/${robot}/client-secrets`;
    const brief = { accessTokenTTL: 60, accessTokenMaxTTL: 600 };
    await test.admin('PATCH', `/api/v1/auth/universal-auth/identities/${robot}`, brief);
    const secret = async (ttl: number) => outcome(await mallory.call('POST', secrets, { ttl }));
    expect([await secret(0), await secret(3300), await secret(2400)]).toEqual([REFUSED, REFUSED, 200]);

    // A policy that exempts all machines.
    await of.policy([await of.member()], { exemptIdentityIds: [], exemptMachines: true });
    const token = { workspaceId: of.project.id, scopes: [{ environment: 'prod', secretPath: '/**' }] };
    const writer = async (expiresIn: number) =>
      outcome(await serviceToken(mallory.call, { ...token, permissions: ['read', 'write'], expiresIn }));
    expect([await writer(0), await writer(3601), await writer(3500)]).toEqual([REFUSED, REFUSED, 200]);
    const privilege = async (type: object) =>
      outcome(
        await mallory.call('POST', '/api/v2/identity-project-additional-privilege', {
          projectId: of.project.id,
          identityId: robot,
          permissions: [EVERYTHING],
          type,
        }),
      );
    expect([await privilege(PERMANENT), await privilege(window('2h')), await privilege(window('5m'))]).toEqual([
      REFUSED,
      REFUSED,
      200,
    ]);
    const role = await of.role(rights.slice(0, 1));
    const identity = async (type: object) =>
      outcome(
        await mallory.call('POST', `/api/v1/projects/${of.project.id}/identities`, {
          name: 'x',
          roles: [
            { role: 'no-access', ...PERMANENT },
            { role, ...type },
          ],
        }),
      );
    expect([await identity(PERMANENT), await identity(window('5m'))]).toEqual([REFUSED, 200]);
  });

  it('limits temporary administrators of the organization to that time in projects', async () => {
    const guest = await test.identity({ organizationRole: 'admin' });
    await test.coffer.pool.query(
      `update membership_roles set is_temporary = true, temporary_mode = 'relative', temporary_range = '1h',
         temporary_access_start_time = $2, temporary_access_end_time = $3
       where membership_id = (select id from memberships where identity_id = $1 and project_id is null)`,
      [guest.id, test.coffer.now(), new Date(later(HOUR))],
    );
    const { id } = await test.project();
    const enter = (projectId = id) =>
      guest.call('POST', `/api/v1/organization-admin/projects/${projectId}/grant-admin-access`, {});
    const reads = async () => (await guest.call('GET', `/api/v1/projects/${id}/roles`)).status;
    expect([outcome(await enter()), outcome(await enter()), await reads()]).toEqual([200, 200, 200]);
    test.advance(HOUR);
    onTestFinished(() => test.advance(-HOUR));
    expect([(await enter()).status, await reads()]).toEqual([403, 403]);
  });

  it('refuses webhooks, which go on telling of changes, also those that others made and that get another target', async () => {
    const made = { workspaceId: project.id, environment: 'dev', webhookUrl: 'https://receiver.example.com/a' };
    const { webhook } = (await test.admin('POST', '/api/v1/webhooks', made)).body;
    const url = `/api/v1/webhooks/${webhook.id}`;
    for (const { call } of [person, machine]) {
      expect(outcome(await call('POST', '/api/v1/webhooks', made))).toEqual(REFUSED);
      expect(outcome(await call('PATCH', url, { isDisabled: true }))).toBe(200);
      for (const change of [
        { webhookUrl: 'https://receiver.example.com/b' },
        { secretPath: '/**' },
        { environment: 'prod' },
        { isDisabled: false },
        { isDisabled: true, secretPath: '/**' },
      ])
        expect([change, outcome(await call('PATCH', url, change))]).toEqual([change, REFUSED]);
    }
    expect((await test.admin('PATCH', url, { isDisabled: false, secretPath: '/**' })).status).toBe(200);
    expect(outcome(await person.call('DELETE', url))).toBe(200);
  });

  it('refuses to trust further addresses, or fewer, for longer than one may change them', async () => {
    const { id: projectId } = await test.project();
    const URL = `/api/v1/workspace/${projectId}/trusted-ips`;
    const entry = async (ipAddress: string, isActive = true): Promise<string> =>
      (await test.admin('POST', URL, { ipAddress, isActive })).body.trustedIp.id;
    const here = await entry('127.0.0.1');
    const range = await entry('198.51.100.0/24');
    const inactive = await entry('203.0.113.0/24', false);
    const read = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
    const visitor = await test.identity({ projectId, rules: [read] });
    const given = await test.admin('POST', '/api/v2/identity-project-additional-privilege', {
      ...{ projectId, identityId: visitor.id },
      permissions: [{ subject: 'ip-allowlist', action: ['read', 'create', 'edit', 'delete'] }],
      type: window('10s'),
    });
    expect(given.status).toBe(200);
    const change = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object, call = visitor.call) =>
      outcome(await call(method, URL + url, body));
    for (const ipAddress of ['203.0.113.9', '198.51.100.0/23', '2001:db8::/32', '0.0.0.0/0'])
      expect([ipAddress, await change('POST', '', { ipAddress, isActive: true })]).toEqual([ipAddress, REFUSED]);
    for (const body of [{ ipAddress: '198.51.0.0/16' }, { ipAddress: '203.0.113.9' }])
      expect([body, await change('PATCH', `/${range}`, body)]).toEqual([body, REFUSED]);
    expect(await change('PATCH', `/${inactive}`, { isActive: true })).toEqual(REFUSED);
    expect(await change('POST', '', { ipAddress: '203.0.113.9', isActive: false })).toBe(200);
    expect(await change('POST', '', { ipAddress: '198.51.100.7', isActive: true })).toBe(200);
    // Also an administrator for a time shuts nobody out for longer.
    const role = [{ role: 'admin', ...window('10s') }];
    const passing = await test.identity({ projectId });
    const membership = `/api/v1/projects/${projectId}/memberships/identities/${passing.id}`;
    expect((await test.admin('PATCH', membership, { roles: role })).status).toBe(200);
    const half = { ipAddress: '198.51.100.0/25', comment: 'half of it' };
    for (const call of [visitor.call, passing.call]) {
      expect(await change('PATCH', `/${range}`, half, call)).toEqual(REFUSED);
      expect(await change('PATCH', `/${range}`, { isActive: false }, call)).toEqual(REFUSED);
      expect(await change('DELETE', `/${range}`, undefined, call)).toEqual(REFUSED);
    }
    const { body } = await passing.call('DELETE', `${URL}/${range}`);
    expect(body.details.heldUntil).toBeTruthy();
    for (const [method, what] of [['PATCH', half] as const, ['DELETE'] as const])
      expect(await change(method, `/${range}`, what, test.admin)).toBe(200);
    // Without active entries every address is trusted.
    const { trustedIps } = (await test.admin('GET', URL)).body;
    for (const { id, ipAddress } of trustedIps)
      if (ipAddress !== '127.0.0.1') await change('DELETE', `/${id}`, undefined, test.admin);
    expect(await change('DELETE', `/${here}`)).toEqual(REFUSED);
    expect(await change('PATCH', `/${here}`, { isActive: false })).toEqual(REFUSED);
    expect(await change('DELETE', `/${here}`, undefined, test.admin)).toBe(200);
    const first = { ipAddress: '127.0.0.1', isActive: true };
    for (const call of [visitor.call, passing.call]) expect(await change('POST', '', first, call)).toEqual(REFUSED);
    expect(await change('POST', '', first, test.admin)).toBe(200);
  });

  it('refuses another limit of the tokens of an organization, and a retention of its events', async () => {
    const { organizationId, call: admin } = await test.foreign();
    const permissions = [{ subject: 'settings', action: ['read', 'edit'] }];
    await admin('POST', '/api/v1/organization/roles', { slug: 'settings', name: 'Settings', permissions });
    const guest = await makeIdentity(test.coffer, { organizationId, organizationRole: 'settings' });
    const limit = async (userTokenExpiration: string | null) =>
      outcome(await test.as(guest.token)('PATCH', `/api/v1/organization/${organizationId}`, { userTokenExpiration }));
    const url = `/api/v1/organization/${organizationId}`;
    expect(outcome(await admin('PATCH', url, { userTokenExpiration: '8h' }))).toBe(200);
    expect([await limit('9h'), await limit('540m')]).toEqual([200, 200]);
    await test.coffer.pool.query(
      `update membership_roles set is_temporary = true, temporary_mode = 'relative', temporary_range = '1h',
         temporary_access_start_time = $2, temporary_access_end_time = $3
       where membership_id = (select id from memberships where identity_id = $1 and project_id is null)`,
      [guest.id, test.coffer.now(), new Date(later(HOUR))],
    );
    expect([await limit('10h'), await limit(null)]).toEqual([REFUSED, REFUSED]);
    expect([await limit('9h'), await limit('1h')]).toEqual([200, REFUSED]);
    const retention = { auditLogsRetentionDays: 1 };
    expect(outcome(await test.as(guest.token)('PATCH', url, retention))).toEqual(REFUSED);
    // It is compared with what another change at the same time stores.
    expect(outcome(await admin('PATCH', url, { userTokenExpiration: '30d' }))).toBe(200);
    const other = await test.coffer.pool.connect();
    await other.query('begin');
    await other.query(`update organizations set user_token_expiration = '8h' where id = $1`, [organizationId]);
    const waiting = limit('30d');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await other.query('commit');
    other.release();
    expect(await waiting).toEqual(REFUSED);
  });

  it('refuses the rotation of keys on a schedule, and host certificates that are renewed by themselves', async () => {
    const [keys, hosts] = ['/api/v1/kms/keys', '/api/v1/ssh/hosts'];
    const named = { projectId: project.id, name: 'scheduled' };
    const { key } = (await test.admin('POST', keys, named)).body;
    const host = await test.admin('POST', hosts, { projectId: project.id, hostname: 'a.example.com' });
    const certify = `${hosts}/${host.body.id}/issue-host-cert`;
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    const blob = Buffer.concat([Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0 ', 'latin1'), Buffer.from(x!, 'base64url')]);
    const of = { publicKey: `ssh-ed25519 ${blob.toString('base64')}` };
    for (const { call } of [person, machine]) {
      expect(outcome(await call('POST', keys, { ...named, name: 'other', rotationPeriodDays: 30 }))).toEqual(REFUSED);
      expect(outcome(await call('PATCH', `${keys}/${key.id}`, { rotationPeriodDays: 30 }))).toEqual(REFUSED);
      expect(outcome(await call('PATCH', `${keys}/${key.id}`, { rotationPeriodDays: null }))).toBe(200);
      expect(outcome(await call('POST', certify, of))).toEqual(REFUSED);
      expect(outcome(await call('POST', certify, { ...of, autoRenewal: false }))).toBe(200);
    }
    expect(outcome(await test.admin('PATCH', `${keys}/${key.id}`, { rotationPeriodDays: 30 }))).toBe(200);
    for (const { call } of [person, machine]) {
      expect(outcome(await call('DELETE', `${keys}/${key.id}`))).toBe(200);
      expect(outcome(await call('POST', `${keys}/${key.id}/cancel-deletion`))).toEqual(REFUSED);
      expect(outcome(await test.admin('POST', `${keys}/${key.id}/cancel-deletion`))).toBe(200);
    }
    expect(outcome(await test.admin('POST', certify, of))).toBe(200);
  });

  it('reports until when the permission is held', async () => {
    const short = await test.identity({ projectId: project.id, projectRole: 'no-access' });
    const edit = { subject: 'identity', action: ['edit'] };
    await test.admin('POST', '/api/v2/identity-project-additional-privilege', {
      projectId: project.id,
      identityId: short.id,
      permissions: [edit],
      type: window('1h'),
    });
    const { body } = await short.call('POST', '/api/v2/identity-project-additional-privilege', {
      projectId: project.id,
      identityId: resident,
      permissions: [edit],
      type: PERMANENT,
    });
    expect(body.details).toEqual({
      missingPermissions: [{ subject: 'identity', action: 'edit' }],
      heldUntil: later(HOUR),
    });
    expect(body.message).toContain(later(HOUR));
  });
});

const later = (ms: number) => new Date(test.coffer.now().getTime() + ms).toISOString();
