import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Approvals } from '../harness/approvals.ts';
import { ok } from '../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let project: { id: string; slug: string };
let superAdmin: Caller;
beforeAll(async () => {
  test = await testServer({ clock: 'standing' });
  project = await test.project();
  const { id, token } = await test.identity({ organizationRole: 'member' });
  await test.coffer.pool.query('update identities set is_super_admin = true where id = $1', [id]);
  superAdmin = test.as(token);
});
afterAll(() => test.close());

interface Refused {
  ipAddress: string;
  projectId: string | null;
  actor: { type: string; metadata: object };
  event: { type: string; metadata: { count: number; details: string[]; method?: string } };
}

const ORGANIZATION = '/api/v1/organization/audit-logs';
const INSTANCE = '/api/v1/admin/audit-logs';
const events = async (type: string, call = test.admin, path = ORGANIZATION): Promise<Refused[]> =>
  (await call('GET', `${path}?eventType=${type}&limit=100`)).body.auditLogs;
const nextMinute = async () => {
  test.advance(61_000);
  await test.coffer.refusals.sweep();
};

describe('a request that is denied', () => {
  it('is on the log of the organization: who, where, what, and how often', async () => {
    const reader = await test.identity({ projectId: project.id, rules: [{ subject: 'tags', action: 'read' }] });
    for (let i = 0; i < 40; i++) {
      const { status } = await reader.call('POST', `/api/v1/workspace/${project.id}/tags`, { slug: 'x', color: '' });
      expect(status).toBe(403);
    }
    await nextMinute();
    const denied = (await events('denied-request')).filter(
      ({ actor }) => (actor.metadata as { identityId: string }).identityId === reader.id,
    );
    expect(denied.map(({ event }) => event.metadata.count)).toEqual([39, 1]);
    expect(denied[1]).toMatchObject({
      projectId: project.id,
      actor: { type: 'identity' },
      event: { metadata: { details: ['POST /api/v1/workspace/:projectId/tags tags: create'] } },
    });
  });

  it('is recorded as well if a change policy denies it, which is a 400', async () => {
    const { id: projectId } = await test.project();
    const machine = await test.identity({ projectId, projectRole: 'admin' });
    const policy = { workspaceId: projectId, name: 'prod', environment: 'prod', secretPath: '/', approvals: 1 };
    const { id, email } = await makeUser(test.coffer, { organizationId: test.organizationId });
    const approvers = [{ type: 'user', id }];
    const added = { usernames: [email], emails: [], roleSlugs: ['admin'] };
    expect((await test.admin('POST', `/api/v1/projects/${projectId}/memberships`, added)).status).toBe(200);
    expect((await test.admin('POST', '/api/v1/secret-approvals', { ...policy, approvers })).status).toBe(200);
    const { status, body } = await machine.call('PATCH', `/api/v1/projects/${projectId}`, { slug: 'another-slug' });
    expect([status, body.message]).toEqual([400, expect.stringContaining('change policy')]);
    const denied = (await events('denied-request')).filter((one) => one.projectId === projectId);
    expect(denied.map(({ event }) => event.metadata.details)).toEqual([
      ['PATCH /api/v1/projects/:projectId secret_approval.needed'],
    ]);
  });

  it('is recorded as well if it merges a change request that nobody has approved, or whose committer has lost its right', async () => {
    const of = await Approvals.in(test);
    const [author, ann] = [await of.member(), await of.member()];
    await of.policy([ann]);
    const id = await of.ask(author.call, 'KEY', 'value');
    expect((await of.merge(author.call, id)).status).toBe(400);
    await ok(of.review(ann.call, id));
    const membership = `/api/v1/projects/${of.project.id}/memberships/${author.membershipId}`;
    await ok(test.admin('DELETE', membership));
    expect((await of.merge(ann.call, id)).status).toBe(400);
    await nextMinute();
    const denied = (await events('denied-request')).filter((one) => one.projectId === of.project.id);
    const codes = denied.flatMap(({ event }) => event.metadata.details.map((detail) => detail.split(' ').at(-1)));
    expect(codes.toSorted((a = '', b = '') => (a < b ? -1 : 1))).toEqual([
      'secret_approval.committer',
      'secret_approval.not_approved',
    ]);
  });

  it('is recorded as well if somebody reopens a change request whose committer has lost its right, or of another one who moves', async () => {
    const of = await Approvals.in(test);
    const [author, mover, ann] = [await of.member(), await of.member(), await of.member()];
    const { id } = await of.secret('THERE', 'value');
    await of.policy([ann]);
    const move = { secretIds: [id], sourceSecretPath: '/', sourceEnvironment: 'prod', destinationEnvironment: 'dev' };
    await ok(
      mover.call('POST', '/api/v4/secrets/move', { projectId: of.project.id, ...move, destinationSecretPath: '/' }),
    );
    await of.ask(author.call, 'KEY', 'value');
    const membership = `/api/v1/projects/${of.project.id}/memberships/${author.membershipId}`;
    await ok(test.admin('PATCH', membership, { roles: [{ role: 'viewer', isTemporary: false }] }));
    for (const request of await of.requests()) {
      await ok(of.status(ann.call, request.id, 'close'));
      expect((await of.status(ann.call, request.id, 'open')).status).toBe(400);
    }
    await nextMinute();
    const denied = (await events('denied-request')).filter((one) => one.projectId === of.project.id);
    const codes = denied.flatMap(({ event }) => event.metadata.details.map((detail) => detail.split(' ').at(-1)));
    expect(codes.toSorted((a = '', b = '') => (a < b ? -1 : 1))).toEqual([
      'secret_approval.refused',
      'secret_approval.source',
    ]);
  });

  it('is recorded as well if somebody approves a request for access whose names are those of something else by now', async () => {
    const of = await Approvals.in(test);
    const [mallory, ann] = [await of.member(), await of.member()];
    const projectSlug = of.project.slug;
    const approvers = [{ type: 'user', id: ann.id }];
    const policy = { projectSlug, environment: 'prod', approvals: 1, approvers };
    await ok(test.admin('POST', '/api/v1/access-approvals/policies', policy));
    const requests = '/api/v1/access-approvals/requests';
    const scratch = await of.folder('/', 'scratch');
    const conditions = { environment: 'prod', secretPath: '/scratch' };
    const permissions = [{ subject: 'secrets', action: ['describeSecret'], conditions }];
    const asked = { permissions, isTemporary: true, temporaryRange: '1h' };
    const { approval } = await ok(mallory.call('POST', `${requests}?projectSlug=${projectSlug}`, asked));
    const other = { ...of.place(), path: '/', name: 'old' };
    await ok(test.admin('PATCH', `/api/v2/folders/${scratch.id}`, other));
    await of.folder('/', 'scratch');
    const { status } = await ann.call('POST', `${requests}/${approval.id}/review`, { status: 'approved' });
    expect(status).toBe(400);
    const denied = (await events('denied-request')).filter((one) => one.projectId === of.project.id);
    expect(denied.map(({ event }) => event.metadata.details)).toEqual([
      ['POST /api/v1/access-approvals/requests/:requestId/review access_approval.renamed'],
    ]);
  });

  it('is recorded over tRPC as over REST', async () => {
    const { id, call } = await test.identity({ projectId: project.id, rules: [{ subject: 'tags', action: 'read' }] });
    await call('POST', '/api/trpc/tags.create', { projectId: project.id, slug: 'x', color: '' });
    const [denied] = await events('denied-request');
    expect(denied).toMatchObject({ actor: { metadata: { identityId: id } } });
    expect(denied!.event.metadata.details[0]).toMatch(/^tRPC \S+ tags: create$/);
  });
});

