import { INSTANCE_LOG, newId, writeToken } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyholder } from '../harness/api-keys.ts';
import { beginExport, sealedLog } from '../harness/sealed-log.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let secret: { id: string };
let own: { id: string };
/** A member of the organization, and of one of its projects. */
let member: Caller;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  secret = await test.project();
  own = await test.project();
  for (const { id } of [secret, own])
    await test.admin('POST', `/api/v1/workspace/${id}/tags`, { slug: `tag-of-${id}`, color: '' });
  const { call } = await test.identity({ organizationRole: 'member', projectId: own.id, projectRole: 'viewer' });
  member = call;
});
afterAll(() => test.close());

const PATH = '/api/v1/organization/audit-logs';

describe('attack: reading what others did', () => {
  it('a member finds nothing of a project that it does not belong to, by any filter', async () => {
    const queries = [
      '',
      'eventType=create-tag',
      `actor=${test.adminIdentity.id}`,
      'actorType=identity',
      `eventMetadata=slug=tag-of-${secret.id}`,
      'offset=0&limit=1000',
      `startDate=2000-01-01T00:00:00Z&limit=1000`,
    ];
    for (const query of queries) {
      const { status, body } = await member('GET', `${PATH}?${query}`);
      expect({ query, status }).toEqual({ query, status: 200 });
      expect(JSON.stringify(body)).not.toContain(secret.id);
    }
    const { body } = await member('GET', `${PATH}?eventType=create-tag`);
    expect(body.auditLogs).toMatchObject([{ projectId: own.id }]);
  });

  it('a member sees nothing of what others did in the organization', async () => {
    await test.admin('POST', '/api/v1/identities', {
      name: 'hidden',
      organizationId: test.organizationId,
      role: 'member',
    });
    const { body } = await member('GET', `${PATH}?eventType=create-identity`);
    expect(body.auditLogs).toEqual([]);
  });

  it('a member gets neither the other project by name, nor an export, nor the log of the instance', async () => {
    expect((await member('GET', `${PATH}?projectId=${secret.id}`)).status).toBe(404);
    expect((await member('GET', `/api/v1/workspace/${secret.id}/audit-logs`)).status).toBe(404);
    expect((await member('GET', `/api/v1/workspace/${secret.id}/audit-logs/filters/actors`)).status).toBe(404);
    expect((await member('GET', `${PATH}/export`)).status).toBe(403);
    expect((await member('GET', '/api/v1/admin/audit-logs')).status).toBe(403);
  });

  it.each([
    ['its identity is deleted', 401, (id: string) => test.admin('DELETE', `/api/v1/identities/${id}`)],
    ['it loses the right', 403, (id: string) => test.admin('PATCH', `/api/v1/identities/${id}`, { role: 'member' })],
  ])('a reader does not get the rest of an export that it began before %s', async (_, status, end) => {
    const log = await sealedLog(test);
    await log.grow(30);
    await log.stop();
    const { id, token, call } = await test.identity({ organizationRole: 'admin' });
    const whole = await beginExport(test, token);
    const all = (await whole.rest()).filter((line) => line.includes('happen-thing')).length;
    expect(all).toBeGreaterThanOrEqual(30);
    const cut = await beginExport(test, token);
    expect((await end(id)).status).toBe(200);
    expect((await call('GET', `${PATH}/export`)).status).toBe(status);
    await expect(cut.rest()).rejects.toThrow('response destroyed before completion');
    // A chunk or two were under way.
    expect(cut.received().split('happen-thing').length).toBeLessThan(25);
  });

  it('a member cannot give itself the right to all of it', async () => {
    const permissions = [{ subject: 'audit-logs', action: ['read-all'] }];
    const role = { slug: 'all', name: 'All', permissions };
    expect(await member('POST', '/api/v1/organization/roles', role)).toMatchObject({
      status: 403,
      body: { error: 'PermissionDenied' },
    });
    expect((await test.admin('POST', '/api/v1/organization/roles', role)).status).toBe(200);
  });
});

