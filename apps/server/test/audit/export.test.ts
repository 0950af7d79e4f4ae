import { verifyExport } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginExport, EXPORT, sealedLog, type SealedLog } from '../harness/sealed-log.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let log: SealedLog;
beforeAll(async () => {
  test = await testServer();
  log = await sealedLog(test);
});
afterAll(async () => {
  await log.stop();
  await test.close();
});

const CHECKPOINT = '/api/v1/organization/audit-logs/checkpoint';

async function exported(query = '', token = test.adminIdentity.token): Promise<string[]> {
  const { statusCode, body, headers } = await test.app.inject({
    method: 'GET',
    url: `${EXPORT}${query}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
  expect(body.endsWith('\n')).toBe(true);
  return body.slice(0, -1).split('\n');
}

describe('exporting the audit log', () => {
  it("returns what the offline verifier accepts, up to the server's checkpoint", async () => {
    const { id } = await test.project();
    for (const slug of ['a', 'b', 'c']) {
      await test.admin('POST', `/api/v1/workspace/${id}/tags`, { slug, color: '' });
      await log.sealed();
    }
    const { body } = await test.admin('GET', CHECKPOINT);
    const { publicKey, sequence, hash } = body.checkpoint;
    expect(body.checkpoint).toMatchObject({
      organizationId: test.organizationId,
      signature: expect.any(String),
      sealedAt: expect.any(String),
    });
    const lines = await exported();
    const report = await verifyExport(lines, { publicKey, checkpoint: { sequence, hash } });
    expect(report).toMatchObject({ valid: true, fault: null, organizationId: test.organizationId });
    expect(report.events).toBeGreaterThanOrEqual(3);
    expect(lines.filter((line) => line.includes('"published":"create-tag"'))).toHaveLength(3);
  });

  it('is answered to HEAD with the headers of GET and its event', async () => {
    const count = async () =>
      (await test.coffer.pool.query("select 1 from audit_events where published = 'export-audit-logs'")).rowCount!;
    const before = await count();
    const head = (token?: string) =>
      test.app.inject({ method: 'HEAD', url: EXPORT, headers: token ? { authorization: `Bearer ${token}` } : {} });
    const { statusCode, headers, body } = await head(test.adminIdentity.token);
    expect({ statusCode, body, type: headers['content-type'] }).toEqual({
      statusCode: 200,
      body: '',
      type: 'application/x-ndjson; charset=utf-8',
    });
    expect(await count()).toBe(before + 1);
    expect((await head()).statusCode).toBe(401);
  });

  it('is cut to whole blocks by dates', async () => {
    await log.sealed();
    const all = await exported();
    const none = await exported('?startDate=2000-01-01T00:00:00Z&endDate=2000-01-02T00:00:00Z');
    expect(none).toHaveLength(2);
    const last = JSON.parse(all.findLast((line) => line.startsWith('{"block":'))!) as {
      block: { firstEventAt: string };
    };
    const some = await exported(`?startDate=${last.block.firstEventAt}`);
    expect(some.length).toBeLessThan(all.length);
    expect(await verifyExport(some)).toMatchObject({ valid: true });
  });

  it('contains nothing that happened after it began, however slowly it is read', async () => {
    // More blocks than are read at a time.
    await log.grow(55);
    const { rest } = await beginExport(test, test.adminIdentity.token);
    const { id } = await test.project();
    await test.admin('POST', `/api/v1/workspace/${id}/tags`, { slug: 'later', color: '' });
    await log.sealed();
    const lines = await rest();
    expect(lines.filter((line) => line.includes('happen-thing'))).toHaveLength(55);
    expect(lines.filter((line) => line.includes(id))).toEqual([]);
    expect(await verifyExport(lines)).toMatchObject({ valid: true });
  });

  it('is an event itself', async () => {
    await exported('?startDate=2000-01-01T00:00:00Z');
    const { body } = await test.admin('GET', '/api/v1/organization/audit-logs?eventType=export-audit-logs&limit=1');
    expect(body.auditLogs[0].event.metadata).toEqual({ startDate: '2000-01-01T00:00:00.000Z', endDate: null });
  });

  it('contains only the own organization', async () => {
    const foreign = await test.foreign();
    await log.sealed(foreign.organizationId);
    const lines = await exported('', foreign.identity.token);
    expect(lines.join('\n')).not.toContain(test.organizationId);
    expect(await verifyExport(lines)).toMatchObject({ valid: true, organizationId: foreign.organizationId });
  });

  it('has no checkpoint before anything is sealed', async () => {
    await test.owner.query('delete from audit_blocks where organization_id = $1', [test.organizationId]);
    const { body } = await test.admin('GET', CHECKPOINT);
    expect(body.checkpoint).toMatchObject({ sequence: 0, hash: '0'.repeat(64), signature: null, sealedAt: null });
  });

  it.each([EXPORT, CHECKPOINT])('refuses whom it should: %s', async (url) => {
    expect((await test.as()('GET', url)).status).toBe(401);
    expect((await test.as('cfi_nonsense')('GET', url)).status).toBe(401);
    const { call } = await test.identity();
    expect((await call('GET', url)).status).toBe(403);
  });

  it('refuses dates that are none', async () => {
    expect((await test.admin('GET', `${EXPORT}?startDate=yesterday`)).status).toBe(422);
  });
});
