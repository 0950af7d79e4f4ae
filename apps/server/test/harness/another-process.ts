import { randomUUID } from 'node:crypto';
import { openCoffer, parseRootKey, type Coffer, type CofferOptions } from '@coffer/domain';
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { createApp } from '../../src/app.ts';
import { drain } from '../../src/http/drain.ts';
import { callersOf, type Caller, type TestServer } from './test-server.ts';

export interface AnotherProcess {
  readonly coffer: Coffer;
  readonly app: FastifyInstance;
  /** A caller of this process with a token, or with none. */
  as(token?: string): Caller;
  close(): Promise<void>;
}

/** Equivalent to another process on the database of a test: it shares only the clock, unless it has one of its own. */
export async function anotherProcess(
  { servingUrl, rootKey, coffer: { now, fetch, settings } }: TestServer,
  clock: Pick<CofferOptions, 'now' | 'machineTime'> = { now },
): Promise<AnotherProcess> {
  const coffer = await openCoffer({
    databaseUrl: servingUrl,
    rootKey: parseRootKey(rootKey),
    fetch,
    ...clock,
    settings,
    migrate: false,
    poolSize: 4,
    // As that of the test: see `testCoffer`.
    connectTimeout: 60_000,
    lockTimeout: 60_000,
    heartbeatTimeout: 60_000,
  });
  const app = await createApp({ coffer });
  return {
    coffer,
    app,
    as: callersOf(app),
    close: async () => {
      await drain(app, 5, coffer.log);
      await coffer.close();
    },
  };
}

/** Waits until what others have committed so far, and invalidated with it, is invalid in these processes as well. */
export async function untilNotified(...processes: readonly { readonly coffer: Coffer }[]): Promise<void> {
  const tag = `test:${randomUUID()}`;
  for (const { coffer } of processes) await coffer.revisions.load(tag, 0, async () => ({ value: '', tags: [tag] }));
  await processes[0]!.coffer.pool.query(`select pg_notify('coffer_forget', $1)`, [tag]);
  for (const { coffer } of processes)
    await expect.poll(() => coffer.revisions.get(tag, 0), { interval: 2 }).toBeUndefined();
}
