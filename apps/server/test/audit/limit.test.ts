import { eventRow, eventsJson, INSERT_EVENTS } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const LOG = '/api/v1/organization/audit-logs';

/** Changed by the tests, as an operator would with a restart. */
const limit = { maxBytes: 1e12 };
let test: TestServer;
let project: { id: string; slug: string };
let secret: string;
beforeAll(async () => {
  test = await testServer({ auditLimit: limit });
  project = await test.project();
  secret = `/api/v4/secrets/DB?projectId=${project.id}&environment=dev&secretPath=%2F`;
  await write('value');
  await writeMany();
});
afterAll(() => test.close());

const write = (secretValue: string, method: 'POST' | 'PATCH' = 'POST') =>
  test.admin(method, '/api/v4/secrets/DB', { projectId: project.id, environment: 'dev', secretPath: '/', secretValue });

/** Some events, so that a part of the log is more than one. */
async function writeMany(): Promise<void> {
  const ctx = test.coffer.contextFor({ type: 'platform', organizationId: test.organizationId });
  const event = { type: 'test.happened', published: 'test', data: {} };
  const rows = Array.from({ length: 1_000 }, () => eventRow(ctx, event));
  await test.coffer.query(INSERT_EVENTS, [eventsJson(rows)]);
}

/** The log has this part of its limit. */
async function filled(part: number): Promise<void> {
  limit.maxBytes = (await test.coffer.auditSpace.measure()) / part;
  await test.coffer.auditSpace.measure();
}

describe('a full audit log', () => {
  it('refuses what needs an event, with what the operator has to do, and changes nothing', async () => {
    await filled(1);
    for (const answer of [await test.admin('GET', secret), await write('other', 'PATCH')]) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toBe('60');
      expect(JSON.stringify(answer.body)).toMatch(/COFFER_AUDIT_MAX_BYTES.*COFFER_AUDIT_EXPORT_DIRECTORY/);
      expect(JSON.stringify(answer.body)).not.toContain('value');
    }
    await filled(0.5);
    expect((await test.admin('GET', secret)).body.secret.secretValue).toBe('value');
  });

  it('shows its status, and lets administrators mend it', async () => {
    await filled(1);
    expect((await test.as()('GET', '/api/status')).status).toBe(200);
    expect((await test.admin('GET', LOG)).status).toBe(200);
    expect((await test.admin('GET', '/api/v1/organization/audit-logs/export')).status).toBe(200);
    const retention = `/api/v1/workspace/${project.slug}/audit-logs-retention`;
    expect((await test.admin('PUT', retention, { auditLogsRetentionDays: 30 })).status).toBe(200);
  });

  it('leaves its reserve to administrators: others neither log in nor read the log', async () => {
    await filled(0.5);
    const member = await test.identity({ organizationRole: 'member' });
    const accounts = await Promise.all(
      (['admin', 'member'] as const).map(async (role) => {
        const password = 'a long password';
        const { email } = await makeUser(test.coffer, { organizationId: test.organizationId, role, password });
        return { email, password };
      }),
    );
    const statuses = async () => [
      (await member.call('GET', LOG)).status,
      ...(await Promise.all(
        accounts.map(async (account) => (await test.as()('POST', '/api/v3/auth/login', account)).status),
      )),
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    await filled(1);
    expect(await statuses()).toEqual([503, 200, 503]);
  });

  it('leaves some of it, whatever the administrators of one organization do', async () => {
    const other = await test.foreign();
    const superAdmin = await makeUser(test.coffer, { organizationId: test.organizationId, isSuperAdmin: true });
    await filled(1);
    const reading = async (call: Caller, path: string) => (await call('GET', path)).status;
    let read = 0;
    while ((await reading(test.admin, LOG)) === 200) read++;
    expect(read).toBeGreaterThan(3);
    expect(await reading(other.call, LOG)).toBe(200);
    while ((await reading(other.call, LOG)) === 200) read++;
    expect(read).toBeLessThan(30);
    expect(await reading(test.as(superAdmin.token), '/api/v1/admin/audit-logs')).toBe(200);
  });

  it('still refuses wrong credentials as before', async () => {
    await filled(1);
    expect((await test.as('cfi_nonsense')('GET', secret)).status).toBe(401);
  });

  it('keeps its reserve for that, and takes nothing beyond', async () => {
    await filled(1.1);
    expect((await test.admin('GET', LOG)).status).toBe(503);
    expect((await test.as()('GET', '/api/status')).status).toBe(200);
  });
});