describe('attack: reading values past the log', () => {
  const SECRETS = '/api/v4/secrets';
  it('by a change that changes nothing, a deletion or a copy is in it as a read', async () => {
    const { id: projectId } = await test.project();
    const at = { projectId, environment: 'dev', secretPath: '/' };
    const made = [];
    for (const name of ['A', 'B', 'C'])
      made.push((await test.admin('POST', `${SECRETS}/${name}`, { ...at, secretValue: 'a-value' })).body.secret.id);
    const { call: writer } = await test.identity({ projectId, rules: [{ subject: 'secrets', action: ['edit'] }] });
    const copy = { projectId, sourceEnvironment: 'dev', destinationEnvironment: 'prod', secretIds: made.slice(0, 2) };
    const [one, others] = [{ secretKey: 'A' }, [{ secretKey: 'A' }, { secretKey: 'B', secretValue: 'another' }]];
    for (const [call, method, url, body, numberOfValues] of [
      [test.admin, 'PATCH', '/A', at, 1],
      [test.admin, 'PATCH', '/A', { ...at, secretValue: 'another' }, undefined],
      [test.admin, 'PATCH', '/batch', { ...at, secrets: others }, 1],
      [writer, 'PATCH', '/A', at, undefined],
      [test.admin, 'POST', '/duplicate', copy, undefined],
      [test.admin, 'DELETE', '/C', at, 1],
      [test.admin, 'DELETE', '/batch', { ...at, secrets: [one, { secretKey: 'B' }] }, 2],
    ] as const) {
      expect([method, url, (await call(method, SECRETS + url, body)).status]).toEqual([method, url, 200]);
      const { body: log } = await test.admin('GET', `${PATH}?projectId=${projectId}&limit=2`);
      const [last, before] = log.auditLogs;
      expect([method, url, last.event.metadata.numberOfValues]).toEqual([method, url, numberOfValues]);
      if (url !== '/duplicate') continue;
      expect(last.event).toMatchObject({ type: 'create-secrets', metadata: { environment: 'prod' } });
      const metadata = { environment: 'dev', secretPath: '/', numberOfSecrets: 2 };
      expect(before.event).toEqual({ type: 'get-secrets', metadata });
    }
  });

  it.each(['duplicate', 'move', 'copy of a folder', 'move of a folder'])(
    'by a change request that holds them is in it, with the folder from which they come: %s',
    async (what) => {
      const { id: projectId } = await test.project();
      const approver = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
      const joins = { usernames: [approver.email], emails: [], roleSlugs: ['admin'] };
      expect((await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, joins)).status).toBe(200);
      const approvers = [{ type: 'user', id: approver.id }];
      const policy = { workspaceId: projectId, name: 'x', environment: 'staging', approvers };
      expect((await test.admin('POST', '/api/v1/secret-approvals', policy)).status).toBe(200);
      const isFolder = what.endsWith('folder');
      await test.admin('POST', '/api/v2/folders', { projectId, environment: 'prod', path: '/', name: 'app' });
      const secretPath = isFolder ? '/app' : '/';
      const ids: string[] = [];
      for (const name of ['A', 'B']) {
        const at = { projectId, environment: 'prod', secretPath, secretValue: `value of ${name}` };
        ids.push((await test.admin('POST', `${SECRETS}/${name}`, at)).body.secret.id);
      }
      const way = { projectId, sourceEnvironment: 'prod', destinationEnvironment: 'staging' };
      const url = isFolder ? `/api/v2/folders/${what.split(' ')[0]}` : `${SECRETS}/${what}`;
      const asked = { ...way, ...(isFolder ? { folderNames: ['app'] } : { secretIds: ids }) };
      const { status, body } = await test.admin('POST', url, asked);
      expect([status, body]).toMatchObject([200, { approval: { status: 'open' } }]);
      const { id } = body.approval;
      const found = async (filter: string) =>
        (await test.admin('GET', `${PATH}?projectId=${projectId}&limit=3&${filter}`)).body.auditLogs.map(
          ({ event }: { event: object }) => event,
        );
      const reads = `eventType=get-secrets&environment=prod&secretPath=${secretPath}`;
      expect(await found(reads)).toEqual([
        { type: 'get-secrets', metadata: { environment: 'prod', secretPath, numberOfSecrets: 2 } },
      ]);
      const { body: read } = await test.as(approver.token)('GET', `/api/v1/secret-approval-requests/${id}`);
      expect(JSON.stringify(read)).toMatch(/value of A.*value of B/);
      const readIn = (environment: string, secretVersion: number | null) => ({
        type: 'get-secret-approval-request',
        metadata: {
          ...{ requestId: id, slug: body.approval.slug, policyId: expect.any(String) as unknown },
          ...{ environment, secretPath, numberOfValues: 2 },
          secrets: ['A', 'B'].map((secretKey, index) => ({
            ...{ secretKey, secretVersion },
            secretId: what.startsWith('move') ? ids[index] : null,
          })),
        },
      });
      const ofRequest = 'eventType=get-secret-approval-request';
      expect(await found(`${ofRequest}&environment=staging&secretKey=A`)).toEqual([readIn('staging', null)]);
      const before = what.startsWith('move') ? [readIn('prod', 1)] : [];
      expect(await found(`${ofRequest}&environment=prod&secretPath=${secretPath}&secretKey=B`)).toEqual(before);
    },
  );

  it('is not in it where the answer of a change has no values', async () => {
    const { id: projectId } = await test.project();
    const at = { environment: 'dev', secretPath: '/' };
    for (const name of ['A', 'B'])
      await test.admin('POST', `${SECRETS}/${name}`, { projectId, ...at, secretValue: 'a-value' });
    const changes = [{ ...at, update: [{ secretKey: 'A', secretComment: 'new' }], delete: [{ secretKey: 'B' }] }];
    const { status, body } = await test.admin('POST', `/api/v1/projects/${projectId}/secrets/changes`, { changes });
    expect([status, JSON.stringify(body).includes('a-value')]).toEqual([200, false]);
    const { body: log } = await test.admin('GET', `${PATH}?projectId=${projectId}&limit=2`);
    const told = log.auditLogs.map(({ event }: { event: { type: string; metadata: object } }) => [
      event.type,
      'numberOfValues' in event.metadata,
    ]);
    expect(told.toSorted()).toEqual([
      ['delete-secrets', false],
      ['update-secrets', false],
    ]);
  });

  it('by references and imports is in it with the folder in which they are', async () => {
    const { id: projectId } = await test.project();
    const at = { projectId, environment: 'dev', secretPath: '/' };
    await test.admin('POST', `${SECRETS}/A`, { ...at, environment: 'prod', secretValue: 'a-value' });
    await test.admin('POST', `${SECRETS}/MINE`, { ...at, secretValue: '${prod.A} ${OWN} ${NONE}' });
    await test.admin('POST', `${SECRETS}/OWN`, { ...at, secretValue: 'no reference' });
    const query = `projectId=${projectId}&environment=dev&secretPath=/`;
    const metadata = async (url: string) => {
      expect(JSON.stringify((await test.admin('GET', SECRETS + url)).body)).toContain('a-value');
      const { body } = await test.admin('GET', `${PATH}?projectId=${projectId}&limit=1`);
      return body.auditLogs[0].event.metadata;
    };
    const there = { environment: 'prod', secretPath: '/', numberOfSecrets: 1 };
    const here = { environment: 'dev', secretPath: '/', numberOfSecrets: 1 };
    for (const url of ['/MINE?expandSecretReferences=true&', '/MINE/secret-reference-tree?'])
      expect(await metadata(url + query)).toMatchObject({ secretKey: 'MINE', references: [there, here] });
    const list = { environment: 'dev', secretPath: '/', numberOfSecrets: 2 };
    expect(await metadata(`?${query}&expandSecretReferences=true`)).toEqual({ ...list, references: [there] });
    const source = { import: { environment: 'prod', path: '/' }, isReplication: false };
    await test.admin('POST', '/api/v2/secret-imports', { projectId, environment: 'dev', path: '/', ...source });
    expect(await metadata(`?${query}&includeImports=true&expandSecretReferences=false`)).toEqual({
      ...list,
      numberOfSecrets: 3,
      imports: [there],
    });
    // One secret by two names, of which the list has one.
    await test.admin('PATCH', `${SECRETS}/MINE`, { ...at, secretValue: '${prod.A} ${A}' });
    expect(await metadata('/MINE?expandSecretReferences=true&' + query)).toMatchObject({ references: [there] });
    const both = { ...list, numberOfSecrets: 3, imports: [there] };
    expect(await metadata(`?${query}&includeImports=true&expandSecretReferences=true`)).toEqual(both);
  });

  it('by the history, or with the folders below, is in it with the folders and how many values', async () => {
    const { id: projectId } = await test.project();
    const at = { projectId, environment: 'prod' };
    await test.admin('POST', '/api/v2/folders', { ...at, path: '/', name: 'pay' });
    await test.admin('POST', `${SECRETS}/A`, { ...at, secretPath: '/pay', secretValue: 'a-value' });
    const metadata = async (url: string, answers = true) => {
      const { status, body: answer } = await test.admin('GET', url);
      expect([url, status, JSON.stringify(answer).includes('a-value')]).toEqual([url, 200, answers]);
      const { body } = await test.admin('GET', `${PATH}?projectId=${projectId}&limit=1`);
      return body.auditLogs[0].event.metadata;
    };
    const history = `/api/v1/projects/${projectId}`;
    const { body } = await test.admin('GET', `${history}/commits?environment=prod&path=/pay&secretPath=/pay`);
    const read = {
      numberOfValues: 1,
      values: [{ environment: 'prod', secretPath: '/pay', numberOfSecrets: 1 }],
    };
    const commit = `${history}/commits/${body.commits[0].id}`;
    for (const url of [commit, `${history}/history/tree`, `${history}/history/compare?fromRevision=0`]) {
      expect(await metadata(url)).toMatchObject(read);
      const without = `${url}${url.includes('?') ? '&' : '?'}viewSecretValue=false`;
      expect(await metadata(without, false)).toMatchObject({ numberOfValues: 0, values: [] });
    }
    const query = 'environment=prod&path=/pay';
    const snapshots = (await test.admin('GET', `${history}/secret-snapshots?${query}`)).body.secretSnapshots;
    const place = { environment: 'prod', secretPath: '/pay' };
    const snapshot = await metadata(`/api/v1/secret-snapshot/${snapshots[0].id}`);
    expect(snapshot).toMatchObject({ ...place, numberOfValues: 1 });
    const list = `${SECRETS}?projectId=${projectId}&environment=prod&secretPath=/`;
    expect(await metadata(`${list}&recursive=true`)).toEqual({
      ...{ environment: 'prod', secretPath: '/', numberOfSecrets: 1, isRecursive: true },
    });
  });

  it('by a reference in a personal value is in it, too', async () => {
    const { id: projectId } = await test.project();
    const at = { projectId, environment: 'dev', secretPath: '/' };
    const user = await makeUser(test.coffer, { organizationId: test.organizationId });
    const members = `/api/v2/workspace/${projectId}/memberships`;
    await test.admin('POST', members, { usernames: [user.email], emails: [] });
    await test.admin('POST', `${SECRETS}/A`, { ...at, environment: 'prod', secretValue: 'a-value' });
    await test.admin('POST', `${SECRETS}/MINE`, { ...at, secretValue: 'shared' });
    const person = test.as(user.token);
    await person('POST', `${SECRETS}/MINE`, { ...at, secretValue: '${prod.A}', type: 'personal' });
    const query = new URLSearchParams({ ...at, type: 'personal', expandSecretReferences: 'true' }).toString();
    expect((await person('GET', `${SECRETS}/MINE?${query}`)).body.secret.secretValue).toBe('a-value');
    const { body } = await test.admin('GET', `${PATH}?projectId=${projectId}&limit=1`);
    const references = [{ environment: 'prod', secretPath: '/', numberOfSecrets: 1 }];
    expect(body.auditLogs[0].event.metadata).toMatchObject({ secretKey: 'MINE', references });
  });
});

