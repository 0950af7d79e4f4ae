import { makeRootKey, parseRootKey } from '../crypto/index.ts';
import { openCoffer, type Coffer, type CofferOptions } from '../coffer.ts';
import { testDatabase } from './database.ts';

export interface TestCoffer {
  readonly coffer: Coffer;
  readonly databaseUrl: string;
  readonly rootKey: string;
  /** Moves the clock of this Coffer by milliseconds. */
  advance(ms: number): void;
  close(): Promise<void>;
}

/** A Coffer on a database of its own, with a clock that tests can move. */
export async function testCoffer(options: Partial<CofferOptions> = {}): Promise<TestCoffer> {
  const database = await testDatabase();
  const rootKey = makeRootKey();
  let offset = 0;
  const coffer = await openCoffer({
    databaseUrl: database.url,
    rootKey: parseRootKey(rootKey),
    fetch: () => Promise.reject(new Error('This test reaches no network')),
    now: () => new Date(Date.now() + offset),
    poolSize: 8,
    migrate: false,
    ...options,
  });
  return {
    coffer,
    databaseUrl: database.url,
    rootKey,
    advance: (ms) => void (offset += ms),
    close: async () => {
      await coffer.close();
      await database.drop();
    },
  };
}
