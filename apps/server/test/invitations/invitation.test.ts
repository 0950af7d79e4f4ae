import { builtInRole } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const HOUR = 3600_000;
const RESEND = '/api/v1/invite-org/signup-resend';
const password = 'correct horse battery';

let test: TestServer;
let counter = 0;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

const newEmail = () => `invited-${counter++}@example.com`;
const invite = (emails: string[], body: object = {}, call: Caller = test.admin) =>
  call('POST', '/api/v1/invite-org/signup', { inviteeEmails: emails, organizationId: test.organizationId, ...body });
const codeOf = (link: string) => new URL(link).searchParams.get('token')!;
const invited = async (email: string, body: object = {}) =>
  codeOf((await invite([email], body)).body.completeInviteLinks[0].link);
const verify = (email: string, code: string, token?: string, organizationId = test.organizationId) =>
  test.as(token)('POST', '/api/v1/invite-org/verify', { email, organizationId, code });
const complete = (body: object, token?: string) =>
  test.as(token)('POST', '/api/v3/signup/complete-account/invite', { password, firstName: 'Ina', ...body });
const membersHere = async (): Promise<
  { id: string; userId: string; status: string; role: string; inviteEmail: string | null }[]
> => (await test.admin('GET', `/api/v1/organization/${test.organizationId}/users`)).body.users;
const memberOf = async (email: string) => (await membersHere()).find(({ inviteEmail }) => inviteEmail === email);

