import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../testing/database.ts';

// What a distributed PostgreSQL needs of the schema: rows of one organization lie together, and no key has to be compared
// with those of other organizations (docs/scaling.md). The lists of exceptions may only get shorter.

/** Tables whose rows belong to no organization: the same rows everywhere, or on one node. */
const OF_NO_ORGANIZATION: Readonly<Record<string, string>> = {
  audit_archive_key: 'one row: the key of proofs',
  audit_cursor: 'one row for each epoch: where the sealer is',
  audit_volume: 'one row: how large the audit log is',
  daily_counts: 'counts of users and e-mail addresses, over all organizations',
  instance: 'one row: the instance',
  known_clients: 'devices of users, who belong to several organizations',
  lockouts: 'delays after wrong passwords, by account or client ID',
  organizations: 'the organizations themselves, with their slugs',
  password_resets: 'of users',
  rate_limits: 'one row: limits of the instance',
  retired_certificates: 'reached by their key, which has the organization',
  schema_migrations: 'the schema',
  setup_codes: 'of the instance, before there is an organization',
  sign_up_codes: 'of mailboxes, before there is a user',
  used_login_proofs: 'hashes of proofs that were used for a login, whatever the organization',
  users: 'belong to several organizations',
};

/** Unique keys of tables with an organization that hold across organizations. */
const KEYS_ACROSS: Readonly<Record<string, string>> = {
  acme_nonces_pkey: 'a random nonce, which names no organization; unique by its 256 bits, wherever it lies',
  command_line_codes_pkey: 'as identity_access_tokens_hash_unique',
  identity_access_tokens_hash_unique: 'tokens are looked up by their hash alone; unique by their 256 bits',
  identity_access_tokens_previous_unique: 'as identity_access_tokens_hash_unique',
  user_access_tokens_pkey: 'as identity_access_tokens_hash_unique',
  user_sessions_family: 'as identity_access_tokens_hash_unique; sessions are of users',
  user_sessions_refresh_unique: 'as user_sessions_family',
};

/** Foreign keys between a row with an organization and one without. */
const REFERENCES_ACROSS: Readonly<Record<string, string>> = {
  access_approval_requests_requested_by_user_id_fkey: 'users belong to several organizations',
  approval_policy_approvers_user_id_fkey: 'users',
  approval_reviews_reviewer_user_id_fkey: 'users',
  command_line_codes_user_id_fkey: 'users',
  memberships_user_id_fkey: 'users',
  retired_certificates_ca_key_id_fkey: 'retired_certificates has no organization of its own yet',
  secret_approval_requests_committer_user_id_fkey: 'users',
  secret_approval_requests_status_changed_by_user_id_fkey: 'users',
  secrets_user_id_fkey: 'users',
  user_access_tokens_user_id_fkey: 'users',
  user_api_keys_user_id_fkey: 'users',
  user_sessions_user_id_fkey: 'users',
};

const TABLES = `
  select c.relname as name, exists (select from pg_attribute a
    where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped) as "hasOrganization"
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

const KEYS = `
  select t.relname as table, i.relname as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
  from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
  where x.indisunique and t.relnamespace = 'public'::regnamespace and not t.relispartition`;

const REFERENCES = `
  select k.conname as name, c.relname as child, p.relname as parent,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum = any(k.conkey)) as columns
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
  where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0`;

const IDS = `
  select c.relname || '.' || a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and a.atttypid = 'uuid'::regtype and a.attnum > 0 and not a.attisdropped`;

interface Reference {
  readonly name: string;
  readonly child: string;
  readonly parent: string;
  readonly columns: readonly string[];
}

let database: TestDatabase;
let pool: Pool;
let withOrganization: Set<string>;
let references: Reference[];
beforeAll(async () => {
  database = await testDatabase();
  pool = new Pool({ connectionString: database.url, max: 1 });
  const { rows } = await pool.query<{ name: string; hasOrganization: boolean }>(TABLES);
  withOrganization = new Set(rows.flatMap(({ name, hasOrganization }) => (hasOrganization ? [name] : [])));
  references = (await pool.query<Reference>(REFERENCES)).rows;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const named = (reasons: Readonly<Record<string, string>>) => Object.keys(reasons).toSorted();

describe('the schema, distributed by organization', () => {
  it('has an organization in every table, except for the listed ones', async () => {
    const { rows } = await pool.query<{ name: string }>(TABLES);
    const without = rows.map(({ name }) => name).filter((name) => !withOrganization.has(name));
    expect(withOrganization.size).toBeGreaterThan(50);
    expect(without.toSorted()).toEqual(named(OF_NO_ORGANIZATION));
  });

  it('has no unique key that holds across organizations, except for the listed ones', async () => {
    const { rows: keys } = await pool.query<{ table: string; name: string; columns: string[] }>(KEYS);
    const { rows } = await pool.query<{ column: string }>(IDS);
    const shared = references.filter(({ parent }) => !withOrganization.has(parent) && parent !== 'organizations');
    const ofNobody = new Set(shared.flatMap(({ child, columns }) => columns.map((column) => `${child}.${column}`)));
    // An id is random and belongs to a row of one organization, unless it is that of a user.
    const ids = new Set(rows.map(({ column }) => column).filter((column) => !ofNobody.has(column)));
    const across = keys.filter(
      ({ table, columns }) => withOrganization.has(table) && !columns.some((column) => ids.has(`${table}.${column}`)),
    );
    expect(across.map(({ name }) => name).toSorted()).toEqual(named(KEYS_ACROSS));
  });

  it('has no foreign key into or out of an organization, except for the listed ones', () => {
    const across = references.filter(
      ({ child, parent }) => parent !== 'organizations' && withOrganization.has(child) !== withOrganization.has(parent),
    );
    expect(references.length).toBeGreaterThan(100);
    expect(across.map(({ name }) => name).toSorted()).toEqual(named(REFERENCES_ACROSS));
  });
});
