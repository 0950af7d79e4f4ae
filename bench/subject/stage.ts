import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Measured } from '../measure/sample.ts';
import { embeddedDatabase, makeRoom, startProgram, startServer, type Running, type StartServer } from './server.ts';
import { makeWorld, type World } from './world.ts';

const FLOOR = fileURLToPath(new URL('../floor.ts', import.meta.url));

/** A running Coffer with an empty project. */
export interface Stage {
  readonly server: Running;
  readonly world: World;
  readonly measured: Measured;
  readonly databaseUrl: string;
  readonly dataDir: string;
}

/** Everything that one run starts and creates; `close` stops and deletes it, also a part of it. */
export class Run {
  readonly #programs: { stop(): Promise<void> }[] = [];
  #directory: string | undefined;
  #closing: Promise<void> | undefined;

  async directory(name: string): Promise<string> {
    this.#directory ??= await mkdtemp(join(tmpdir(), 'coffer-bench-'));
    await makeRoom(this.#directory);
    return join(this.#directory, name);
  }

  async server(options: StartServer): Promise<Running> {
    return this.adopt(await startServer(options));
  }

  async stage(name: string, options: Omit<StartServer, 'dataDir'> = {}): Promise<Stage> {
    const dataDir = await this.directory(name);
    const server = await this.server({ dataDir, ...options });
    const { url, pid } = await embeddedDatabase(dataDir);
    return {
      server,
      world: await makeWorld(server.url),
      measured: { pid: server.pid, postgresPid: pid },
      databaseUrl: url,
      dataDir,
    };
  }

  /** Another process of the server on the stage's database. */
  async another({ databaseUrl, dataDir }: Stage): Promise<Running> {
    const external = { DATABASE_URL: databaseUrl, COFFER_ROOT_KEY_FILE: join(dataDir, 'root.key') };
    return this.adopt(await startServer({ dataDir: await this.directory('another'), environment: external }));
  }

  /** The floor, with a separate database on the stage's PostgreSQL. */
  async floor({ databaseUrl, measured }: Stage): Promise<{ url: string; measured: Measured }> {
    await onDatabase(databaseUrl, (client) => client.query('create database floor'));
    const url = Object.assign(new URL(databaseUrl), { pathname: '/floor' }).toString();
    const floor = this.adopt(
      await startProgram([FLOOR], { DATABASE_URL: url }, '/ready', await this.directory('floor.log')),
    );
    return { url: floor.url, measured: { ...measured, pid: floor.pid } };
  }

  /** What was started ends with us, also when a signal ends us. */
  endOnSignals(): void {
    const exit = () => process.exit(130);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        this.close().then(exit, exit);
      });
    }
  }

  /** A second call, as of work that fails because a signal ends the run, waits for the first one. */
  close({ keep = false } = {}): Promise<void> {
    this.#closing ??= this.#close(keep).finally(() => (this.#closing = undefined));
    return this.#closing;
  }

  async #close(keep: boolean): Promise<void> {
    // In reverse order: the floor uses the database of the server.
    for (const program of this.#programs.splice(0).toReversed()) await program.stop();
    if (keep) console.log(`Left there: ${this.#directory}`);
    else if (this.#directory) await rm(this.#directory, { recursive: true, force: true });
    this.#directory = undefined;
  }

  /** Stops it with what else was started, in reverse order. */
  adopt<Program extends { stop(): Promise<void> }>(program: Program): Program {
    this.#programs.push(program);
    return program;
  }
}

export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