describe('inviting', () => {
  it('returns a link for each address, and lists them as invited', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const { status, body } = await invite([one, two.toUpperCase(), one]);
    expect(status).toBe(200);
    expect(body.message).toEqual(expect.any(String));
    expect(body.completeInviteLinks).toEqual([
      { email: one, link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/signupinvite\?token=cfv_/) },
      { email: two, link: expect.stringContaining(`organization_id=${test.organizationId}`) },
    ]);
    expect(await memberOf(two)).toMatchObject({ status: 'invited', role: 'member' });
  });

  it('stores no usable code, in the database or in the log', async () => {
    const email = newEmail();
    const code = await invited(email);
    const { rows } = await test.coffer.pool.query(
      `select 1 from memberships where encode(invite_hash, 'escape') like '%' || $1 || '%'
       union all select 1 from audit_events where data::text like '%' || $1 || '%'`,
      [code.slice(4, 30)],
    );
    expect(rows).toEqual([]);
    const { rows: events } = await test.coffer.pool.query(
      `select published from audit_events where data->>'email' = $1`,
      [email],
    );
    expect(events).toEqual([{ published: 'invite-organization-member' }]);
  });

  it('needs the right, here and in each project', async () => {
    const project = await test.project();
    const email = newEmail();
    const { call: reader } = await test.identity({ organizationRole: 'member' });
    expect((await invite([email], {}, reader)).status).toBe(403);
    expect((await invite([email], {}, test.as())).status).toBe(401);
    const { call: inviter } = await test.identity({ organizationRules: [{ subject: 'member', action: ['create'] }] });
    expect(
      (await invite([email], { organizationRoleSlug: 'no-access', projects: [{ id: project.id }] }, inviter)).status,
    ).toBe(404);
    const { call: viewer } = await test.identity({
      organizationRules: [{ subject: 'member', action: ['create'] }],
      projectId: project.id,
      projectRole: 'viewer',
    });
    expect(
      (await invite([email], { organizationRoleSlug: 'no-access', projects: [{ id: project.id }] }, viewer)).status,
    ).toBe(403);
    const foreign = await test.foreign();
    expect((await invite([email], {}, foreign.call)).status).toBe(404);
    expect(await memberOf(email)).toBeUndefined();
  });

  it('gives no one more than the inviter holds', async () => {
    const project = await test.project();
    const { call } = await test.identity({
      organizationRules: [{ subject: 'member', action: ['create'] }],
      projectId: project.id,
      rules: [{ subject: 'member', action: ['create'] }],
    });
    const email = newEmail();
    for (const body of [
      { organizationRoleSlug: 'admin' },
      {},
      { organizationRoleSlug: 'no-access', projects: [{ id: project.id, projectRoleSlug: ['admin'] }] },
    ]) {
      const { status, body: answer } = await invite([email], body, call);
      expect({ status, error: answer.error }).toEqual({ status: 403, error: 'PermissionBoundaryError' });
    }
    expect(
      (
        await invite(
          [email],
          { organizationRoleSlug: 'no-access', projects: [{ id: project.id, projectRoleSlug: ['no-access'] }] },
          call,
        )
      ).status,
    ).toBe(200);
  });

  it('changes the role of somebody who is invited already by the right to edit members, and only to one that it names', async () => {
    const email = newEmail();
    const roleOf = async () => (await memberOf(email))!.role;
    await invited(email, { organizationRoleSlug: 'admin' });
    await invited(email);
    expect(await roleOf()).toBe('admin');
    await invited(email, { organizationRoleSlug: 'member' });
    expect(await roleOf()).toBe('member');

    const { call } = await test.identity({
      organizationRules: [
        ...builtInRole('organization', 'member')!.rules,
        { subject: 'member', action: ['create', 'edit'] },
        { subject: 'member', action: 'edit', inverted: true },
      ],
    });
    expect(await invite([email], { organizationRoleSlug: 'no-access' }, call)).toMatchObject({
      status: 403,
      body: { error: 'PermissionDenied' },
    });
    expect((await invite([email], { organizationRoleSlug: 'member' }, call)).status).toBe(200);
    expect((await invite([newEmail()], { organizationRoleSlug: 'no-access' }, call)).status).toBe(200);
    expect(await roleOf()).toBe('member');
  });

  it('rejects invalid addresses, none, too many, and unknown roles and projects', async () => {
    expect((await invite([])).status).toBe(422);
    expect((await invite(['nobody'])).status).toBe(422);
    expect((await invite(Array.from({ length: 101 }, newEmail))).status).toBe(422);
    expect((await invite([newEmail()], { organizationRoleSlug: 'no-such-role' })).status).toBe(404);
    expect((await invite([newEmail()], { projects: [{ id: 'no-uuid' }] })).status).toBe(404);
    const { id } = await test.project();
    expect((await invite([newEmail()], { projects: [{ id, projectRoleSlug: [] }] })).status).toBe(422);
    expect((await invite([newEmail()], { projects: [{ id, projectRoleSlug: ['no-such-role'] }] })).status).toBe(404);
  });

  it('gives the same user, invited many times concurrently, one membership and one valid link', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite([email])));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await membersHere()).filter(({ inviteEmail }) => inviteEmail === email)).toHaveLength(1);
    const codes = answers.map(({ body }) => codeOf(body.completeInviteLinks[0].link));
    const verified = await Promise.all(codes.map((code) => verify(email, code)));
    expect(verified.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('a new person', () => {
  it('completes the account and is a member, logged in', async () => {
    const project = await test.project();
    const email = newEmail();
    const code = await invited(email, { projects: [{ id: project.id, projectRoleSlug: ['viewer'] }] });
    const verified = await verify(email.toUpperCase(), code);
    expect(verified.body).toEqual({
      message: expect.any(String),
      token: expect.stringMatching(/^cfc_/),
      user: expect.objectContaining({ email, isAccepted: false }),
    });
    const done = await complete({ email, lastName: 'Vite', tokenMetadata: 'x', salt: 'y' }, verified.body.token);
    expect(done.status).toBe(200);
    expect(done.body).toEqual({
      message: expect.any(String),
      user: expect.objectContaining({ email, firstName: 'Ina', lastName: 'Vite', isAccepted: true }),
      token: expect.stringMatching(/^cfu_/),
      organizationId: test.organizationId,
    });
    expect(String(done.headers['set-cookie'])).toMatch(/^jid=cfr_/);
    const { body } = await test.as(done.body.token)('GET', `/api/v2/organizations/${test.organizationId}/workspaces`);
    expect(body.workspaces).toEqual([expect.objectContaining({ id: project.id })]);
    expect((await test.as()('POST', '/api/v3/auth/login', { email, password })).status).toBe(200);
    expect(await memberOf(email)).toMatchObject({ status: 'accepted' });
  });

  it('may send the token in the body', async () => {
    const email = newEmail();
    const { token } = (await verify(email, await invited(email))).body;
    expect((await complete({ email, token })).status).toBe(200);
  });

  it('uses the code once and the token once, also at the same time', async () => {
    const email = newEmail();
    const code = await invited(email);
    const verified = await Promise.all(Array.from({ length: 5 }, () => verify(email, code)));
    expect(verified.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
    const { token } = verified.find(({ status }) => status === 200)!.body;
    const done = await Promise.all(Array.from({ length: 5 }, () => complete({ email, token })));
    expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
    expect((await verify(email, code)).status).toBe(401);
  });

  it('completes the account once, also with the invitations of two organizations at the same time', async () => {
    const email = newEmail();
    const { organizationId: foreign, call } = await test.foreign();
    const code = await invited(email);
    const otherCode = codeOf(
      (await invite([email], { organizationId: foreign }, call)).body.completeInviteLinks[0].link,
    );
    // Both prove the mailbox.
    await test.coffer.pool.query('update memberships set invite_is_mailed = true where invite_email = $1', [email]);
    const tokens = [
      (await verify(email, code)).body.token,
      (await verify(email, otherCode, undefined, foreign)).body.token,
    ];
    const done = await Promise.all(
      tokens.map((token, index) => complete({ email, token, password: `${password} ${index}` })),
    );
    expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const first = done.findIndex(({ status }) => status === 200);
    const logIn = { email, password: `${password} ${first}` };
    expect((await test.as()('POST', '/api/v3/auth/login', logIn)).status).toBe(200);
  });

  it('cannot use another address, another organization, or one credential for the other', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const [code, otherCode] = [await invited(email), await invited(other)];
    const { organizationId: foreign } = await test.foreign();
    const refused = await verify(email, 'cfv_nonsense');
    for (const answer of [
      await verify(other, code),
      await verify(email, otherCode),
      await verify(email, code, undefined, foreign),
      await verify(email, code, undefined, 'no-uuid'),
      await verify('ghost@example.com', code),
    ]) {
      expect(answer.status).toBe(401);
      expect({ ...answer.body, reqId: '' }).toEqual({ ...refused.body, reqId: '' });
    }
    expect((await complete({ email, token: code })).status).toBe(401);
    const { token } = (await verify(email, code)).body;
    expect((await complete({ email: other, token })).status).toBe(401);
    expect((await verify(email, token)).status).toBe(401);
    expect((await complete({ email })).status).toBe(401);
    expect((await test.as(token)('GET', '/api/v2/users/me')).status).toBe(401);
    for (const refusedPassword of ['1234567', 'elevenchars', 'password1234'])
      expect((await complete({ email, token, password: refusedPassword })).status).toBe(422);
    expect((await complete({ email, token })).status).toBe(200);
  });

  it('has a day for the code and a quarter of an hour for the token', async () => {
    const [email, late] = [newEmail(), newEmail()];
    const [code, lateCode] = [await invited(email), await invited(late)];
    test.advance(24 * HOUR - 60_000);
    const { token } = (await verify(email, code)).body;
    expect(token).toMatch(/^cfc_/);
    test.advance(60_000);
    expect((await verify(late, lateCode)).status).toBe(401);
    test.advance(14 * 60_000);
    expect((await complete({ email, token })).status).toBe(401);
  });

  it('cannot log in, sign up or choose the organization before', async () => {
    const email = newEmail();
    await invited(email);
    const boss = await makeUser(test.coffer, { isSuperAdmin: true });
    await test.as(boss.token)('PATCH', '/api/v1/admin/config', { allowSignUp: true });
    expect((await test.as()('POST', '/api/v3/auth/login', { email, password })).status).toBe(401);
    const signUp = await test.as()('POST', '/api/v3/signup/complete-account/signup', {
      email,
      password,
      firstName: 'Eve',
    });
    expect(signUp.status).toBe(400);
  });

  it('is forgotten where the invitation is taken back', async () => {
    const email = newEmail();
    const code = await invited(email);
    const { id } = (await memberOf(email))!;
    await test.admin('DELETE', `/api/v2/organizations/${test.organizationId}/memberships/${id}`);
    expect((await verify(email, code)).status).toBe(401);
    const { rows } = await test.coffer.pool.query('select 1 from users where email = $1', [email]);
    expect(rows).toEqual([]);
  });
});

describe('a user with an account', () => {
  it('accepts by logging in and verifying', async () => {
    const user = await makeUser(test.coffer);
    const code = await invited(user.email);
    const select = () =>
      test.as(user.token)('POST', '/api/v3/auth/select-organization', { organizationId: test.organizationId });
    expect((await select()).status).toBe(403);
    const verified = await verify(user.email, code, user.token);
    expect(verified.body).toEqual({
      message: expect.any(String),
      token: null,
      user: expect.objectContaining({ id: user.id }),
    });
    expect((await select()).status).toBe(200);
    expect((await verify(user.email, code, user.token)).status).toBe(401);
  });

  it('cannot be accepted by anybody else with the link, which stays valid for its owner', async () => {
    const user = await makeUser(test.coffer);
    const other = await makeUser(test.coffer);
    const code = await invited(user.email);
    for (const token of [undefined, other.token, test.adminIdentity.token]) {
      const answer = await verify(user.email, code, token);
      expect(answer.status).toBe(401);
      expect(answer.body.message).toContain('Log in');
    }
    expect((await verify(user.email, code, user.token)).status).toBe(200);
  });

  it('is added to projects without a new link if it is a member already', async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
    const project = await test.project();
    const { status, body } = await invite([user.email], {
      organizationRoleSlug: 'admin',
      projects: [{ id: project.id }],
    });
    expect({ status, links: body.completeInviteLinks }).toEqual({ status: 200, links: [] });
    const member = (await membersHere()).find(({ userId }) => userId === user.id);
    expect(member).toMatchObject({ role: 'member', status: 'accepted' });
    const { body: listed } = await test.as(user.token)(
      'GET',
      `/api/v2/organizations/${test.organizationId}/workspaces`,
    );
    expect(listed.workspaces).toEqual([expect.objectContaining({ id: project.id })]);
  });
});

