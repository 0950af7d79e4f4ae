import { issuePasswordReset } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anotherProcess } from '../harness/another-process.ts';
import { API_KEYS, keyholder, makeKey, withKey, type Keyholder } from '../harness/api-keys.ts';
import { readEvents } from '../harness/event-reader.ts';
import { testServer, type Answer, type TestServer } from '../harness/test-server.ts';
import { ALL, listen } from '../harness/watching.ts';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ME = '/api/v2/users/me';
const HOUR = 3_600_000;
const password = 'correct horse battery';

let test: TestServer;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
});
afterAll(() => test.close());

const eventsOf = (userId: string) =>
  test.coffer.query<{ published: string; actor: object; data: Record<string, unknown> }>(
    {
      name: 'test.events_of_user',
      text: `select published, actor, data from audit_events where actor_id = $1 order by created_at, id`,
    },
    [userId],
  );

describe('API keys', () => {
  it('are created, listed in both versions and deleted in the published shapes', async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const session = test.as(user.token);
    const created = await session('POST', API_KEYS, { name: ' deploy ', expiresIn: 60 });
    const apiKeyData = {
      id: UUID,
      name: 'deploy',
      lastUsed: null,
      expiresAt: TIME,
      userId: user.id,
      createdAt: TIME,
      updatedAt: TIME,
    };
    const apiKey = expect.stringMatching(/^ak\.[0-9a-f-]{36}\.[0-9a-f]{64}$/);
    expect([created.status, created.body]).toEqual([200, { apiKey, apiKeyData }]);
    const { apiKeyData: data } = created.body;
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(60_000);

    expect((await withKey(test, created.body.apiKey)('GET', ME)).body.user).toMatchObject({ id: user.id });
    const used = { ...data, lastUsed: TIME };
    const listed = await session('GET', API_KEYS);
    expect([listed.status, listed.body]).toEqual([200, [used]]);
    const listedV3 = await session('GET', '/api/v3/users/me/api-keys');
    expect([listedV3.status, listedV3.body]).toEqual([200, { apiKeyData: [used] }]);
    const deleted = await session('DELETE', `${API_KEYS}/${data.id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { apiKeyData: used }]);
    expect((await session('GET', API_KEYS)).body).toEqual([]);
    expect((await session('DELETE', `${API_KEYS}/${data.id}`)).status).toBe(404);

    const secret = created.body.apiKey.split('.')[2];
    const events = await eventsOf(user.id);
    const about = { apiKeyId: data.id, userId: user.id, name: 'deploy', expiresAt: data.expiresAt };
    expect(events.map(({ published, data: said }) => [published, said])).toEqual([
      ['create-user-api-key', about],
      ['delete-user-api-key', about],
    ]);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('act as the user, in the organization of the session, with the rights of that moment', async () => {
    const { id: projectId } = await test.project();
    const user = await keyholder(test);
    const secret = `/api/v4/secrets/KEY`;
    const body = { projectId, environment: 'dev', secretValue: 'value' };
    expect((await user.call('POST', secret, body)).status).toBe(404);
    const added = await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, {
      usernames: [user.email],
      emails: [],
      roleSlugs: ['member'],
    });
    expect(added.status).toBe(200);
    expect((await user.call('POST', secret, body)).status).toBe(200);
    expect((await user.call('GET', `${secret}?projectId=${projectId}&environment=dev`)).body.secret).toMatchObject({
      secretValue: 'value',
    });
    expect((await user.call('GET', '/api/v1/organization')).body.organizations).toHaveLength(1);
    await test.admin('DELETE', `/api/v1/projects/${projectId}/memberships/${added.body.memberships[0].id}`);
    expect((await user.call('GET', `${secret}?projectId=${projectId}&environment=dev`)).status).toBe(404);
  });

  it('are named in the events of their calls', async () => {
    const user = await keyholder(test, { role: 'admin' });
    const { status, body } = await user.call('POST', '/api/v1/projects', { projectName: 'By key' });
    expect(status).toBe(200);
    const actor = { userId: user.id, email: user.email, username: user.email };
    const events = await eventsOf(user.id);
    expect(events).toContainEqual(
      expect.objectContaining({ published: 'create-project', actor: { ...actor, apiKeyId: user.keyId } }),
    );
    expect(events).toContainEqual(expect.objectContaining({ published: 'create-user-api-key', actor }));
    const { body: log } = await user.call('GET', `/api/v1/organization/audit-logs?projectId=${body.project.id}`);
    expect(log.auditLogs[0].actor).toEqual({ type: 'user', metadata: { ...actor, apiKeyId: user.keyId } });
    // In lists of users, one with a key is the same user.
    const listed = await user.call('GET', `/api/v1/workspace/${body.project.id}/audit-logs/filters/actors`);
    expect(listed.body.actors).toEqual([{ type: 'user', metadata: actor }]);
  });

  it('are accepted by tRPC and by streams of events', async () => {
    const { id: projectId } = await test.project();
    const user = await keyholder(test);
    await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, {
      usernames: [user.email],
      emails: [],
      roleSlugs: ['admin'],
    });
    const trpc = await user.call('GET', '/api/trpc/account.me');
    expect([trpc.status, trpc.body.result.data.user.id]).toEqual([200, user.id]);
    const origin = await listen(test.app);
    const reader = await readEvents(`${origin}/api/v1/events/subscribe/project-events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': user.key },
      body: JSON.stringify({ projectId, register: ALL.map((event) => ({ event })) }),
    });
    expect(reader.status).toBe(200);
    // An open stream ends with its key.
    await user.session('DELETE', `${API_KEYS}/${user.keyId}`);
    await expect.poll(() => reader.isOver).toBe(true);
    expect(reader.frames.at(-1)).toMatchObject({ event: 'error', data: { statusCode: 401 } });
  });

  it('expire on time, by the clock of the server', async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const { key } = await makeKey(test, user.token, 3600);
    const call = withKey(test, key);
    expect((await call('GET', ME)).status).toBe(200);
    test.advance(HOUR - 10_000);
    expect((await call('GET', ME)).status).toBe(200);
    test.advance(10_000);
    expect((await call('GET', ME)).status).toBe(401);
    expect((await test.as(user.token)('GET', API_KEYS)).body).toHaveLength(1);
  });

  it('are invalid in every process within a second after their deletion', async () => {
    const user = await keyholder(test);
    const there = await anotherProcess(test);
    onTestFinished(() => there.close());
    const statusThere = async () =>
      (await there.app.inject({ url: ME, headers: { 'x-api-key': user.key } })).statusCode;
    expect(await statusThere()).toBe(200);
    expect((await user.call('GET', ME)).status).toBe(200);
    await user.session('DELETE', `${API_KEYS}/${user.keyId}`);
    expect((await user.call('GET', ME)).status).toBe(401);
    await expect.poll(statusThere).toBe(401);
  });

  it('need no database statement once they are cached', async () => {
    const user = await keyholder(test);
    const queries = vi.spyOn(test.coffer.pool, 'query');
    onTestFinished(() => queries.mockRestore());
    // Notifications of what was made before can still arrive, and empty caches.
    const statements = async () => {
      await test.coffer.usage.flush();
      queries.mockClear();
      expect((await user.call('POST', '/api/v1/auth/checkAuth')).status).toBe(200);
      return queries.mock.calls;
    };
    await expect.poll(statements).toEqual([]);
  });

  it('have a name and a lifetime within limits', async () => {
    const { session } = await keyholder(test);
    const year = 365 * 24 * 3600;
    for (const body of [
      {},
      { name: 'x' },
      { expiresIn: 60 },
      { name: ' ', expiresIn: 60 },
      { name: 'x'.repeat(65), expiresIn: 60 },
      { name: 'x', expiresIn: 0 },
      { name: 'x', expiresIn: -1 },
      { name: 'x', expiresIn: 1.5 },
      { name: 'x', expiresIn: year + 1 },
      { name: 'x', expiresIn: null },
    ])
      expect([body, (await session('POST', API_KEYS, body)).status]).toEqual([body, 422]);
    expect((await session('POST', API_KEYS, { name: 'x'.repeat(64), expiresIn: year })).status).toBe(200);
  });

  it("are limited to the organization's maximum lifetime of user tokens, also if it is shortened later", async () => {
    const { call: admin, organizationId } = await test.foreign();
    const user = await makeUser(test.coffer, { organizationId });
    const { key } = await makeKey(test, user.token, 7200);
    const call = withKey(test, key);
    expect((await call('GET', ME)).status).toBe(200);
    const limited = await admin('PATCH', `/api/v1/organization/${organizationId}`, { userTokenExpiration: '1h' });
    expect(limited.status).toBe(200);
    const longer = await test.as(user.token)('POST', API_KEYS, { name: 'x', expiresIn: 3601 });
    expect([longer.status, longer.body.message]).toEqual([
      400,
      expect.stringContaining('the maximum in this organization is 3600 seconds'),
    ]);
    expect((await test.as(user.token)('POST', API_KEYS, { name: 'x', expiresIn: 3600 })).status).toBe(200);
    test.advance(HOUR);
    expect((await call('GET', ME)).status).toBe(401);
  });

  it('are limited to fifty in an organization, without expired ones', async () => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const session = test.as(user.token);
    const create = (expiresIn: number) => session('POST', API_KEYS, { name: 'x', expiresIn });
    expect((await create(60)).status).toBe(200);
    const made = await Promise.all(Array.from({ length: 54 }, () => create(3600)));
    expect(made.filter(({ status }) => status === 200)).toHaveLength(49);
    const refused = made.find(({ status }) => status !== 200)!;
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('the maximum is 50')]);
    test.advance(60_000);
    expect((await create(3600)).status).toBe(200);
    expect((await create(3600)).status).toBe(400);
  });

  it('cannot be listed or deleted by other users or other organizations', async () => {
    const [ann, bob] = [await keyholder(test), await keyholder(test)];
    expect((await bob.session('GET', API_KEYS)).body.map(({ id }: { id: string }) => id)).toEqual([bob.keyId]);
    const foreign = await bob.session('DELETE', `${API_KEYS}/${ann.keyId}`);
    const unknown = await bob.session('DELETE', `${API_KEYS}/no-uuid`);
    expect([foreign.status, { ...foreign.body, reqId: '' }]).toEqual([404, { ...unknown.body, reqId: '' }]);
    expect((await ann.call('GET', ME)).status).toBe(200);

    const other = await test.foreign();
    const invited = await other.call('POST', '/api/v1/invite-org/signup', {
      inviteeEmails: [ann.email],
      organizationId: other.organizationId,
    });
    const link = new URL(invited.body.completeInviteLinks[0].link);
    const code = link.searchParams.get('token');
    const { organizationId } = other;
    const accept = { email: ann.email, organizationId, code };
    // The key does not accept an invitation to another organization; the session does.
    expect((await ann.call('POST', '/api/v1/invite-org/verify', accept)).status).toBe(401);
    expect((await ann.session('POST', '/api/v1/invite-org/verify', accept)).status).toBe(200);
    const chosen = await ann.session('POST', '/api/v3/auth/select-organization', { organizationId });
    const there = test.as(chosen.body.token);
    expect((await there('GET', API_KEYS)).body).toEqual([]);
    expect((await there('DELETE', `${API_KEYS}/${ann.keyId}`)).status).toBe(404);
    expect((await ann.call('GET', '/api/v1/organization')).body.organizations).toHaveLength(1);
  });

  it('need a session that has chosen an organization', async () => {
    const { token } = await makeUser(test.coffer);
    const session = test.as(token);
    expect((await session('POST', API_KEYS, { name: 'x', expiresIn: 60 })).status).toBe(401);
    expect((await session('GET', API_KEYS)).status).toBe(401);
    expect((await test.admin('GET', API_KEYS)).status).toBe(403);
  });
});

