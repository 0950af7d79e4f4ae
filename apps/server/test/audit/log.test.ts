import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let project: { id: string; slug: string };
let other: { id: string; slug: string };
const at = (environment = 'dev') => ({ projectId: project.id, environment });

beforeAll(async () => {
  test = await testServer();
  project = await test.project();
  other = await test.project();
  const write = (name: string, environment: string, agent: string) =>
    test.admin(
      'POST',
      `/api/v4/secrets/${name}`,
      { ...at(environment), secretValue: `canary-${name}` },
      { 'user-agent': agent },
    );
  await write('ONE', 'dev', 'terraform-provider/1');
  await write('TWO', 'prod', 'curl/8');
  await test.admin('POST', '/api/v4/secrets/batch', {
    ...at(),
    secrets: [
      { secretKey: 'THREE', secretValue: 'canary-3' },
      { secretKey: 'FOUR', secretValue: 'canary-4' },
    ],
  });
  await test.admin('GET', `/api/v4/secrets/ONE?projectId=${project.id}&environment=dev`);
  await test.admin('POST', `/api/v1/workspace/${other.id}/tags`, { slug: 'blue', color: '' });
});
afterAll(() => test.close());

const ORGANIZATION = '/api/v1/organization/audit-logs';
const read = async (query: Record<string, string | number>, call: Caller = test.admin, path = ORGANIZATION) =>
  call(
    'GET',
    `${path}?${new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])).toString()}`,
  );
interface Log {
  id: string;
  createdAt: string;
  event: { type: string; metadata: Record<string, unknown> };
}
const logs = async (query: Record<string, string | number>, call?: Caller, path?: string): Promise<Log[]> =>
  (await read({ limit: 1000, ...query }, call, path)).body.auditLogs;
const types = async (query: Record<string, string | number>, call?: Caller) =>
  (await logs(query, call)).map(({ event }) => event.type).filter((type) => type !== 'get-audit-logs');