const waiting = async () => {
  const { rows } = await test.coffer.pool.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows[0]!.count;
};

/** Whether no transaction has changed a membership, and goes on. */
const isFree = async (membershipId: string) =>
  (await test.owner.query('select 1 from memberships where id = $1 for update skip locked', [membershipId]))
    .rowCount === 1;

/** How many wait for a transaction that has changed the same as they want to. */
const waitingForRows = async () => {
  const { rows } = await test.owner.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple') and datname = current_database()`,
  );
  return rows[0]!.count;
};

describe('a user who never completed the account', () => {
  it('is invited again while another organization revokes its invitation', async () => {
    const email = newEmail();
    const { organizationId: foreign, call } = await test.foreign();
    await invite([email], { organizationId: foreign }, call);
    const client = await test.coffer.pool.connect();
    try {
      await client.query('begin');
      await client.query('select 1 from users where email = $1 for update', [email]);
      const inviting = invite([email]);
      await expect.poll(waiting).toBe(1);
      await client.query('delete from users where email = $1', [email]);
      await client.query('commit');
      const { status, body } = await inviting;
      expect(status).toBe(200);
      expect((await verify(email, codeOf(body.completeInviteLinks[0].link))).status).toBe(200);
    } finally {
      client.release();
    }
  });
});