describe('attack: changing rights behind what the log says', () => {
  /** The data of the last events of a type, the newest first. */
  const last = async (published: string, count = 1) => {
    const { rows } = await test.coffer.pool.query<{ data: object; project_id: string | null }>(
      'select data, project_id from audit_events where published = $1 order by created_at desc, id desc limit $2',
      [published, count],
    );
    return rows;
  };
  const change = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
    const answer = await test.admin(method, url, body);
    expect([url, answer.status, answer.status === 200 ? undefined : answer.body]).toEqual([url, 200, undefined]);
    return answer.body;
  };
  const start = new Date('2030-01-01T00:00:00Z');
  const anHour = {
    ...{ isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h' },
    temporaryAccessStartTime: start.toISOString(),
  };
  const period = { from: start.toISOString(), until: '2030-01-01T01:00:00.000Z' };
  const RULES = [{ subject: 'secrets', action: ['readValue'] }];

  it('of a role is in it with what the role gives then', async () => {
    const { id: projectId } = await test.project();
    const url = `/api/v1/projects/${projectId}/roles`;
    const { role } = await change('POST', url, { slug: 'r', name: 'R', permissions: RULES });
    expect(await last('create-project-role')).toMatchObject([{ data: { permissions: RULES } }]);
    const more = [{ subject: 'role', action: ['edit'] }];
    await change('PATCH', `${url}/${role.id}`, { permissions: more });
    await change('PATCH', `${url}/${role.id}`, { name: 'S' });
    expect(await last('update-project-role', 2)).toEqual([
      { project_id: projectId, data: { roleId: role.id, slug: 'r', name: 'S', changed: ['name'] } },
      {
        project_id: projectId,
        data: { roleId: role.id, slug: 'r', name: 'R', changed: ['permissions'], permissions: more },
      },
    ]);
  });

  it('of a member, invitation, default role or temporary role is in it with the role, and until when', async () => {
    const { organizationId } = test;
    const { id: projectId } = await test.project();
    const { identity } = await change('POST', '/api/v1/identities', { name: 'x', organizationId, role: 'member' });
    const roles = [{ role: 'viewer' }, { role: 'admin', ...anHour }];
    await change('POST', `/api/v1/projects/${projectId}/memberships/identities/${identity.id}`, { roles });
    const given = { roles: ['viewer', 'admin'], temporary: [{ role: 'admin', ...period }] };
    expect(await last('create-identity-project-membership')).toMatchObject([{ data: given }]);
    await change('POST', '/api/v1/invite-org/signup', {
      ...{ inviteeEmails: ['who@example.com'], organizationId, organizationRoleSlug: 'admin' },
    });
    expect(await last('invite-organization-member')).toMatchObject([
      { data: { email: 'who@example.com', role: 'admin' } },
    ]);
    for (const defaultMembershipRoleSlug of ['admin', 'member'])
      await change('PATCH', `/api/v1/organization/${organizationId}`, { defaultMembershipRoleSlug });
    const changed = ['defaultMembershipRoleSlug'];
    expect(await last('update-organization', 2)).toMatchObject([
      { data: { changed, defaultMembershipRoleSlug: 'member' } },
      { data: { changed, defaultMembershipRoleSlug: 'admin' } },
    ]);
  });

  it('of a login method is in it with whom it admits then, without its sealed fields', async () => {
    const { organizationId } = test;
    const { identity } = await change('POST', '/api/v1/identities', { name: 'x', organizationId, role: 'member' });
    const url = `/api/v1/auth/kubernetes-auth/identities/${identity.id}`;
    const host = { kubernetesHost: 'https://k8s.example.com', tokenReviewerJwt: 'canary-of-a-reviewer' };
    const binding = { allowedNames: 'deploy', allowedNamespaces: 'prod', allowedAudience: '' };
    await change('POST', url, { ...host, ...binding });
    await change('PATCH', url, { allowedNamespaces: '', ...host, tokenReviewerJwt: 'canary-of-another' });
    const settings = { kubernetesHost: host.kubernetesHost, allowedNames: 'deploy' };
    const [attached] = await last('add-identity-kubernetes-auth');
    expect(attached!.data).toMatchObject({ settings: { ...settings, allowedNamespaces: 'prod' } });
    const [updated] = await last('update-identity-kubernetes-auth');
    expect(updated!.data).toMatchObject({ settings: { ...settings, allowedNamespaces: '' } });
    expect(updated!.data).toMatchObject({
      changed: expect.arrayContaining(['allowedNamespaces', 'tokenReviewerJwt']) as unknown,
    });
    expect(JSON.stringify([attached, updated])).not.toContain('canary-of');
    await change('POST', `/api/v1/auth/universal-auth/identities/${identity.id}`, {});
    const limits = { ttl: 60, numUsesLimit: 3 };
    await change('POST', `/api/v1/auth/universal-auth/identities/${identity.id}/client-secrets`, limits);
    expect(await last('create-identity-universal-auth-client-secret')).toMatchObject([{ data: limits }]);
  });

  it('by the end of an identity, user or group is on the log of each project in which it was', async () => {
    const { organizationId } = test;
    const [one, two] = [await test.project(), await test.project()];
    const user = await makeUser(test.coffer, { organizationId, role: 'member' });
    const { identity } = await change('POST', '/api/v1/identities', { name: 'x', organizationId, role: 'member' });
    const group = await change('POST', '/api/v1/groups', { name: 'ended' });
    for (const { id } of [one, two]) {
      const members = `/api/v1/projects/${id}/memberships`;
      await change('POST', members, { usernames: [user.email], emails: [], roleSlugs: ['viewer'] });
      await change('POST', `${members}/identities/${identity.id}`, { role: 'viewer' });
      await change('POST', `${members}/groups/${group.id}`, { role: 'viewer' });
    }
    const { rows } = await test.coffer.pool.query<{ id: string }>(
      'select id from memberships where user_id = $1 and project_id is null',
      [user.id],
    );
    const membership = `/api/v2/organizations/${organizationId}/memberships/${rows[0]!.id}`;
    // No membership ends by this.
    await change('PATCH', membership, { isActive: false });
    await change('DELETE', membership);
    await change('DELETE', `/api/v1/identities/${identity.id}`);
    await change('DELETE', `/api/v1/groups/${group.id}`);
    const places = [one.id, two.id].toSorted();
    for (const [published, who] of [
      ['remove-workspace-member', { userId: user.id }],
      ['delete-identity-project-membership', { identityId: identity.id }],
      ['delete-group-project-membership', { groupId: group.id }],
    ] as const) {
      const events = (await last(published, 10)).filter(({ data }) =>
        Object.entries(who).every(([name, value]) => (data as Record<string, unknown>)[name] === value),
      );
      expect([published, events.map((event) => String(event.project_id)).toSorted()]).toEqual([published, places]);
    }
  });

  it('by logins of an identity that belongs to a project, and guesses at it, is on the log of the project', async () => {
    const { id: projectId } = await test.project();
    const { identity } = await change('POST', `/api/v1/projects/${projectId}/identities`, { name: 'own' });
    const url = `/api/v1/auth/universal-auth/identities/${identity.id}`;
    const { clientId } = (await change('POST', url, {})).identityUniversalAuth;
    const { clientSecret } = await change('POST', `${url}/client-secrets`, {});
    const logIn = (shown: string) =>
      test.as()('POST', '/api/v1/auth/universal-auth/login', { clientId, clientSecret: shown });
    const { accessToken } = (await logIn(clientSecret)).body;
    expect((await logIn('guess')).status).toBe(401);
    for (const what of ['renew', 'revoke'])
      expect((await test.as()('POST', `/api/v1/auth/token/${what}`, { accessToken })).status).toBe(200);
    const types = ['login', 'fail-login'].map((what) => `${what}-identity-universal-auth`);
    for (const published of [...types, 'renew-identity-access-token', 'revoke-identity-access-token']) {
      const [event] = await last(published);
      expect([published, event]).toMatchObject([
        published,
        { project_id: projectId, data: { identityId: identity.id } },
      ]);
    }
  });
});

