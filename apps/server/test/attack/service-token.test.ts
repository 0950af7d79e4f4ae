import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anotherProcess } from '../harness/another-process.ts';
import { groupUrl, Groups, ok, projectUrl, userUrl } from '../harness/groups.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const PERMANENT = { isTemporary: false };

let test: TestServer;
let project: { id: string; slug: string };
const groups = new Groups(() => test);

const at = () => ({ projectId: project.id, environment: 'dev' });
const put = (secretKey: string, secretPath: string, secretValue: string, environment = 'dev') =>
  test.admin('POST', `/api/v4/secrets/${secretKey}`, { ...at(), environment, secretPath, secretValue });

beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  project = await test.project();
  await test.admin('POST', '/api/v2/folders', { ...at(), name: 'app', path: '/' });
  await test.admin('POST', '/api/v2/folders', { ...at(), name: 'vault', path: '/' });
  await put('ROOT', '/', 'root value');
  await put('KEY', '/app', 'app value');
  await put('DEEP', '/vault', 'deep value');
  await put('LINK', '/app', 'is ${dev.vault.DEEP}');
  await test.admin('POST', '/api/v2/secret-imports', {
    ...at(),
    path: '/app',
    import: { environment: 'dev', path: '/vault' },
  });
});
afterAll(() => test.close());

interface Person {
  readonly id: string;
  readonly email: string;
  readonly call: Caller;
  readonly membershipId: string;
}

async function person(role: string): Promise<Person> {
  const user = await makeUser(test.coffer, { organizationId: test.organizationId });
  const { body } = await test.admin('POST', `/api/v1/projects/${project.id}/memberships`, {
    usernames: [user.email],
    emails: [],
    roleSlugs: [role],
  });
  return { ...user, call: test.as(user.token), membershipId: body.memberships[0].id };
}

async function tokenOf({ call }: Pick<Person, 'call'>, permissions = ['read', 'write'], secretPaths = ['/**']) {
  const made = await call('POST', '/api/v2/service-token', {
    name: 'x',
    workspaceId: project.id,
    scopes: secretPaths.map((secretPath) => ({ environment: 'dev', secretPath })),
    permissions,
    expiresIn: 3600,
  });
  expect([made.status, made.status === 200 ? '' : made.body]).toEqual([200, '']);
  return { text: made.body.serviceToken as string, call: test.as(made.body.serviceToken) };
}

const list = (call: Caller, more = '&secretPath=/app') =>
  call('GET', `/api/v4/secrets?projectId=${project.id}&environment=dev${more}`);
const readKey = (call: Caller) =>
  call('GET', `/api/v4/secrets/KEY?projectId=${project.id}&environment=dev&secretPath=/app`);
const namesIn = ({ body }: Answer): string[] => body.secrets.map((one: { secretKey: string }) => one.secretKey);

/** Restricts the user by a forbidding privilege. */
const forbid = async ({ membershipId }: Person, action: string[], conditions?: object) =>
  expect(
    (
      await test.admin('POST', '/api/v1/user-project-additional-privilege', {
        projectMembershipId: membershipId,
        permissions: [{ subject: 'secrets', action, inverted: true, ...(conditions && { conditions }) }],
        type: PERMANENT,
      })
    ).status,
  ).toBe(200);