describe('a request with an API key', () => {
  it('has no Authorization header beside it', async () => {
    const { call, token } = await keyholder(test);
    for (const authorization of [`Bearer ${token}`, 'Basic eDp4', 'nonsense', '']) {
      const { status, body } = await call('GET', ME, undefined, { authorization });
      expect([status, body.message]).toEqual([400, expect.stringContaining('not several')]);
    }
  });

  it('is accepted in its own header, and nothing else there', async () => {
    const { key, token } = await keyholder(test);
    expect((await test.as(key)('GET', ME)).status).toBe(401);
    expect((await withKey(test, token)('GET', ME)).status).toBe(401);
    expect((await withKey(test, test.adminIdentity.token)('GET', '/api/v1/projects')).status).toBe(401);
  });
});

describe('all API keys of a user end', () => {
  const newPassword = 'a better one than that';
  const ENDS: [how: string, change: (user: Keyholder) => Promise<Answer>][] = [
    [
      'when the password is changed',
      ({ session }) => session('POST', '/api/v2/password/user/password-reset', { oldPassword: password, newPassword }),
    ],
    [
      'when the password is reset by a link',
      async ({ email }) => {
        const link = new URL(await issuePasswordReset(test.coffer.contextFor({ type: 'anonymous' }), { email }));
        const code = link.searchParams.get('token');
        const verified = await test.as()('POST', '/api/v1/password/email/password-reset-verify', { email, code });
        return test.as(verified.body.token)('POST', '/api/v2/password/password-reset', { newPassword });
      },
    ],
    ['when all sessions are ended', ({ session }) => session('DELETE', '/api/v2/users/me/sessions')],
    ['when the account is deleted', ({ session }) => session('DELETE', ME, { password })],
  ];

  it.each(ENDS)('%s', async (_how, change) => {
    const user = await keyholder(test, { password });
    expect((await user.call('GET', ME)).status).toBe(200);
    expect((await change(user)).status).toBe(200);
    expect((await user.call('GET', ME)).status).toBe(401);
    const { rows } = await test.coffer.pool.query('select 1 from user_api_keys where user_id = $1', [user.id]);
    expect(rows).toEqual([]);
  });

  it('when the user is removed from the organization, and a later membership does not bring them back', async () => {
    const user = await keyholder(test);
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from memberships where user_id = $1 and project_id is null',
      [user.id],
    );
    const path = `/api/v2/organizations/${test.organizationId}/memberships/${rows[0]!.id}`;
    expect((await test.admin('DELETE', path)).status).toBe(200);
    expect((await user.call('GET', ME)).status).toBe(401);
    await test.admin('POST', '/api/v1/invite-org/signup', {
      inviteeEmails: [user.email],
      organizationId: test.organizationId,
    });
    expect((await user.call('GET', ME)).status).toBe(401);
  });
});
