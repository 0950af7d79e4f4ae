import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let project: { id: string; slug: string };
beforeAll(async () => {
  test = await testServer();
  project = await test.project();
  const here = { projectId: project.id, environment: 'dev' };
  await test.admin('POST', '/api/v2/folders', { ...here, path: '/', name: 'team' });
  for (const name of ['blue', 'red']) {
    await test.admin('POST', '/api/v2/folders', { ...here, path: '/team', name });
    await test.admin('POST', '/api/v4/secrets/DB', { ...here, secretPath: `/team/${name}`, secretValue: name });
  }
});
afterAll(() => test.close());

const rule = (conditions: object, inverted = false) => ({
  subject: 'secrets',
  action: ['describeSecret', 'readValue'],
  conditions,
  inverted,
});
const team = (expression: string) => ({ secretPath: { $glob: `/team/{{${expression}}}/**` } });

/** Which of the two secrets an actor can read. */
async function sees(call: Caller): Promise<string[]> {
  const found: string[] = [];
  for (const name of ['blue', 'red']) {
    const url = `/api/v4/secrets/DB?projectId=${project.id}&environment=dev&secretPath=/team/${name}&viewSecretValue=true`;
    const { status } = await call('GET', url);
    expect([200, 403]).toContain(status);
    if (status === 200) found.push(name);
  }
  return found;
}

const machine = (...rules: object[]) => test.identity({ projectId: project.id, rules: rules as never });
const setMetadata = (id: string, value: string | undefined, call: Caller = test.admin) =>
  call('PATCH', `/api/v1/identities/${id}`, { metadata: value === undefined ? [] : [{ key: 'team', value }] });

describe('a rule about the metadata of a machine identity', () => {
  it('is filled in for each actor, from the request after a change on', async () => {
    const rules = [rule(team('identity.metadata.team'))];
    const [one, other] = [await machine(...rules), await machine(...rules)];
    expect([await sees(one.call), await sees(other.call)]).toEqual([[], []]);
    await setMetadata(one.id, 'blue');
    await setMetadata(other.id, 'red');
    expect([await sees(one.call), await sees(other.call)]).toEqual([['blue'], ['red']]);
    await setMetadata(one.id, 'red');
    expect(await sees(one.call)).toEqual(['red']);
    await setMetadata(one.id, undefined);
    expect(await sees(one.call)).toEqual([]);
  });

  it('is not widened by any value', async () => {
    const { id, call } = await machine(rule(team('identity.metadata.team')), rule({ secretPath: '{{identity.name}}' }));
    for (const value of [
      '*',
      '**',
      '{blue,red}',
      '[br]*',
      '?lue',
      'blue/../red',
      '\\*',
      '{{identity.metadata.team}}',
      '/',
    ]) {
      expect((await setMetadata(id, value)).status).toBe(200);
      expect([value, await sees(call)]).toEqual([value, []]);
    }
  });

  it('forbids everything that it could where the value is missing', async () => {
    const all = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
    const { id, call } = await machine(all, rule(team('identity.metadata.team'), true));
    expect(await sees(call)).toEqual([]);
    await setMetadata(id, 'blue');
    expect(await sees(call)).toEqual(['red']);
  });

  it('applies to grants by the identity, with its value', async () => {
    const own = rule(team('identity.metadata.team'));
    const { id, call } = await machine(own, { subject: 'identity', action: 'edit' });
    await setMetadata(id, 'blue');
    const { id: identityId } = await machine();
    const give = async (permissions: object[]) =>
      (
        await call('POST', '/api/v2/identity-project-additional-privilege', {
          identityId,
          projectId: project.id,
          permissions,
          type: { isTemporary: false },
        })
      ).status;
    expect(await give([rule({ secretPath: { $glob: '/team/blue/*' } })])).toBe(200);
    expect(await give([rule({ secretPath: '/team/red' })])).toBe(403);
    expect(await give([own])).toBe(403);
  });

  it('applies equally in a role', async () => {
    const slug = 'own-team';
    const made = await test.admin('POST', `/api/v1/projects/${project.id}/roles`, {
      slug,
      name: slug,
      permissions: [rule(team('identity.metadata.team'))],
    });
    expect(made.status).toBe(200);
    const { id, call } = await test.identity();
    await test.admin('POST', `/api/v1/projects/${project.id}/memberships/identities/${id}`, { role: slug });
    await setMetadata(id, 'red');
    expect(await sees(call)).toEqual(['red']);
  });
});

describe('a secret whose name looks like a template', () => {
  it('is refused as any other is', async () => {
    const { call } = await machine();
    for (const name of ['{{user.id}}', '{{identity.id}}', '{{']) {
      const at = `projectId=${project.id}&environment=dev&secretPath=/&viewSecretValue=true`;
      const { status, body } = await call('GET', `/api/v4/secrets/${encodeURIComponent(name)}?${at}`);
      expect([name, status, body.error]).toEqual([name, 403, 'PermissionDenied']);
    }
  });
});

