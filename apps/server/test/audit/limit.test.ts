import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

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
});
afterAll(() => test.close());

const write = (secretValue: string, method: 'POST' | 'PATCH' = 'POST') =>
  test.admin(method, '/api/v4/secrets/DB', { projectId: project.id, environment: 'dev', secretPath: '/', secretValue });

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
    expect((await test.admin('GET', '/api/v1/organization/audit-logs')).status).toBe(200);
    expect((await test.admin('GET', '/api/v1/organization/audit-logs/export')).status).toBe(200);
    const retention = `/api/v1/workspace/${project.slug}/audit-logs-retention`;
    expect((await test.admin('PUT', retention, { auditLogsRetentionDays: 30 })).status).toBe(200);
  });

  it('still refuses wrong credentials as before', async () => {
    await filled(1);
    expect((await test.as('cfi_nonsense')('GET', secret)).status).toBe(401);
  });

  it('keeps its reserve for that, and takes nothing beyond', async () => {
    await filled(1.1);
    expect((await test.admin('GET', '/api/v1/organization/audit-logs')).status).toBe(503);
    expect((await test.as()('GET', '/api/status')).status).toBe(200);
  });
});