describe('attack: flooding the log, or hiding in a flood', () => {
  it('500 denied requests and 500 guesses are a handful of events, which count all of them', async () => {
    // Flushes earlier refusals, whose minutes are over.
    for (let i = 0; i < 2; i++) {
      test.advance(61_000);
      await test.coffer.refusals.sweep();
    }
    const start = test.coffer.now();
    const before = (await test.coffer.pool.query('select 1 from audit_events')).rowCount!;
    const guess = () =>
      test.as()('POST', '/api/v1/auth/universal-auth/login', {
        clientId: '2b8c7f5e-3f3e-4c57-9f0e-3a41d5a1d111',
        clientSecret: 'guess',
      });
    for (let i = 0; i < 10; i++)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          await member('POST', `/api/v1/workspace/${own.id}/tags`, { slug: 'x', color: '' });
          await guess();
        }),
      );
    test.advance(61_000);
    await test.coffer.refusals.sweep();
    const { rows } = await test.coffer.pool.query<{ published: string; total: number }>(
      `select published, sum((data ->> 'count')::int)::int as total from audit_events
       where published in ('unknown-login-failed', 'denied-request') and created_at >= $1 group by published order by 1`,
      [start],
    );
    expect(rows).toEqual([
      { published: 'denied-request', total: 500 },
      { published: 'unknown-login-failed', total: 500 },
    ]);
    expect((await test.coffer.pool.query('select 1 from audit_events')).rowCount! - before).toBeLessThan(12);
  });
});