describe('a user who is removed while an invitation adds them to a project', () => {
  it('is out of the project, too', async () => {
    const [project, email] = [await test.project(), newEmail()];
    const user = await makeUser(test.coffer, { email, organizationId: test.organizationId });
    const { id } = (await membersHere()).find(({ userId }) => userId === user.id)!;
    const client = await test.coffer.pool.connect();
    try {
      await client.query('begin');
      await client.query('select 1 from projects where id = $1 for update', [project.id]);
      const adding = invite([email], { projects: [{ id: project.id, projectRoleSlug: ['admin'] }] });
      await expect.poll(waiting).toBe(1);
      let hasEnded = false;
      const removing = test.admin('DELETE', `/api/v2/organizations/${test.organizationId}/memberships/${id}`);
      const end = () => void (hasEnded = true);
      removing.then(end, end);
      await expect.poll(async () => hasEnded || (await waiting()) === 2).toBe(true);
      await client.query('commit');
      expect([(await adding).status, (await removing).status]).toEqual([200, 200]);
    } finally {
      client.release();
    }
    const { rows } = await test.coffer.pool.query('select 1 from memberships where user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });
});

describe('an invitation that is accepted while its inviter invites the user again', () => {
  it.each<[string, (email: string, membershipId: string) => ReturnType<Caller>, number]>([
    ['with another role', (email) => invite([email], { organizationRoleSlug: 'admin' }), 200],
    ['by another link', (_, membershipId) => test.admin('POST', RESEND, { membershipId }), 400],
  ])('stays as it was accepted: %s', async (_way, again, status) => {
    const user = await makeUser(test.coffer);
    const code = await invited(user.email, { organizationRoleSlug: 'member' });
    const { id } = (await memberOf(user.email))!;
    const client = await test.owner.connect();
    try {
      await client.query('begin; lock table audit_events in share mode');
      const accepting = verify(user.email, code, user.token);
      // Others may wait for the log, too.
      await expect.poll(() => isFree(id)).toBe(false);
      const inviting = again(user.email, id);
      // Others may wait for rows, too.
      await expect.poll(waitingForRows).toBeGreaterThan(0);
      await client.query('commit');
      expect([(await accepting).status, (await inviting).status]).toEqual([200, status]);
      expect((await inviting).body.completeInviteLinks ?? []).toEqual([]);
    } finally {
      // Also where something has failed before.
      await client.query('rollback');
      client.release();
    }
    expect(await memberOf(user.email)).toMatchObject({ role: 'member', status: 'accepted' });
  });
});

describe('sending an invitation again', () => {
  const resend = (membershipId: string, call: Caller = test.admin) => call('POST', RESEND, { membershipId });

  it('returns a new link that replaces the old one', async () => {
    const email = newEmail();
    const old = await invited(email);
    const { id } = (await memberOf(email))!;
    const { status, body } = await resend(id);
    expect(status).toBe(200);
    expect(body).toEqual({ signupToken: { email, link: expect.stringContaining('/signupinvite?token=cfv_') } });
    expect((await verify(email, old)).status).toBe(401);
    expect((await verify(email, codeOf(body.signupToken.link))).status).toBe(200);
  });

  it('is refused for members who have accepted, for others than members, and without the right', async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
    const accepted = (await membersHere()).find(({ userId }) => userId === user.id)!;
    expect((await resend(accepted.id)).status).toBe(400);
    expect((await resend('no-uuid')).status).toBe(404);
    const email = newEmail();
    await invited(email);
    const { id } = (await memberOf(email))!;
    expect((await resend(id, (await test.foreign()).call)).status).toBe(404);
    expect((await resend(id, test.as(user.token))).status).toBe(403);
    expect((await resend(id, test.as())).status).toBe(401);
  });

  it('gives no account to an inviter if others have granted it more than the inviter holds', async () => {
    const project = await test.project();
    const [boss, worker] = [newEmail(), newEmail()];
    await invited(boss, { organizationRoleSlug: 'admin' });
    await invited(worker, {
      organizationRoleSlug: 'no-access',
      projects: [{ id: project.id, projectRoleSlug: ['admin'] }],
    });
    const { call } = await test.identity({
      organizationRules: [{ subject: 'member', action: ['create', 'read'] }],
      projectId: project.id,
      projectRole: 'no-access',
    });
    for (const email of [boss, worker]) {
      expect((await resend((await memberOf(email))!.id, call)).status).toBe(403);
      expect((await invite([email], { organizationRoleSlug: 'no-access' }, call)).status).toBe(403);
    }
  });
});
