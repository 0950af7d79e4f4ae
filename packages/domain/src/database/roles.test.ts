import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCoffer } from '../app/coffer.ts';
import { makeRootKey, parseRootKey } from '../crypto/index.ts';
import { testDatabase, type TestDatabase } from '../testing/index.ts';
import { excessOf, grantServing } from './roles.ts';

const ROLE = 'coffer_serving';
const PRIVILEGES = `select string_agg(c.relname || ' ' || c.relacl::text, '; ' order by c.relname) as acl,
  string_agg(c.xmin::text, ' ' order by c.relname) as versions from pg_class c where c.relacl is not null`;

let database: TestDatabase;
let owner: Pool;
let serving: Pool;
beforeAll(async () => {
  database = await testDatabase();
  owner = new Pool({ connectionString: database.url, max: 3 });
  serving = new Pool({ connectionString: database.servingUrl, max: 1 });
});
afterAll(async () => {
  await owner.end();
  await serving.end();
  await database.drop();
});

const privileges = async () => (await owner.query<{ acl: string; versions: string }>(PRIVILEGES)).rows[0]!;
const logged: object[] = [];
const note = (details: object) => void logged.push(details);

const open = async (urls: { databaseUrl: string; migrationUrl?: string }) => {
  const coffer = await openCoffer({
    ...urls,
    rootKey: parseRootKey(ROOT_KEY),
    fetch: () => Promise.reject(new Error('none')),
    log: { debug: note, info: note, warn: note, error: note },
    poolSize: 2,
  });
  await coffer.close();
};
const ROOT_KEY = makeRootKey();

describe('the role that serves', () => {
  it('gets its missing privileges and loses others, and nothing is written if all are right', async () => {
    const right = await privileges();
    await owner.query(`revoke all on all tables in schema public, graphile_worker from ${ROLE};
      revoke all on schema graphile_worker from ${ROLE}; revoke all on all functions in schema public from ${ROLE};
      grant update, delete on audit_events to ${ROLE}; grant create on schema public to ${ROLE}`);
    const client = await owner.connect();
    await grantServing(client, ROLE);
    const mended = await privileges();
    expect(mended.acl).toBe(right.acl);
    await grantServing(client, ROLE);
    client.release();
    expect((await privileges()).versions).toBe(mended.versions);
    await expect(serving.query('create table loot ()')).rejects.toMatchObject({ code: '42501' });
    await serving.query(`select graphile_worker.add_job('none')`);
    expect((await serving.query('delete from graphile_worker._private_jobs')).rowCount).toBe(1);
  });

  it('serves a database that an owner migrates, and one that was migrated before', async () => {
    await owner.query(`revoke all on all tables in schema public from ${ROLE}`);
    await expect(open({ databaseUrl: database.servingUrl })).rejects.toMatchObject({ code: '42501' });
    await open({ databaseUrl: database.servingUrl, migrationUrl: database.url });
    await open({ databaseUrl: database.servingUrl });
    expect(logged).toEqual([]);
  });

  it('is distinguished from one with more privileges, of which the start warns', async () => {
    expect(await excessOf(serving)).toEqual([]);
    expect(await excessOf(owner)).toEqual(['may create roles', 'may replicate', 'owns the audit log']);
    await open({ databaseUrl: database.url });
    expect(logged).toEqual([{ excess: await excessOf(owner) }]);
  });
});