describe('attack: credentials that are valid and refused', () => {
  const ways: [what: string, refused: () => Promise<{ call: Caller; owner: object }>][] = [
    [
      'the access token of a deactivated user',
      async () => {
        const user = await keyholder(test);
        await deactivate(user.id);
        return { call: user.session, owner: { userId: user.id } };
      },
    ],
    [
      'the API key of a deactivated user',
      async () => {
        const user = await keyholder(test);
        await deactivate(user.id);
        return { call: user.call, owner: { userId: user.id, apiKeyId: user.keyId } };
      },
    ],
    [
      'a token without an organization, of a deactivated user who selects it',
      async () => {
        const user = await keyholder(test, { password: 'correct horse battery' });
        const login = { email: user.email, password: 'correct horse battery' };
        const { accessToken } = (await test.as()('POST', '/api/v3/auth/login', login)).body;
        await deactivate(user.id);
        const { organizationId } = test;
        const select: Caller = () =>
          test.as(accessToken)('POST', '/api/v3/auth/select-organization', { organizationId });
        return { call: select, owner: { userId: user.id } };
      },
    ],
    [
      'the token of an identity, from an address that it may not be used from',
      async () => {
        const { id, call } = await test.identity();
        const trusted = `update identity_auth_methods set access_token_trusted_ips = $2 where identity_id = $1`;
        await test.coffer.pool.query(trusted, [id, JSON.stringify([{ ipAddress: '10.0.0.1' }])]);
        return { call, owner: { identityId: id } };
      },
    ],
  ];
  const deactivate = async (userId: string) => {
    const { organizationId } = test;
    const { body } = await test.admin('GET', `/api/v2/organizations/${organizationId}/memberships`);
    const { id } = body.users.find(({ user }: { user: { id: string } }) => user.id === userId);
    const path = `/api/v2/organizations/${organizationId}/memberships/${id}`;
    expect((await test.admin('PATCH', path, { isActive: false })).status).toBe(200);
  };

  it.each(ways)('leave an event in their organization, with their owner: %s', async (_what, refused) => {
    const { call, owner } = await refused();
    expect((await call('GET', '/api/v1/projects')).status).toBe(403);
    const { body } = await test.admin('GET', `${PATH}?eventType=denied-request&limit=100`);
    expect(body.auditLogs).toContainEqual(
      expect.objectContaining({ actor: expect.objectContaining({ metadata: expect.objectContaining(owner) }) }),
    );
    const { rows } = await test.coffer.pool.query(
      `select 1 from audit_events where organization_id = $1 and type = 'request.denied'`,
      [INSTANCE_LOG],
    );
    expect(rows).toEqual([]);
  });
});

