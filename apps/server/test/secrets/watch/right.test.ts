import { refusedToken, watchSecrets, type Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { testServer } from '../../harness/test-server.ts';
import { ACTIONS, listen, place, watching } from '../../harness/watching.ts';

const all = await watching();
const { setUp, subscribe, test } = all;
afterEach(() => all.hangUp());
afterAll(() => all.close());

describe('the recipients of events', () => {
  it('needs a token, a membership and the permissions for the events', async () => {
    const { projectId, listener } = await setUp();
    const see: Rule = { subject: 'secrets', action: 'describeSecret' };
    const ask = async (token: string, register?: object[]) => {
      const reader = await subscribe(projectId, { token, ...(register && { register }) });
      return [reader.status, reader.status === 200 ? '' : (await reader.body()).message];
    };
    expect((await ask(''))[0]).toBe(401);
    expect((await ask(`${test.adminIdentity.token}x`))[0]).toBe(401);
    const foreign = await test.foreign();
    const unknown = await subscribe(crypto.randomUUID(), { token: foreign.identity.token });
    expect(await ask(foreign.identity.token)).toEqual([404, (await unknown.body()).message]);
    const seeing = await test.identity({ projectId, rules: [see] });
    expect((await ask(seeing.token))[0]).toBe(403);
    const created = await listener([see], ['subscribe-to-created-events']);
    expect((await ask(created.token))[0]).toBe(403);
    expect((await ask(created.token, [{ event: 'secret:create' }]))[0]).toBe(200);
    const { token } = await test.identity({
      projectId,
      rules: [
        see,
        { subject: 'secret-events', action: ACTIONS, conditions: { environment: 'dev', secretPath: '/app' } },
      ],
    });
    const at = (environmentSlug: string, secretPath: string) => [
      { event: 'secret:create', conditions: { environmentSlug, secretPath } },
    ];
    expect((await ask(token, at('dev', '/app')))[0]).toBe(200);
    expect((await ask(token, at('dev', '/')))[0]).toBe(403);
    expect((await ask(token, at('prod', '/app')))[0]).toBe(403);
    expect((await ask(token, at('dev', '/**')))[0]).toBe(200);
  });

  it('rejects invalid input', async () => {
    const { projectId } = await setUp();
    const status = async (register: unknown) => (await subscribe(projectId, { register: register as object[] })).status;
    const good = { event: 'secret:create' };
    for (const register of [
      [],
      Array.from({ length: 11 }, () => good),
      [{ event: 'secret:read' }],
      [{}],
      [{ ...good, conditions: { secretPath: 'app' } }],
      [{ ...good, conditions: { secretPath: '/a{' } }],
      [{ ...good, conditions: { environmentSlug: 1 } }],
      'secret:create',
    ])
      expect([register, await status(register)]).toEqual([register, 422]);
  });

  it('is each secret that the listener may see, by its name, folder and tags', async () => {
    const { projectId, write, folder, listener, ok, at } = await setUp();
    await folder('open');
    const { workspaceTag: tag } = await ok('POST', `/api/v1/workspace/${projectId}/tags`, {
      slug: 'public',
      color: '',
    });
    const { token } = await listener([
      {
        subject: 'secrets',
        action: 'describeSecret',
        conditions: { secretPath: '/open', secretName: { $glob: 'PUB_*' } },
      },
      { subject: 'secrets', action: 'describeSecret', conditions: { secretTags: { $in: ['public'] } } },
    ]);
    const reader = await subscribe(projectId, { token });
    await write(['PUB_A', 'PRIVATE'], '/open');
    await write(['PUB_A']);
    // A secret that becomes visible is new to it, and one that becomes invisible is deleted.
    await ok('PATCH', '/api/v4/secrets/PRIVATE', { ...at('/open'), tagIds: [tag.id] });
    await ok('PATCH', '/api/v4/secrets/PRIVATE', { ...at('/open'), secretComment: 'x' });
    await ok('PATCH', '/api/v4/secrets/PRIVATE', { ...at('/open'), tagIds: [] });
    await ok('PATCH', '/api/v4/secrets/PUB_A', { ...at('/open'), newSecretName: 'HIDDEN' });
    await expect.poll(() => reader.told().length).toBe(5);
    expect(reader.told()).toEqual([
      ['secret:create', [place('PUB_A', '/open')]],
      ['secret:create', [place('PRIVATE', '/open')]],
      ['secret:update', [place('PRIVATE', '/open')]],
      ['secret:delete', [place('PRIVATE', '/open')]],
      ['secret:delete', [place('PUB_A', '/open')]],
    ]);
    expect(JSON.stringify(reader.frames)).not.toContain('HIDDEN');
  });

  it('contains what the subscriber may see at that location', async () => {
    const { projectId, write } = await setUp();
    const { token } = await test.identity({
      projectId,
      rules: [
        { subject: 'secrets', action: 'describeSecret' },
        { subject: 'secret-events', action: ACTIONS, conditions: { environment: 'prod' } },
      ],
    });
    const reader = await subscribe(projectId, { token });
    await write(['A']);
    await write(['B'], '/', 'prod');
    await expect.poll(() => reader.told()).toEqual([['secret:create', [place('B', '/', 'prod')]]]);
  });

  it('ends when the token is revoked, the permission is lost, or the membership', async () => {
    const { projectId, write, ok } = await setUp();
    const role = await ok('POST', `/api/v1/projects/${projectId}/roles`, {
      slug: 'listener',
      name: 'Listener',
      permissions: [
        { subject: 'secrets', action: ['describeSecret'] },
        { subject: 'secret-events', action: ACTIONS },
      ],
    });
    const ends: Record<string, [number, (id: string, token: string) => Promise<unknown>]> = {
      revoked: [401, (_, accessToken) => test.as()('POST', '/api/v1/auth/token/revoke', { accessToken })],
      gone: [401, (id) => ok('DELETE', `/api/v1/identities/${id}`)],
      'no member': [404, (id) => ok('DELETE', `/api/v1/projects/${projectId}/memberships/identities/${id}`)],
      'another role': [
        403,
        (id) =>
          ok('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${id}`, {
            roles: [{ role: 'viewer', isTemporary: false }],
          }),
      ],
      'role changed': [
        403,
        () =>
          ok('PATCH', `/api/v1/projects/${projectId}/roles/${role.role.id}`, {
            permissions: [{ subject: 'secrets', action: ['describeSecret'] }],
          }),
      ],
    };
    for (const [name, [statusCode, end]] of Object.entries(ends)) {
      const { id, token } = await test.identity({ projectId, projectRole: 'listener' });
      const reader = await subscribe(projectId, { token });
      await write([`BEFORE_${statusCode}`]);
      await expect.poll(() => reader.told().length).toBe(1);
      await end(id, token);
      await expect.poll(() => [name, reader.isOver]).toEqual([name, true]);
      expect([name, reader.frames.at(-1)]).toMatchObject([
        name,
        { event: 'error', data: { statusCode, reqId: expect.stringMatching(/^req-/) } },
      ]);
    }
    expect(test.coffer.watches.size).toBe(0);
  });

  it('ends with the token, and with a temporary permission', async () => {
    const on = await testServer();
    try {
      const at = await listen(on.app);
      const { projectId, ok } = await setUp(on);
      const { id, token } = await on.identity({ projectId, projectRole: 'no-access' });
      await ok('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${id}`, {
        roles: [
          {
            role: 'admin',
            isTemporary: true,
            temporaryMode: 'relative',
            temporaryRange: '1h',
            temporaryAccessStartTime: on.coffer.now().toISOString(),
          },
          { role: 'no-access', isTemporary: false },
        ],
      });
      const reader = await subscribe(projectId, { token, at });
      const user = await makeUser(on.coffer, { organizationId: on.organizationId });
      const usernames = [user.email];
      await ok('POST', `/api/v2/workspace/${projectId}/memberships`, { usernames, emails: [], roleSlugs: ['admin'] });
      const own = await subscribe(projectId, { token: user.token, at });
      on.advance(2 * 3_600_000);
      await expect.poll(() => reader.frames.at(-1)?.data?.statusCode).toBe(403);
      expect(own.isOver).toBe(false);
      on.advance(60 * 24 * 3_600_000);
      await expect.poll(() => own.frames.at(-1)?.data?.statusCode).toBe(401);
    } finally {
      await on.close();
    }
  });

  it('ends while events are still queued', async () => {
    const { projectId, write } = await setUp();
    for (const key of ['A', 'B', 'C']) await write([key]);
    const { id } = test.adminIdentity;
    const caller = { type: 'identity', id, organizationId: test.organizationId } as Parameters<
      typeof test.coffer.contextFor
    >[0];
    let refused = 0;
    let isRefused = false;
    const stillCalls = async () => {
      if (isRefused && ++refused) throw refusedToken();
    };
    const register = [{ event: 'secret:create' as const }];
    const input = { projectId, register, lastEventId: '0' };
    const told = await watchSecrets(test.coffer.contextFor(caller), input, { stillCalls });
    await told.next();
    expect((await told.next()).value?.event).toBeDefined();
    isRefused = true;
    await expect.poll(() => refused).toBeGreaterThan(0);
    await expect(told.next()).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(test.coffer.watches.size).toBe(0);
  });

  it('counts as one use of the token, which may be its last', async () => {
    const { projectId, ok, write } = await setUp();
    const { identity } = await ok('POST', '/api/v1/identities', { name: 'once', organizationId: test.organizationId });
    await ok('POST', `/api/v1/projects/${projectId}/memberships/identities/${identity.id}`, { role: 'admin' });
    await ok('POST', `/api/v1/auth/token-auth/identities/${identity.id}`, { accessTokenNumUsesLimit: 1 });
    const { accessToken: token } = await ok('POST', `/api/v1/auth/token-auth/identities/${identity.id}/tokens`, {});
    const reader = await subscribe(projectId, { token });
    expect((await subscribe(projectId, { token })).status).toBe(401);
    // All watches are checked together: this one when another one ends.
    const other = await test.identity({ projectId, projectRole: 'admin' });
    const ended = await subscribe(projectId, { token: other.token });
    await ok('DELETE', `/api/v1/identities/${other.id}`);
    await expect.poll(() => ended.isOver).toBe(true);
    await write(['A']);
    await expect.poll(() => reader.told().length).toBe(1);
  });
});
