import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { locateBinaries, prepareBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { prepareHome } from './home.ts';
import { chooseIdentity } from './identity.ts';
import { endLeftovers } from './leftovers.ts';
import { takeLock } from './lock.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './options.ts';
import { findPort } from './port.ts';
import { type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import type { Server } from './server.ts';
import { Supervisor } from './supervisor.ts';

/**
 * Starts PostgreSQL in the directory, creates the cluster if there is none, and supervises it until `stop()`. Rejects
 * with an `EmbeddedPostgresError` whose message is for the operator; then nothing is running, and the directory is
 * unchanged or can be used by the next start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, settings = {}, log = () => undefined } = options;
  const located = locateBinaries();
  const home = await prepareHome(directory);
  const lock = await takeLock(home);
  try {
    const identity = await chooseIdentity(home);
    const binaries = await prepareBinaries(located, home, identity);
    const server: Server = { home, binaries, identity, settings, log };
    const password = await ensureCluster(server);
    const { postmaster, port } = await startSomewhere(server);
    const url = `postgres://coffer:${password}@127.0.0.1:${port}/coffer`;
    const servingPassword = await prepareServingRole(url, server).catch(async (error: unknown) => {
      await stopPostmaster(postmaster, server);
      throw error;
    });
    const servingUrl = `postgres://${SERVING_ROLE}:${servingPassword}@127.0.0.1:${port}/coffer`;
    return new Supervisor(server, { url, servingUrl }, port, lock, postmaster);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Another program may take the port between our look and the server's start, and orphans may just have died. */
async function startSomewhere(server: Server): Promise<{ postmaster: Postmaster; port: number }> {
  const never = new AbortController().signal;
  for (let attempt = 1; ; attempt += 1) {
    const port = await findPort();
    try {
      return { port, postmaster: await startPostmaster(server, port, never) };
    } catch (error) {
      const passes = error instanceof EmbeddedPostgresError && (error.code === 'port_taken' || error.code === 'in_use');
      if (!passes || attempt === 5) throw error;
      await endLeftovers(server.home.cluster, server.log);
    }
  }
}

/** A login role without ownership: the owner of the tables grants its privileges. */
const SERVING_ROLE = 'coffer_serving';

/**
 * Checks that the server lets the owner in, and makes the serving role with a new password, which is stored nowhere.
 * Clusters of earlier releases get the role at their next start.
 */
async function prepareServingRole(url: string, { home }: Server): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const password = randomBytes(32).toString('base64url');
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [SERVING_ROLE]);
    await client.query(`${rowCount ? 'alter' : 'create'} role ${SERVING_ROLE} login password '${password}'`);
    // A role may change its own password and settings: whatever was changed lasts until here.
    await client.query(`alter role ${SERVING_ROLE} reset all`);
    await client.query(`alter role ${SERVING_ROLE} in database coffer reset all`);
    return password;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // 28P01: invalid_password
    const advice = code === '28P01' ? `: delete ${home.password} and start again; a new password is then set` : '';
    throw new EmbeddedPostgresError('start_failed', `The database server rejected the login (${message})${advice}`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}