describe('attack: guessing codes without a trace', () => {
  const email = 'nobody@example.com';
  const password = 'correct horse battery';
  const code = 'canary-of-a-code';
  const form = { email, password, firstName: 'E' };
  /** In the form of real tokens, so that they are looked up; they were never issued. */
  const of = (prefix: string) => writeToken(prefix, Buffer.alloc(32, 'x')).token;
  const shownBody = Buffer.alloc(32, 'x').toString('base64url');
  const COMPLETE = '/api/v3/signup/complete-account';
  const DETAILS = '/api/v1/identities/details';
  const guesses: readonly {
    kind: string;
    url: string;
    method?: 'GET' | 'POST';
    body?: object;
    token?: string;
    headers?: object;
  }[] = [
    {
      kind: 'set-up',
      url: '/api/v1/admin/bootstrap',
      body: { email, password, organization: 'E', setupCode: of('cfb_') },
    },
    { kind: 'set-up', url: '/api/v1/admin/signup', body: { ...form, setupCode: code } },
    { kind: 'set-up', url: '/api/trpc/instance.bootstrap', body: { email, password, organization: 'E' } },
    ...[code, of('cfp_')].map((one) => ({
      kind: 'password-reset',
      url: '/api/v1/password/email/password-reset-verify',
      body: { email, code: one },
    })),
    {
      kind: 'password-reset',
      url: '/api/v2/password/password-reset',
      body: { newPassword: password },
      token: of('cfq_'),
    },
    {
      kind: 'password-reset',
      url: '/api/v2/password/password-reset',
      body: { newPassword: password, token: of('cfq_') },
    },
    ...[code, of('cfv_')].map((one) => ({
      kind: 'invitation',
      url: '/api/v1/invite-org/verify',
      body: { email, organizationId: newId(), code: one },
    })),
    { kind: 'invitation', url: `${COMPLETE}/invite`, body: { ...form, token: of('cfc_') } },
    { kind: 'sign-up', url: '/api/v3/signup/email/verify', body: { email, code: of('cfm_') } },
    { kind: 'sign-up', url: `${COMPLETE}/signup`, body: { ...form, token: of('cfn_') } },
    ...[code, of('cfr_')].map((one) => ({
      kind: 'session',
      url: '/api/v1/auth/token',
      headers: { cookie: `jid=${one}` },
    })),
    {
      kind: 'command-line',
      url: '/api/v1/auth/command-line/token',
      body: { code: of('cfl_'), codeVerifier: code.padEnd(43, '-') },
    },
    { kind: 'token', url: DETAILS, method: 'GET', token: of('cfi_') },
    { kind: 'token', url: '/api/trpc/identities.own', method: 'GET', token: code },
    { kind: 'metrics', url: '/metrics', method: 'GET', token: code },
  ];

  it.each([
    ['within the limits of refusals', 401],
    ['beyond those limits, which guesses of another kind have reached', 429],
  ] as const)(
    'each refused code is counted on the log of the instance, with nothing of what was shown: %s',
    async (_, answered) => {
      const isBeyond = answered === 429;
      const limit = 2;
      const metricsToken = 'a-token-that-nobody-has-guessed';
      // Without an administrator.
      const fresh = await testServer(
        { clock: 'standing', ...(isBeyond && { settings: { loginLimit: limit } }) },
        { metricsToken, ...(isBeyond && { refusedTokenLimit: limit }) },
      );
      const ask = ({ url, method = 'POST', body, token, headers }: (typeof guesses)[number]) =>
        fresh.app.inject({
          method,
          url,
          remoteAddress: '192.0.2.1',
          headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
          ...(body && { payload: body }),
        });
      const exhaust = async () => {
        const unknown = () => ({ clientId: newId(), clientSecret: 'x' });
        const logIn = () => ask({ kind: '', url: '/api/v1/auth/universal-auth/login', body: unknown() });
        const guessToken = () => ask({ kind: '', url: DETAILS, method: 'GET', token: code });
        await Promise.all([...Array.from({ length: limit * 10 }, logIn), ...Array.from({ length: limit }, guessToken)]);
      };
      const refused = async () => {
        const { rows } = await fresh.coffer.pool.query<{ kind: string; total: number }>(
          `select coalesce(data ->> 'kind', 'token') as kind, sum((data ->> 'count')::int)::int as total from audit_events
         where published in ('refused-code', 'refused-token') and organization_id = $1 group by 1`,
          [INSTANCE_LOG],
        );
        return Object.fromEntries(rows.map(({ kind, total }) => [kind, total]));
      };
      try {
        const counts: Record<string, number> = {};
        for (const guess of guesses) {
          const { url } = guess;
          if (isBeyond) {
            await exhaust();
            counts['token'] = (counts['token'] ?? 0) + limit;
          }
          const { statusCode } = await ask(guess);
          expect({ url, statusCode }).toEqual({ url, statusCode: answered });
          // Beyond the limit of refused tokens a token is looked up before its route.
          const kind = isBeyond && guess.kind === 'metrics' ? 'token' : guess.kind;
          counts[kind] = (counts[kind] ?? 0) + 1;
          fresh.advance(61_000);
          await fresh.coffer.refusals.sweep();
          expect({ url, counts: await refused() }).toEqual({ url, counts });
        }
        const { rows } = await fresh.coffer.pool.query<{ row: string }>('select e::text as row from audit_events e');
        expect(rows.filter(({ row }) => [code, shownBody, email].some((shown) => row.includes(shown)))).toEqual([]);
      } finally {
        await fresh.close();
      }
    },
  );
});
