import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArchiveProofs, auditSigningKey, parseRootKey, storeSegment } from '@coffer/domain';
import { sealedLog } from '../harness/sealed-log.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'blue', color: '' });
});
afterAll(() => test.close());

/** Attempts of an attacker with SQL access through the server's own connections. */
const ATTEMPTS = [
  `update audit_events set data = '{}'`,
  'delete from audit_events',
  'truncate audit_events',
  'delete from audit_events_default',
  `update audit_blocks set hash = '\\x00'`,
  'delete from audit_blocks',
  'alter table audit_events disable trigger all',
  'alter table audit_events rename to away',
  'drop table audit_events',
  `insert into audit_events (id, organization_id, type, published, actor_type, actor, user_agent_type, data, created_at, txid)
     values (gen_random_uuid(), gen_random_uuid(), 'a', 'a', 'user', '{}', 'other', '{}', now(), '1')`,
  `create or replace function audit_time(moment timestamptz) returns text language sql return 'never'`,
  'create role intruder superuser login',
  'create role intruder login',
  'alter role {serving} createrole',
  'alter role {serving} replication',
  `alter role {owner} password 'mine'`,
  'set role {owner}',
  'set session authorization {owner}',
  `set session_replication_role = 'replica'`,
  `select pg_create_physical_replication_slot('leak')`,
  'create table loot (value text)',
  'create temporary table audit_cursor (epoch smallint)',
  'create schema loot',
  'create database loot',
  'create extension dblink',
  `copy secrets to program 'cat'`,
  `select pg_read_file('postgresql.conf')`,
  'drop table secrets',
  'truncate secrets',
  'alter table secrets add column loot text',
  'create trigger spy before insert on secrets execute function graphile_worker.jobs__decrease_job_queue_count()',
  'delete from schema_migrations',
  'update user_api_keys set user_id = gen_random_uuid()',
  `update user_api_keys set expires_at = 'infinity'`,
  'delete from audit_segments',
  `update audit_segments set content = ''`,
  `insert into audit_segments select * from audit_segments`,
  'update audit_volume set segment_bytes = 0',
  'select * from audit_archive_key',
  'delete from audit_archive_key',
  `update user_api_keys set hash = '\\x00'`,
];