describe('reading the audit log of an organization', () => {
  it('returns every published field, newest first', async () => {
    const { status, body } = await read({ projectId: project.id, eventType: 'create-secret' });
    expect(status).toBe(200);
    expect(body.nextCursor).toBeNull();
    expect(body.auditLogs).toHaveLength(2);
    expect(body.auditLogs[1]).toEqual({
      id: expect.any(String),
      ipAddress: expect.any(String),
      userAgent: 'terraform-provider/1',
      userAgentType: 'terraform',
      expiresAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      updatedAt: body.auditLogs[1].createdAt,
      orgId: test.organizationId,
      projectId: project.id,
      projectName: project.slug,
      project: { id: project.id, name: project.slug, slug: project.slug },
      event: {
        type: 'create-secret',
        metadata: expect.objectContaining({ environment: 'dev', secretPath: '/', secretKey: 'ONE' }),
      },
      actor: {
        type: 'identity',
        metadata: { identityId: test.adminIdentity.id, name: 'machine', authMethod: 'token-auth' },
      },
    });
  });

  it('filters by everything that is published', async () => {
    expect(await types({ eventType: 'create-secret, get-secret', projectId: project.id })).toEqual([
      'get-secret',
      'create-secret',
      'create-secret',
    ]);
    expect(await types({ environment: 'prod' })).toEqual(['create-secret']);
    expect(await types({ secretKey: 'ONE' })).toEqual(['get-secret', 'create-secret']);
    expect(await types({ secretKey: 'FOUR' })).toEqual(['create-secrets']);
    expect(await types({ secretPath: '/', environment: 'dev' })).toEqual([
      'get-secret',
      'create-secrets',
      'create-secret',
    ]);
    expect(await types({ userAgentType: 'terraform' })).toEqual(['create-secret']);
    expect(await types({ eventMetadata: 'secretKey=TWO,environment=prod' })).toEqual(['create-secret']);
    expect(await types({ eventMetadata: 'secretKey=TWO,environment=dev' })).toEqual([]);
    expect(await types({ actorType: 'user' })).toEqual([]);
    expect((await types({ actorType: 'identity' })).length).toBeGreaterThan(3);
    expect((await types({ actor: test.adminIdentity.id })).length).toBeGreaterThan(3);
    expect(await types({ actor: 'nobody' })).toEqual([]);
    expect(await types({ projectId: other.id })).toEqual(['create-tag']);
  });

  it('filters by time, both bounds included', async () => {
    const [newest, oldest] = (await logs({ projectId: project.id, eventType: 'create-secret' })) as [Log, Log];
    const count = async (startDate: string, endDate: string) =>
      (await logs({ eventType: 'create-secret', startDate, endDate })).length;
    expect(await count(oldest.createdAt, newest.createdAt)).toBe(2);
    expect(await count(newest.createdAt, newest.createdAt)).toBe(newest.createdAt === oldest.createdAt ? 2 : 1);
    expect(await count('2000-01-01T00:00:00Z', '2000-01-02T00:00:00Z')).toBe(0);
  });

  it('pages by offset and by cursor with the same result, each event once', async () => {
    const endDate = new Date().toISOString();
    const all = (await logs({ endDate })).map(({ id }) => id);
    expect(all.length).toBeGreaterThan(5);
    const byOffset: string[] = [];
    for (let offset = 0; offset < all.length; offset += 2)
      byOffset.push(...(await logs({ endDate, offset, limit: 2 })).map(({ id }) => id));
    expect(byOffset).toEqual(all);
    const byCursor: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await read({ endDate, limit: 2, ...(cursor && { cursor }) });
      byCursor.push(...body.auditLogs.map(({ id }: Log) => id));
      cursor = body.nextCursor;
    }
    expect(byCursor).toEqual(all);
  });

  it('is an event itself', async () => {
    await read({ eventType: 'get-secret', limit: 5 });
    const [last] = await logs({ eventType: 'get-audit-logs', limit: 1 });
    expect(last!.event.metadata).toEqual({ filters: ['eventType'], events: expect.any(Number) });
  });

  it('has the time when retention will remove an event', async () => {
    await test.coffer.pool.query('update projects set audit_logs_retention_days = 30 where id = $1', [other.id]);
    const { body } = await read({ projectId: other.id, eventType: 'create-tag' });
    const [{ createdAt, expiresAt }] = body.auditLogs;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);
  });

  it('contains no value of any secret', async () => {
    expect(JSON.stringify(await logs({}))).not.toContain('canary');
    const { rows } = await test.coffer.pool.query<{ row: string }>('select e::text as row from audit_events e');
    expect(rows.filter(({ row }) => row.includes('canary'))).toEqual([]);
  });

  it('refuses whom it should', async () => {
    expect((await test.as()('GET', ORGANIZATION)).status).toBe(401);
    const { call: member } = await test.identity({ organizationRole: 'no-access' });
    expect((await member('GET', ORGANIZATION)).status).toBe(403);
    const { call: reader } = await test.identity({ organizationRules: [{ subject: 'audit-logs', action: 'read' }] });
    expect((await reader('GET', ORGANIZATION)).status).toBe(200);
  });

  it('shows one project to callers who may read only its log, and no other', async () => {
    const { call } = await test.identity({ projectId: project.id, rules: [{ subject: 'audit-logs', action: 'read' }] });
    expect((await call('GET', ORGANIZATION)).status).toBe(403);
    expect((await types({ projectId: project.id, eventType: 'create-secret' }, call)).length).toBe(2);
    const hidden = await read({ projectId: other.id }, call);
    const unknown = await read({ projectId: '2b8c7f5e-3f3e-4c57-9f0e-3a41d5a1d111' }, call);
    expect([hidden.status, unknown.status]).toEqual([404, 404]);
    expect({ ...hidden.body, reqId: '' }).toEqual({ ...unknown.body, reqId: '' });
    const { call: blind } = await test.identity({ projectId: project.id, projectRole: 'no-access' });
    expect((await read({ projectId: project.id }, blind)).status).toBe(403);
  });

  it('contains nothing of other organizations', async () => {
    const foreign = await test.foreign();
    const theirs = await read({ projectId: project.id }, foreign.call);
    const unknown = await read({ projectId: '2b8c7f5e-3f3e-4c57-9f0e-3a41d5a1d111' }, foreign.call);
    const none = await read({ projectId: 'none' }, foreign.call);
    expect([theirs.status, unknown.status, none.status]).toEqual([404, 404, 404]);
    expect({ ...theirs.body, reqId: '' }).toEqual({ ...unknown.body, reqId: '' });
    await logs({}, foreign.call);
    const own = (await logs({}, foreign.call)) as unknown as { orgId: string }[];
    expect(new Set(own.map(({ orgId }) => orgId))).toEqual(new Set([foreign.organizationId]));
  });

  it('keeps the log of a deleted project', async () => {
    const { id } = await test.project();
    await test.admin('POST', `/api/v1/workspace/${id}/tags`, { slug: 'gone', color: '' });
    await test.coffer.pool.query('delete from projects where id = $1', [id]);
    expect(await logs({ projectId: id, eventType: 'create-tag' })).toMatchObject([
      { projectId: id, projectName: null, project: null },
    ]);
  });

  it.each([
    { limit: 0 },
    { limit: 1001 },
    { offset: -1 },
    { startDate: 'yesterday' },
    { actorType: 'robot' },
    { userAgentType: 'telepathy' },
    { eventMetadata: 'no pair' },
    { cursor: 'bm9uZQ' },
  ])('refuses the query %j', async (query: object) => {
    expect((await read(query as Record<string, string>)).status).toBe(422);
  });
});