describe('a request that is denied in a project', () => {
  it('is in the log of that project, for missing permissions on secrets, excessive grants, and requests after others', async () => {
    const { id, slug } = project;
    const auditor = await test.identity({ projectId: id, projectRole: 'admin' });
    const role = [{ subject: 'role', action: ['read', 'create'] }];
    const probing = await test.identity({ projectId: id, rules: role });
    const place = { projectId: id, environment: 'prod', secretPath: '/' };
    const query = new URLSearchParams(place).toString();
    const secrets = '/api/v4/secrets';
    const { call } = probing;
    const requests = [
      await call('POST', '/api/v1/groups', { name: 'elsewhere' }),
      await call('GET', `${secrets}/DB?${query}`),
      await call('POST', `${secrets}/DB`, { ...place, secretValue: 'x' }),
      await call('PATCH', `${secrets}/DB`, { ...place, secretValue: 'x' }),
      await call('DELETE', `${secrets}/DB`, place),
      await call('GET', `/api/v3/secrets/raw/DB?workspaceSlug=${slug}&environment=prod`),
      await call('POST', `/api/v1/projects/${id}/roles`, {
        slug: 'much',
        name: 'much',
        permissions: [{ subject: 'secrets', action: ['readValue'] }],
      }),
    ];
    expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 403));
    await nextMinute();
    const seen = (await events('denied-request', auditor.call, `/api/v1/workspace/${id}/audit-logs`)).filter(
      ({ actor }) => (actor.metadata as { identityId: string }).identityId === probing.id,
    );
    expect(seen.every(({ projectId }) => projectId === id)).toBe(true);
    expect(seen.reduce((sum, { event }) => sum + event.metadata.count, 0)).toBe(requests.length - 1);
  });
});

