import { Pool } from 'pg';
import { makeRootKey, parseRootKey } from '../crypto/index.ts';
import { badRequest } from '../kernel/index.ts';
import { openCoffer, type Coffer, type CofferOptions } from '../app/coffer.ts';
import { testDatabase } from './database.ts';

export interface TestCoffer {
  readonly coffer: Coffer;
  /** For the owner of the tables. */
  readonly databaseUrl: string;
  /** For the role that serves, as this Coffer does. */
  readonly servingUrl: string;
  /** Connections of the owner, for what the role that serves may not do: changing tables, tampering with the log. */
  readonly owner: Pool;
  readonly rootKey: string;
  /** Moves the clock of this Coffer by milliseconds. */
  advance(ms: number): void;
  close(): Promise<void>;
}

export interface TestCofferOptions extends Partial<CofferOptions> {
  /** A standing clock moves by `advance` alone: for tests of exact times, which a slow machine would miss. */
  readonly clock?: 'running' | 'standing';
}

/** A Coffer with its own database, and a clock that tests can move. */
export async function testCoffer({ clock, ...options }: TestCofferOptions = {}): Promise<TestCoffer> {
  const database = await testDatabase();
  const rootKey = makeRootKey();
  const owner = new Pool({ connectionString: database.url, max: 2 });
  const start = Date.now();
  let offset = 0;
  const coffer = await openCoffer({
    databaseUrl: database.servingUrl,
    rootKey: parseRootKey(rootKey),
    fetch: () => Promise.reject(badRequest('outbound.unreachable', 'This test reaches no network')),
    now: () => new Date((clock === 'standing' ? start : Date.now()) + offset),
    poolSize: 8,
    migrate: false,
    // A loaded machine is slow, refuses nothing for it, and uses what it has cached.
    connectTimeout: 60_000,
    lockTimeout: 60_000,
    heartbeatTimeout: 60_000,
    // Calls at which a process is to die never end.
    patience: 1_000,
    ...options,
  });
  return {
    coffer,
    databaseUrl: database.url,
    servingUrl: database.servingUrl,
    owner,
    rootKey,
    advance: (ms) => void (offset += ms),
    close: async () => {
      await coffer.close();
      if (!owner.ending) await owner.end();
      await database.drop();
    },
  };
}