describe('attack: SQL through the role that serves', () => {
  it.each(ATTEMPTS)('PostgreSQL refuses: %s', async (sql) => {
    const [owner, serving] = [new URL(test.databaseUrl).username, new URL(test.servingUrl).username];
    const named = sql.replaceAll('{owner}', owner).replaceAll('{serving}', serving);
    const code = await test.coffer.pool.query(named).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
    expect(code).toBe('42501');
  });

  it('can neither move events away, nor change those in a segment, without a proof of Coffer', async () => {
    const { pool } = test.coffer;
    const log = await sealedLog(test);
    await log.grow(3);
    const everything = async () => {
      const { rows } = await pool.query<{ all: string }>(
        `select (select string_agg(e::text, '' order by id) from audit_events e) || (select string_agg(b::text, '' order by organization_id, sequence) from audit_blocks b)
           || coalesce((select string_agg(s::text, '' order by organization_id, first_sequence) from audit_segments s), '') as all`,
      );
      return rows[0]!.all;
    };
    const store = async (proof: Buffer, first = 1, last = 1, events = 0) =>
      pool.query("select audit_store_segment($1, $2, $3, $4, 'x', '', $5)", [
        test.organizationId,
        first,
        last,
        JSON.stringify({ events, firstEventAt: '2000-01-01', lastEventAt: '2000-01-01', projectIds: [] }),
        proof,
      ]);
    const key = createHash('sha256').update('audit_archive_key').digest();
    const guesses = [Buffer.alloc(0), Buffer.alloc(32), key];
    const tryAll = async () => {
      const before = await everything();
      for (const proof of guesses) {
        await expect(store(proof)).rejects.toMatchObject({ code: '42501' });
        const release = pool.query('select audit_release($1, 1, $2)', [test.organizationId, proof]);
        await expect(release).rejects.toMatchObject({ code: '42501' });
      }
      expect(await everything()).toBe(before);
    };
    await tryAll();
    await log.archive();
    expect((await pool.query('select 1 from audit_segments')).rowCount).toBeGreaterThan(0);
    await tryAll();
    await log.stop();
  });

  it('loses no event by a proven segment that has fewer than its range, or only a part of it', async () => {
    const { pool } = test.coffer;
    const log = await sealedLog(test);
    await log.grow(3);
    const proofs = new ArchiveProofs(await auditSigningKey(pool, parseRootKey(test.rootKey)));
    const { rows } = await pool.query<{ first: number; last: number }>(
      `select min(sequence)::integer as first, max(sequence)::integer as last from audit_blocks where organization_id = $1`,
      [test.organizationId],
    );
    const { first, last } = rows[0]!;
    const summary = {
      events: 0,
      oldestEventAt: null,
      firstEventAt: '2000-01-01',
      lastEventAt: '2000-01-01',
      projectIds: [],
    };
    const store = (firstSequence: number, lastSequence: number, events: number) =>
      storeSegment(pool, proofs, test.organizationId, {
        firstSequence,
        lastSequence,
        summary: { ...summary, events },
        terms: Buffer.from('x'),
        content: Buffer.alloc(0),
      });
    const refused = { code: '22023' };
    // No event at all, too many, the newest block, blocks that are not there, and a part of a segment.
    await expect(store(first, last - 1, 0)).rejects.toMatchObject(refused);
    await expect(store(first, last - 1, 1_000)).rejects.toMatchObject(refused);
    await expect(store(first, last, last - first + 1)).rejects.toMatchObject(refused);
    await expect(store(last - 1, last + 5, 6)).rejects.toMatchObject(refused);
    await expect(store(1, 1, 1)).rejects.toMatchObject(refused);
    await log.stop();
  });

  it('expires no event with unlimited retention, nor one that is not due or not sealed', async () => {
    await test.admin('POST', `/api/v1/workspace/${projectId}/tags`, { slug: 'red', color: '' });
    const expire = () =>
      test.coffer.pool.query("select events from audit_expire($1, $2, now() + interval '1 year', 1000)", [
        test.organizationId,
        projectId,
      ]);
    await expect(expire()).rejects.toMatchObject({ code: '22023' });
    await test.coffer.pool.query('update projects set audit_logs_retention_days = 1 where id = $1', [projectId]);
    const copy = `insert into audit_events (id, organization_id, project_id, type, published, actor_type, actor,
        user_agent_type, data, created_at)
      select gen_random_uuid(), organization_id, project_id, type, 'older', actor_type, actor, user_agent_type, data,
        created_at - interval '2 days' from audit_events where published = 'create-tag'`;
    await test.coffer.pool.query(copy);
    expect((await expire()).rows).toEqual([{ events: 0 }]);
    // Sealed events may expire.
    const log = await sealedLog(test);
    await log.sealed();
    await log.stop();
    expect((await expire()).rows).toEqual([{ events: 1 }]);
  });

  it('drops no partition with rows, and nothing that is not a partition', async () => {
    const drop = async (name: string) =>
      (await test.coffer.pool.query<{ done: boolean }>('select audit_drop_partition($1) as done', [name])).rows[0]!
        .done;
    const make = (month: string) => test.coffer.pool.query('select audit_make_partition($1)', [month]);
    await make(test.coffer.now().toISOString().slice(0, 7).replace('-', '_'));
    await make('2099_01');
    const { rows } = await test.coffer.pool.query<{ name: string }>(
      'select distinct tableoid::regclass::text as name from audit_events',
    );
    expect(rows.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^audit_events_\d{4}_\d\d$/));
    for (const name of [...rows.map((row) => row.name), 'audit_events_default', 'secrets', 'audit_blocks'])
      expect(await drop(name)).toBe(false);
    expect(await drop('audit_events_2099_01')).toBe(true);
  });

  it('the log still contains what happened', async () => {
    const { body } = await test.admin('GET', '/api/v1/organization/audit-logs?eventType=create-tag');
    expect(body.auditLogs).toHaveLength(2);
  });
});