describe('an actor whose rules use it', () => {
  const mayEditIdentities = [{ subject: 'identity', action: ['read', 'edit', 'create'] }];
  const selfEditor = (...rules: object[]) =>
    test.identity({ organizationRules: mayEditIdentities, projectId: project.id, rules: rules as never });

  it('cannot change its own metadata to gain rights, or to lift a denial', async () => {
    for (const rules of [
      [rule(team('identity.metadata.team'))],
      [
        { subject: 'secrets', action: ['readValue', 'describeSecret'], conditions: { environment: 'dev' } },
        rule(team('identity.metadata.team'), true),
      ],
    ]) {
      const { id, call } = await selfEditor(...rules);
      await setMetadata(id, 'blue');
      const before = await sees(call);
      const { status, body } = await setMetadata(id, 'red', call);
      expect([status, body.error]).toEqual([403, 'PermissionBoundaryError']);
      expect(await sees(call)).toEqual(before);
      expect((await setMetadata(id, 'blue', call)).status).toBe(200);
      expect((await call('PATCH', `/api/v1/identities/${id}`, { hasDeleteProtection: false })).status).toBe(200);
    }
  });

  it('cannot change its own name if a rule uses it, and can otherwise', async () => {
    const named = await selfEditor(rule(team('identity.name')));
    const rename = (who: { id: string; call: Caller }) =>
      who.call('PATCH', `/api/v1/identities/${who.id}`, { name: 'red' });
    expect((await rename(named)).status).toBe(403);
    const other = await selfEditor(rule(team('identity.metadata.team')));
    expect((await rename(other)).status).toBe(200);
  });

  it('cannot choose its login method if a rule uses facts of a login', async () => {
    const proved = await selfEditor(rule(team('identity.auth.oidc.claims.team')));
    const attach = (who: { id: string; call: Caller }) =>
      who.call('POST', `/api/v1/auth/universal-auth/identities/${who.id}`, {});
    const { status, body } = await attach(proved);
    expect([status, body.error]).toEqual([403, 'PermissionBoundaryError']);
    expect((await attach(await selfEditor(rule(team('identity.metadata.team'))))).status).toBe(200);
  });

  it('may do all that if it holds every possible result', async () => {
    const all = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
    const { id, call } = await selfEditor(rule(team('identity.metadata.team')), all);
    expect((await setMetadata(id, 'red', call)).status).toBe(200);
  });
});

describe('a rule about facts of a login', () => {
  it('counts the uses of each token separately', async () => {
    const { id, token } = await machine(rule(team('identity.auth.oidc.claims.team')));
    const { body } = await test.admin('POST', `/api/v1/auth/token-auth/identities/${id}/tokens`, {});
    const { body: third } = await test.admin('POST', `/api/v1/auth/token-auth/identities/${id}/tokens`, {});
    const prove = (tokenId: string, name: string) =>
      test.coffer.pool.query('update identity_access_tokens set claims = $2 where id = $1', [
        tokenId,
        { oidc: { claims: { team: name } } },
      ]);
    await prove(body.tokenData.id, 'blue');
    await prove(third.tokenData.id, 'red');
    const [plain, blue, red] = [test.as(token), test.as(body.accessToken), test.as(third.accessToken)];
    for (let round = 0; round < 3; round++)
      expect([await sees(plain), await sees(red), await sees(blue)]).toEqual([[], ['red'], ['blue']]);
    const both = await Promise.all(Array.from({ length: 20 }, (_, at) => sees(at % 2 ? red : blue)));
    expect(both).toEqual(Array.from({ length: 20 }, (_, at) => (at % 2 ? ['red'] : ['blue'])));
    await test.admin('POST', '/api/v2/identity-project-additional-privilege', {
      identityId: id,
      projectId: project.id,
      permissions: [rule({ secretPath: '/team/blue' }, true)],
      type: { isTemporary: false },
    });
    expect([await sees(plain), await sees(red), await sees(blue)]).toEqual([[], ['red'], []]);
  });

  it('forbids everything that it could to a token that proved nothing', async () => {
    const all = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
    const { call } = await machine(all, rule({ secretPath: '/team/{{identity.auth.kubernetes.namespace}}' }, true));
    expect(await sees(call)).toEqual([]);
  });
});

describe('a rule about a person', () => {
  const member = async (rules: object[], email: string) => {
    const user = await makeUser(test.coffer, { organizationId: test.organizationId, email });
    const { body } = await test.admin('POST', `/api/v2/workspace/${project.id}/memberships`, {
      usernames: [user.email],
      roleSlugs: ['no-access'],
    });
    await test.admin('POST', '/api/v1/user-project-additional-privilege', {
      projectMembershipId: body.memberships[0].id,
      permissions: rules,
      type: { isTemporary: false },
    });
    return { ...user, call: test.as(user.token) };
  };

  it('may use its user name, e-mail address and metadata', async () => {
    const here = { projectId: project.id, environment: 'prod', secretValue: 'x', secretPath: '/' };
    await test.admin('POST', '/api/v4/secrets/ann@example.com', here);
    const ann = await member(
      [
        rule({ environment: 'prod', secretName: '{{identity.email}}' }),
        rule({ ...team('identity.metadata.team'), environment: 'dev' }),
      ],
      'ann@example.com',
    );
    const url = `/api/v4/secrets/ann@example.com?projectId=${project.id}&environment=prod&secretPath=/&viewSecretValue=true`;
    expect((await ann.call('GET', url)).status).toBe(200);
    expect(await sees(ann.call)).toEqual([]);
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from memberships where user_id = $1 and project_id is null',
      [ann.id],
    );
    const at = `/api/v2/organizations/${test.organizationId}/memberships/${rows[0]!.id}`;
    const metadata = [{ key: 'team', value: 'blue' }];
    const { call } = await test.identity({ organizationRules: [{ subject: 'member', action: ['read', 'edit'] }] });
    expect((await call('PATCH', at, { metadata })).status).toBe(403);
    expect(await sees(ann.call)).toEqual([]);
    expect((await test.admin('PATCH', at, { metadata })).status).toBe(200);
    expect(await sees(ann.call)).toEqual(['blue']);
  });

  it('cannot use the name that it chooses itself', async () => {
    const bea = await member([rule(team('identity.name'))], 'bea@example.com');
    const renamed = await bea.call('PATCH', '/api/v2/users/me/name', { firstName: 'blue', lastName: '' });
    expect([renamed.status, await sees(bea.call)]).toEqual([200, []]);
  });
});