describe('what belongs to no organization', () => {
  it('is on the log of the instance: refused tokens, and logins of unknown clients, identities and addresses', async () => {
    const unknown = '2b8c7f5e-3f3e-4c57-9f0e-3a41d5a1d111';
    const typed = 'canary-password-typed-as-user@example.com';
    for (let i = 0; i < 3; i++) {
      await test.as('cfi_canary-of-a-token')('GET', ORGANIZATION);
      await test.as()('POST', '/api/v1/auth/universal-auth/login', {
        clientId: unknown,
        clientSecret: 'canary-secret',
      });
      await test.as()('POST', '/api/v1/auth/universal-auth/login', { clientId: 'canary-as-id', clientSecret: 'x' });
      await test.as()('POST', '/api/v1/auth/jwt-auth/login', { identityId: unknown, jwt: 'canary-jwt' });
      await test.as()('POST', '/api/v3/auth/login', { email: typed, password: 'canary-password' });
    }
    await nextMinute();
    const refused = await events('refused-token', superAdmin, INSTANCE);
    expect(refused.map(({ event }) => event.metadata.count)).toEqual([2, 1]);
    expect(refused[0]!.event.metadata.details).toEqual([`GET ${ORGANIZATION}`]);
    const logins = await events('unknown-login-failed', superAdmin, INSTANCE);
    const byMethod = Map.groupBy(logins, ({ event }) => event.metadata.method);
    const total = (method: string) => byMethod.get(method)!.reduce((sum, { event }) => sum + event.metadata.count, 0);
    expect([total('universal-auth'), total('jwt-auth'), total('password')]).toEqual([6, 3, 3]);
    expect(byMethod.get('universal-auth')![0]!.event.metadata.details).toEqual([
      expect.stringMatching(/^#[\w-]{43}$/),
      unknown,
    ]);
    const { rows } = await test.coffer.pool.query<{ row: string }>('select e::text as row from audit_events e');
    expect(rows.filter(({ row }) => row.includes('canary'))).toEqual([]);
  });

  it('is for administrators of the instance alone', async () => {
    expect((await superAdmin('GET', INSTANCE)).status).toBe(200);
    expect((await test.admin('GET', INSTANCE)).status).toBe(403);
    expect((await test.as()('GET', INSTANCE)).status).toBe(401);
    expect(await events('unknown-login-failed')).toEqual([]);
  });
});

describe('a refused login of a known identity', () => {
  it('is recorded before the response is sent', async () => {
    const { id } = await test.identity();
    await test.admin('POST', `/api/v1/auth/universal-auth/identities/${id}`, {});
    const { body } = await test.admin('GET', `/api/v1/auth/universal-auth/identities/${id}`);
    const { clientId } = body.identityUniversalAuth;
    const { status } = await test.as()('POST', '/api/v1/auth/universal-auth/login', {
      clientId,
      clientSecret: 'wrong',
    });
    expect(status).toBe(401);
    const { rows } = await test.coffer.pool.query<{ data: object }>(
      `select data from audit_events where data ->> 'identityId' = $1 and type like '%login_failed'`,
      [id],
    );
    expect(rows).toMatchObject([{ data: { count: 1 } }]);
  });
});
