import { verifyAuditLog } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealedLog, type SealedLog } from '../harness/sealed-log.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const VERIFY = '/api/v1/organization/audit-logs/verify';

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

const request = (call: Caller = test.admin) => call('POST', VERIFY, {});

/** Does what is requested, as the worker does; the newest result. */
async function verified(): Promise<unknown> {
  const { pool } = test.coffer;
  const { rows } = await pool.query(`select j.id from graphile_worker.jobs j where task_identifier = 'audit.verify'`);
  expect(rows).toHaveLength(1);
  await pool.query(`select graphile_worker.complete_jobs(array[$1::bigint])`, [rows[0].id]);
  const { organizationId } = test;
  const ctx = test.coffer.contextFor({ type: 'platform', organizationId });
  await verifyAuditLog(pool).run(ctx, { organizationId }, {} as never);
  const query = 'eventType=verify-audit-log&limit=1';
  const { body } = await test.admin('GET', `/api/v1/organization/audit-logs?${query}`);
  return body.auditLogs[0].event.metadata;
}

describe('verifying the audit log', () => {
  it('is requested by who may read all events, and finds it as it was sealed', async () => {
    expect((await request()).status).toBe(200);
    await log.sealed();
    // Another one takes the place of the one that waits.
    expect((await request()).status).toBe(200);
    const { checkpoint } = (await test.admin('GET', '/api/v1/organization/audit-logs/checkpoint')).body;
    expect(await verified()).toEqual({
      ...{ isValid: true, reason: null, blocks: expect.any(Number), events: expect.any(Number) },
      ...{ sequence: checkpoint.sequence, hash: checkpoint.hash },
    });
  });

  it('is refused to others', async () => {
    const { id: projectId } = await test.project();
    const { call } = await test.identity({ projectId, rules: [{ subject: 'audit-logs', action: ['read'] }] });
    expect((await request(call)).status).toBe(403);
    expect((await request(test.as())).status).toBe(401);
  });

  it('says where it was changed', async () => {
    await log.sealed();
    await test.owner.query('alter table audit_events disable trigger user');
    await test.owner.query(
      `update audit_events set data = '{"slug": "changed"}' where id = (
         select id from audit_events where organization_id = $1 order by id limit 1)`,
      [test.organizationId],
    );
    await test.owner.query('alter table audit_events enable trigger user');
    await request();
    expect(await verified()).toMatchObject({ isValid: false, reason: expect.any(String) });
  });
});
