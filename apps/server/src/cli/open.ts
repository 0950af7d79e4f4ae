import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RootKey } from '@coffer/domain/offline';
import { startEmbeddedPostgres, EmbeddedPostgresError } from '@coffer/postgres';
import { readConfig, type Config } from '../config.ts';
import { makeLog } from '../log.ts';
import { readRootKey } from '../root-key.ts';
import { EXIT, explainDatabase, explainStart, StartError } from '../start-error.ts';

/** The context of a command: the configuration of the server, and its database. */
export interface Place {
  readonly config: Config;
  readonly rootKey: RootKey;
  readonly databaseUrl: string;
}

/** The log of commands: warnings and worse, beside their output. */
export const log = makeLog('warn', { write: (line) => void process.stderr.write(line) });

export const nothingIsCalled = () => Promise.reject(new Error('Commands do not call other systems'));

export const configuration = (): Config => readConfig(process.env).config;

/**
 * Runs a command on the configured database, whether or not a server is running: Coffer's own database is started for
 * the command if needed.
 *
 * @throws StartError
 */
export async function withDatabase<T>(run: (place: Place) => Promise<T>): Promise<T> {
  const config = configuration();
  // First: without a key this is not the directory of a server, and nothing must be created in it.
  const rootKey = await readRootKey(config);
  const { DATABASE_URL: external, COFFER_DATA_DIR: directory } = config;
  const own = external === undefined ? await openOwn(directory) : undefined;
  const databaseUrl = external ?? own!.url;
  try {
    return await run({ config, rootKey, databaseUrl });
  } catch (error) {
    throw explainDatabase(error, databaseUrl)?.error ?? explainStart(error);
  } finally {
    await own?.stop();
  }
}

async function openOwn(directory: string): Promise<{ url: string; stop: () => Promise<void> }> {
  try {
    return await startEmbeddedPostgres({ directory });
  } catch (error) {
    if (error instanceof EmbeddedPostgresError && error.code === 'in_use')
      return { url: await runningUrl(directory), stop: async () => undefined };
    throw explainStart(error);
  }
}

/** Where the database of a running server is: PostgreSQL notes its port, and the server its password. */
async function runningUrl(directory: string): Promise<string> {
  try {
    const home = resolve(directory);
    const port = (await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3];
    const password = (await readFile(join(home, 'postgres.password'), 'utf8')).trim();
    return `postgres://coffer:${password}@127.0.0.1:${Number(port)}/coffer`;
  } catch (error) {
    const advice = `a server uses ${directory}, and its database was not found: run this command as the user that runs the server`;
    throw new StartError(advice, EXIT.unavailable, { cause: error });
  }
}
