import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseRootKey } from '../../crypto/index.ts';
import { auditSigningKey } from '../../instance/index.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { startWorker } from '../worker.ts';
import { maintenanceJobs, removeExpired } from './index.ts';

let test: TestCoffer;
beforeAll(async () => {
  test = await testCoffer();
});
afterAll(() => test.close());

const DAY = 86_400_000;
const ago = (days: number) => new Date(test.coffer.now().getTime() - days * DAY);

it('deletes tokens, sessions, lock-outs and used proofs a day after they expire, and not before', async () => {
  const { pool } = test.coffer;
  const { admin } = await makeOrganization(test.coffer);
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (id, username) values (gen_random_uuid(), 'somebody') returning id`,
  );
  for (const days of [2, 0.5, -1]) {
    await pool.query(
      `insert into user_sessions (id, user_id, refresh_hash, ip_address, user_agent, last_used_at, expires_at)
       values (gen_random_uuid(), $1, $2, '', '', now(), $3)`,
      [rows[0]!.id, randomBytes(32), ago(days)],
    );
    await pool.query('insert into lockouts (subject, failures, last_failure_at) values ($1, 1, $2)', [
      String(days),
      ago(days),
    ]);
    await pool.query('insert into known_clients (subject, client, last_seen_at) values ($1, $1, $2)', [
      String(days),
      ago(365 + days),
    ]);
    await pool.query('insert into used_login_proofs (hash, expires_at) values ($1, $2)', [randomBytes(32), ago(days)]);
    await pool.query(
      `insert into identity_access_tokens (id, organization_id, identity_id, auth_method_id, auth_method, hash, ttl, max_ttl, expires_at)
       select gen_random_uuid(), organization_id, identity_id, auth_method_id, auth_method, $2, 1, 1, $3 from identity_access_tokens where identity_id = $1 limit 1`,
      [admin.id, randomBytes(32), ago(days)],
    );
  }
  expect(await removeExpired(test.coffer.contextFor({ type: 'platform', organizationId: undefined }))).toBe(5);
  const left = await pool.query<{ sessions: number; tokens: number; lockouts: number; proofs: number }>(
    `select (select count(*) from user_sessions)::int as sessions, (select count(*) from lockouts)::int as lockouts,
       (select count(*) from used_login_proofs)::int as proofs,
       (select count(*) from identity_access_tokens where expires_at is not null)::int as tokens`,
  );
  expect(left.rows).toEqual([{ sessions: 2, tokens: 2, lockouts: 2, proofs: 2 }]);
});

it('removes permanently failed jobs after a day, and none that is retried', async () => {
  const { pool } = test.coffer;
  const add = async (name: string, attempts: number, days: number) => {
    await pool.query('select graphile_worker.add_job($1, max_attempts := 2)', [name]);
    await pool.query(
      `update graphile_worker._private_jobs j set attempts = $2, updated_at = $3
       from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = $1`,
      [name, attempts, ago(days)],
    );
  };
  await add('test.failed', 2, 2);
  await add('test.failed_lately', 2, 0.5);
  await add('test.tried_again', 1, 2);
  expect(await removeExpired(test.coffer.contextFor({ type: 'platform', organizationId: undefined }))).toBe(1);
  const { rows } = await pool.query('select task_identifier as name from graphile_worker.jobs order by 1');
  expect(rows).toEqual([{ name: 'test.failed_lately' }, { name: 'test.tried_again' }]);
  await pool.query('delete from graphile_worker._private_jobs');
});

it('runs every job of its schedule', async () => {
  const signingKey = await auditSigningKey(test.coffer.pool, parseRootKey(test.rootKey));
  const jobs = maintenanceJobs(test.coffer, signingKey);
  expect(jobs.map(({ name, schedule }) => [name, /^[\d*/ ]+$/.test(schedule ?? '')])).toEqual(
    [
      'cleanup.expired',
      'audit.partitions',
      'audit.archive',
      'audit.retention',
      'keys.rotate_used',
      'keys.destroy_retired',
    ].map((name) => [name, true]),
  );
  const worker = await startWorker(test.coffer, jobs, { pollInterval: 100 });
  for (const { name } of jobs)
    await test.coffer.pool.query('select graphile_worker.add_job($1, $2::json, max_attempts := 1)', [
      name,
      '{"_cron":{"ts":"2031-01-01T00:00:00.000Z"}}',
    ]);
  await expect.poll(async () => (await test.coffer.pool.query('select 1 from graphile_worker.jobs')).rowCount).toBe(0);
  await worker.stop();
  const { rows } = await test.coffer.pool.query(`select 1 from pg_inherits where inhparent = 'audit_events'::regclass`);
  expect(rows.length).toBeGreaterThan(3);
});
