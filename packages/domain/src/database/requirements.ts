import type { Pool } from 'pg';
import { DomainError } from '../kernel/index.ts';
import { SETTINGS } from './database.ts';

const OLDEST = 15;

/** The version, and whether the connection has the settings that it was opened with. */
const LOOK = `select current_setting('server_version_num')::integer / 10000 as major,
  (select bool_and(current_setting(name) = value) from unnest($1::text[], $2::text[]) as given (name, value)) as "hasSettings"`;

/** Those that PostgreSQL shows as they were given. */
const SHOWN = (['TimeZone', 'enable_seqscan', 'jit', 'plan_cache_mode'] as const).map(
  (name) => [name, SETTINGS[name]] as const,
);

/**
 * Checks what Coffer needs of a PostgreSQL, on the first connection.
 *
 * @throws DomainError `database.too_old`; `database.pooler` where sessions do not keep their settings.
 */
export async function requireSupportedPostgres(pool: Pool): Promise<void> {
  const values = [SHOWN.map(([name]) => name), SHOWN.map(([, value]) => value)];
  const { rows } = await pool.query<{ major: number; hasSettings: boolean }>(LOOK, values).catch((error: unknown) => {
    // PgBouncer, of the settings of a session.
    if ((error as Error).message.includes('unsupported startup parameter')) throw pooled();
    throw error;
  });
  const [{ major, hasSettings }] = rows as [(typeof rows)[0]];
  if (major < OLDEST)
    throw new DomainError(
      'unavailable',
      'database.too_old',
      `PostgreSQL ${major} is not supported: Coffer needs ${OLDEST} or newer`,
    );
  if (!hasSettings) throw pooled();
}

/**
 * Checks that connections do not share a session of PostgreSQL, as those of a pooler between transactions do. Needs two connections.
 *
 * @throws DomainError `database.pooler`
 */
export async function requireOwnSessions(pool: Pool, variable: Variable = 'DATABASE_URL'): Promise<void> {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    const sessionOf = async (client: typeof one) =>
      (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
    const first = await sessionOf(one);
    // Poolers give the next transaction the session that was used last.
    await other.query('begin');
    const second = await sessionOf(other);
    const again = await sessionOf(one);
    await other.query('rollback');
    if (first === second || first !== again) throw pooled(variable);
  } finally {
    one.release();
    other.release();
  }
}

type Variable = 'DATABASE_URL' | 'COFFER_MIGRATION_DATABASE_URL';

const pooled = (variable: Variable = 'DATABASE_URL') =>
  new DomainError(
    'unavailable',
    'database.pooler',
    `${variable} leads to a connection pooler, such as PgBouncer, that does not keep the settings, prepared statements and LISTEN ` +
      `of a session. Coffer pools its connections itself (COFFER_DATABASE_POOL): set ${variable} to PostgreSQL itself, or to a ` +
      'proxy of TCP connections, such as HAProxy',
  );