describe('an event that names many things', () => {
  it('is several of the same request, each with a part; a filter finds the part that names a secret', async () => {
    const names = Array.from({ length: 250 }, (_, n) => `${'LONG_'.repeat(45)}${n}`);
    const secrets = names.map((secretKey) => ({ secretKey, secretValue: '' }));
    const place = { projectId: project.id, environment: 'prod', secretPath: '/' };
    expect((await test.admin('POST', '/api/v4/secrets/batch', { ...place, secrets })).status).toBe(200);
    const events = await logs({ environment: 'prod', eventType: 'create-secrets' });
    const metadata = events.map(({ event }) => event.metadata as { secrets: { secretKey: string }[]; part: number });
    expect(metadata.length).toBeGreaterThan(2);
    const named = metadata.toSorted((one, next) => one.part - next.part).flatMap((part) => part.secrets);
    expect(named.map(({ secretKey }) => secretKey).toSorted()).toEqual(names.toSorted());
    for (const { event } of events) expect(JSON.stringify(event).length).toBeLessThan(40_000);
    const found = await logs({ environment: 'prod', secretKey: names[200]! });
    expect(found).toHaveLength(1);
  });
});

describe('a page by cursor', () => {
  it('begins with an empty cursor', async () => {
    const [newest] = await logs({ limit: 1, eventType: 'create-secret', cursor: '' });
    expect(newest).toMatchObject({ id: (await logs({ limit: 1, eventType: 'create-secret' }))[0]!.id });
  });
});

describe('reading the audit log of a project', () => {
  const path = () => `/api/v1/workspace/${project.id}/audit-logs`;

  it('returns the same entries to callers with the permission', async () => {
    const { call } = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    const own = await logs({ eventType: 'create-secret' }, call, path());
    expect(own).toEqual(await logs({ eventType: 'create-secret', projectId: project.id }));
    expect(own).toHaveLength(2);
  });

  it('lists who acted', async () => {
    const { status, body } = await test.admin('GET', `${path()}/filters/actors`);
    expect(status).toBe(200);
    expect(body.actors).toContainEqual({
      type: 'identity',
      metadata: { identityId: test.adminIdentity.id, name: 'machine', authMethod: 'token-auth' },
    });
  });

  it('records who listed who acted', async () => {
    const { call, id } = await test.identity({ projectId: project.id, projectRole: 'viewer' });
    const { body } = await call('GET', `${path()}/filters/actors`);
    const recorded = await logs({ eventType: 'get-audit-log-actors', projectId: project.id });
    expect(recorded).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ metadata: expect.objectContaining({ identityId: id }) as object }) as object,
        event: { type: 'get-audit-log-actors', metadata: { actors: body.actors.length } },
      }),
    );
  });

  it.each(['', '/filters/actors'])('refuses whom it should: %s', async (rest) => {
    expect((await test.as()('GET', path() + rest)).status).toBe(401);
    const { call: blind } = await test.identity({ projectId: project.id, projectRole: 'no-access' });
    expect((await blind('GET', path() + rest)).status).toBe(403);
    const foreign = await test.foreign();
    const theirs = await foreign.call('GET', path() + rest);
    const unknown = await foreign.call('GET', `/api/v1/workspace/none/audit-logs${rest}`);
    expect([theirs.status, unknown.status]).toEqual([404, 404]);
    expect({ ...theirs.body, reqId: '' }).toEqual({ ...unknown.body, reqId: '' });
  });
});

describe('the types of events', () => {
  it('are what logs may have, for the filter', async () => {
    const { status, body } = await test.admin('GET', `${ORGANIZATION}/event-types`);
    expect(status).toBe(200);
    expect(body.eventTypes).toEqual([...new Set<string>(body.eventTypes)].toSorted());
    const found = await logs({ limit: 100 });
    for (const { event } of found) expect(body.eventTypes).toContain(event.type);
    expect((await test.as()('GET', `${ORGANIZATION}/event-types`)).status).toBe(401);
  });
});