describe('attack: a service token in the absence of its creator', () => {
  it('is revoked immediately when the creator is removed from the project, here and in other processes', async () => {
    const creator = await person('admin');
    const { text, call } = await tokenOf(creator);
    const other = await anotherProcess(test);
    const url = `/api/v4/secrets?projectId=${project.id}&environment=dev&secretPath=/app`;
    const there = async () =>
      (await other.app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${text}` } })).statusCode;
    try {
      expect([(await list(call)).status, await there()]).toEqual([200, 200]);
      const membership = `/api/v1/projects/${project.id}/memberships/${creator.membershipId}`;
      expect((await test.admin('DELETE', membership)).status).toBe(200);
      expect((await list(call)).status).toBe(401);
      await expect.poll(there).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('stops when the creator is deactivated, and when the creator is removed from the organization', async () => {
    const creator = await person('admin');
    const { call } = await tokenOf(creator);
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from memberships where user_id = $1 and project_id is null',
      [creator.id],
    );
    const url = `/api/v2/organizations/${test.organizationId}/memberships/${rows[0]!.id}`;
    const after = async (method: 'PATCH' | 'DELETE', body?: object) => {
      expect((await test.admin(method, url, body)).status).toBe(200);
      return (await list(call)).status;
    };
    expect((await list(call)).status).toBe(200);
    expect([
      await after('PATCH', { isActive: false }),
      await after('PATCH', { isActive: true }),
      await after('DELETE'),
    ]).toEqual([401, 200, 401]);
  });

  it('stops when the account is deleted', async () => {
    const creator = await person('admin');
    const { call } = await tokenOf(creator);
    expect((await list(call)).status).toBe(200);
    const root = await makeUser(test.coffer, { organizationId: test.organizationId });
    await test.coffer.pool.query('update users set is_super_admin = true where id = $1', [root.id]);
    const url = `/api/v1/admin/user-management/users/${creator.id}`;
    expect((await test.as(root.token)('DELETE', url)).status).toBe(200);
    expect((await list(call)).status).toBe(401);
  });

  describe('is permanently deleted, with an event, also if the creator comes back:', () => {
    const memberships = () => `/api/v1/projects/${project.id}/memberships`;
    const add = ({ username }: { username: string }) =>
      ok(test.admin('POST', memberships(), { usernames: [username], emails: [], roleSlugs: ['admin'] }));
    const inProject = (group: { id: string }) => groups.letInto(project, group, { role: 'admin' });
    type Someone = Awaited<ReturnType<Groups['person']>>;
    interface Way {
      comes(who: Someone): Promise<unknown>;
      leaves(who: Someone): Promise<Answer>;
      comesBack?(who: Someone): Promise<unknown>;
    }
    const alone = (leaves: Way['leaves']): Way => ({ comes: add, leaves, comesBack: add });
    /** By a group, which it leaves, or which is deleted. */
    const byGroup = (
      leaves: (group: { id: string }, who: Someone) => Promise<Answer>,
      comesBack?: (group: { id: string }, who: Someone) => Promise<unknown>,
    ): Way => {
      let group: { id: string };
      return {
        comes: async (who) => {
          group = await groups.make();
          await inProject(group);
          await groups.putIn(group, who);
        },
        leaves: (who) => leaves(group, who),
        comesBack: (who) => comesBack?.(group, who) ?? add(who),
      };
    };
    const ways: Record<string, () => Way> = {
      'taken out of the project': () =>
        alone(({ username }) =>
          test.admin('DELETE', `/api/v2/workspace/${project.id}/memberships`, { usernames: [username], emails: [] }),
        ),
      'leaving the project': () => alone(({ call }) => call('DELETE', `/api/v1/workspace/${project.id}/leave`)),
      'taken out of the organization': () => ({
        comes: add,
        leaves: async ({ id }) => {
          const { rows } = await test.coffer.pool.query<{ id: string }>(
            'select id from memberships where user_id = $1 and project_id is null',
            [id],
          );
          return test.admin('DELETE', `/api/v2/organizations/${test.organizationId}/memberships/${rows[0]!.id}`);
        },
      }),
      'taken out of a group': () =>
        byGroup(
          (group, who) => test.admin('DELETE', userUrl(group, who)),
          (group, who) => groups.putIn(group, who),
        ),
      'with its group, taken out of the project': () =>
        byGroup((group) => test.admin('DELETE', projectUrl(project, group)), inProject),
      'with its group, deleted': () => byGroup((group) => test.admin('DELETE', groupUrl(group))),
    };

    it.each(Object.keys(ways))('%s', async (name) => {
      const way = ways[name]!();
      const who = await groups.person();
      await way.comes(who);
      const { call, text } = await tokenOf(who);
      const id = text.split('.')[1]!;
      expect((await list(call)).status).toBe(200);
      await ok(way.leaves(who));
      await way.comesBack?.(who);
      expect((await list(call)).status).toBe(401);
      const url = `/api/v1/workspace/${project.id}/service-token-data`;
      const { serviceTokenData } = await ok(test.admin('GET', url));
      expect(serviceTokenData.map((one: { id: string }) => one.id)).not.toContain(id);
      const { rows } = await test.coffer.pool.query(
        `select 1 from audit_events where project_id = $1 and published = 'delete-service-token' and data ->> 'serviceTokenId' = $2`,
        [project.id, id],
      );
      expect(rows.length).toBe(1);
    });

    it('but not while the creator is in the project by another way', async () => {
      const who = await groups.person();
      const group = await groups.make();
      await add(who);
      await inProject(group);
      await groups.putIn(group, who);
      const { call } = await tokenOf(who);
      await ok(ways['taken out of the project']!().leaves(who));
      expect((await list(call)).status).toBe(200);
      await add(who);
      await ok(test.admin('DELETE', projectUrl(project, group)));
      expect((await list(call)).status).toBe(200);
    });

    it('also one that is created while its creator is removed', async () => {
      const { rows } = await test.coffer.pool.query<{ count: number }>(
        'select count(*)::int as count from service_tokens where project_id = $1',
        [project.id],
      );
      const who = await groups.person();
      for (let round = 0; round < 8; round++) {
        await add(who);
        const make = who.call('POST', '/api/v2/service-token', {
          name: 'x',
          workspaceId: project.id,
          scopes: [{ environment: 'dev', secretPath: '/**' }],
          permissions: ['read'],
          expiresIn: 3600,
        });
        const [made, left] = await Promise.all([make, ways['taken out of the project']!().leaves(who)]);
        expect([[200, 404].includes(made.status), left.status]).toEqual([true, 200]);
      }
      const after = await test.coffer.pool.query('select 1 from service_tokens where project_id = $1', [project.id]);
      expect(after.rows.length).toBe(rows[0]!.count);
    });

    it('also the tokens of a user who left before a release that deletes them', async () => {
      const group = await groups.make();
      await inProject(group);
      for (const comesBack of [add, (who: Someone) => groups.putIn(group, who)]) {
        const who = await groups.person();
        await add(who);
        const { call } = await tokenOf(who);
        await test.coffer.pool.query('delete from memberships where user_id = $1 and project_id = $2', [
          who.id,
          project.id,
        ]);
        await comesBack(who);
        expect((await list(call)).status).toBe(401);
      }
    });
  });

  it('does nothing any more that its creator may not do', async () => {
    const creator = await person('admin');
    const { call } = await tokenOf(creator);
    const write = (value: string) =>
      call('PATCH', '/api/v4/secrets/KEY', { ...at(), secretPath: '/app', secretValue: value });
    expect([(await write('app value')).status, namesIn(await list(call)).toSorted()]).toEqual([200, ['KEY', 'LINK']]);
    await forbid(creator, ['edit']);
    const refused = await write('mine');
    expect([refused.status, refused.body.error]).toEqual([403, 'PermissionDenied']);
    expect(refused.body.message).toContain('the user who created this service token may not do it');
    // The error contains its own rules, not its creator's.
    expect(JSON.stringify(refused.body.details)).not.toContain('"inverted":true');
    await test.admin('PATCH', `/api/v1/projects/${project.id}/memberships/${creator.membershipId}`, {
      roles: [{ role: 'no-access', ...PERMANENT }],
    });
    expect([(await readKey(call)).status, namesIn(await list(call))]).toEqual([403, []]);
  });

  it('reads no more by lists, imports and references than its creator', async () => {
    const creator = await person('admin');
    const { call } = await tokenOf(creator);
    const all = '&secretPath=/&recursive=true';
    const withImports = '&secretPath=/app&includeImports=true';
    const expanded = async () =>
      (
        await call(
          'GET',
          `/api/v4/secrets/LINK?projectId=${project.id}&environment=dev&secretPath=/app&expandSecretReferences=true`,
        )
      ).body.secret?.secretValue as string | undefined;
    const imported = async () =>
      (await list(call, withImports)).body.imports?.flatMap((one: { secrets: { secretKey: string }[] }) =>
        one.secrets.map(({ secretKey }) => secretKey),
      );
    expect(namesIn(await list(call, all)).toSorted()).toEqual(['DEEP', 'KEY', 'LINK', 'ROOT']);
    expect([await imported(), await expanded()]).toEqual([['DEEP'], 'is deep value']);
    await forbid(creator, ['describeSecret', 'readValue'], { secretPath: { $glob: '/vault/**' } });
    expect(namesIn(await list(call, all)).toSorted()).toEqual(['KEY', 'LINK', 'ROOT']);
    expect((await imported()) ?? []).toEqual([]);
    expect((await expanded()) ?? '').not.toContain('deep value');
    await forbid(creator, ['describeSecret', 'readValue'], { secretName: 'ROOT' });
    expect(namesIn(await list(call, all)).toSorted()).toEqual(['KEY', 'LINK']);
  });

  it('cannot delete a folder with contents that its creator may not delete', async () => {
    const creator = await person('admin');
    const { call } = await tokenOf(creator);
    await test.admin('POST', '/api/v2/folders', { ...at(), name: 'gone', path: '/' });
    await put('KEPT', '/gone', 'kept');
    await forbid(creator, ['delete'], { secretName: 'KEPT' });
    const remove = () => call('DELETE', '/api/v2/folders/gone', { ...at(), path: '/' });
    expect((await remove()).status).toBe(403);
    expect((await creator.call('DELETE', '/api/v2/folders/gone', { ...at(), path: '/' })).status).toBe(403);
  });

  it("expires with its creator's temporary permission, exactly", async () => {
    const creator = await person('no-access');
    const membership = `/api/v1/projects/${project.id}/memberships/${creator.membershipId}`;
    const window = {
      isTemporary: true,
      temporaryMode: 'relative',
      temporaryRange: '2h',
      temporaryAccessStartTime: test.coffer.now().toISOString(),
    };
    const shorten = (temporaryRange: string) =>
      test.admin('PATCH', membership, {
        roles: [
          { role: 'no-access', ...PERMANENT },
          { role: 'admin', ...window, temporaryRange },
        ],
      });
    expect((await shorten('2h')).status).toBe(200);
    const { call } = await tokenOf(creator);
    expect((await shorten('10m')).status).toBe(200);
    expect((await readKey(call)).status).toBe(200);
    const before = test.coffer.now().getTime();
    onTestFinished(() => test.advance(before - test.coffer.now().getTime()));
    test.advance(600_000 - 1);
    expect((await readKey(call)).status).toBe(200);
    test.advance(1);
    expect((await readKey(call)).status).toBe(403);
  });

  it('reads nothing from memory that its creator no longer may, however many rules both have', async () => {
    const readable = (secretPath: string): Rule => ({
      subject: 'secrets',
      action: ['describeSecret', 'readValue'],
      conditions: { environment: 'dev', secretPath },
    });
    const places = Array.from({ length: 100 }, (_, n) => `/p${n}`);
    const permissions = [...places.map(readable), { subject: 'service-tokens', action: ['read', 'create'] }];
    const roles = `/api/v1/projects/${project.id}/roles`;
    await ok(test.admin('POST', roles, { slug: 'many', name: 'many', permissions }));
    const creator = await person('many');
    const privileges = '/api/v1/user-project-additional-privilege';
    const given = { projectMembershipId: creator.membershipId, slug: 'app', permissions: [readable('/app')] };
    const { privilege } = await ok(test.admin('POST', privileges, { ...given, type: PERMANENT }));
    const { call } = await tokenOf(creator, ['readValue'], [...places.slice(1), '/app']);
    const reads = [
      `/api/v4/secrets?projectId=${project.id}&environment=dev&secretPath=/app`,
      `/api/v4/secrets/KEY?projectId=${project.id}&environment=dev&secretPath=/app`,
    ];
    const tags: string[] = [];
    for (const url of reads)
      for (let times = 0; times < 3; times++) {
        const { status, headers } = await call('GET', url);
        expect(status).toBe(200);
        tags.push(String(headers['etag']));
      }
    await ok(test.admin('DELETE', `${privileges}/${privilege.id}`));
    for (const url of reads)
      for (const headers of [{}, ...tags.map((tag) => ({ 'if-none-match': tag }))]) {
        const now = await call('GET', url, undefined, headers);
        expect(now.status).not.toBe(304);
        expect(JSON.stringify(now.body)).not.toContain('app value');
      }
  });

  it('is listed with its effective permissions among the readers of a secret', async () => {
    const creator = await person('admin');
    await tokenOf(creator);
    const who = async () => {
      const url = `/api/v1/projects/${project.id}/access?environment=dev&secretPath=/app&secretName=KEY&action=readValue`;
      const { body } = await test.admin('GET', url);
      return JSON.stringify(body).includes(mine);
    };
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from service_tokens where created_by = $1',
      [creator.id],
    );
    const mine = rows[0]!.id;
    expect(await who()).toBe(true);
    await forbid(creator, ['readValue']);
    expect(await who()).toBe(false);
  });
});
