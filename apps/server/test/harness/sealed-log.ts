import { archiveSealed, ArchiveProofs, auditSigningKey, parseRootKey, startSealer } from '@coffer/domain';
import { expect } from 'vitest';
import type { TestServer } from './test-server.ts';

export const EXPORT = '/api/v1/organization/audit-logs/export';

export interface SealedLog {
  /** Waits until all events of an organization are sealed. */
  sealed(organizationId?: string): Promise<void>;
  /** Seals some more blocks, of one large event each. */
  grow(blocks: number): Promise<void>;
  /** Moves all sealed events but the newest block into segments of about so many events. */
  archive(full?: number): Promise<void>;
  stop(): Promise<void>;
}

/** A server whose audit log is sealed on command of the test. */
export async function sealedLog(test: TestServer): Promise<SealedLog> {
  const { pool, log } = test.coffer;
  const signingKey = await auditSigningKey(pool, parseRootKey(test.rootKey));
  const deps = { pool, log, now: () => test.coffer.now(), signingKey };
  const sealer = startSealer(deps);
  await new ArchiveProofs(signingKey).register(test.owner);
  /** Other databases of the server may delay the settling of transactions. */
  const sealed = (organizationId = test.organizationId) =>
    expect
      .poll(
        async () => {
          await sealer.sealNow();
          const { rows } = await pool.query<{ open: number }>(
            `select (select count(*) from audit_events where organization_id = $1)::int - (select coalesce(sum(events), 0) from audit_blocks where organization_id = $1)::int as open`,
            [organizationId],
          );
          return rows[0]!.open;
        },
        { interval: 10 },
      )
      .toBe(0);
  return {
    sealed,
    async grow(blocks) {
      for (let i = 0; i < blocks; i++) {
        await pool.query(
          `insert into audit_events (id, organization_id, type, published, actor_type, actor, user_agent_type, data, created_at)
           values (gen_random_uuid(), $1, 'thing.happened', 'happen-thing', 'platform', '{}', 'other', jsonb_build_object('text', repeat('x', 10000)), $2)`,
          [test.organizationId, test.coffer.now()],
        );
        await sealed();
      }
    },
    archive: async (full = 20) => void (await archiveSealed(deps, { age: -1_000, full })),
    stop: () => sealer.stop(),
  };
}

/**
 * Begins an export and reads only its first chunk.
 *
 * @returns The rest on demand, and everything received so far; `rest` throws if the transfer is truncated.
 */
export async function beginExport(
  test: TestServer,
  token: string,
): Promise<{
  rest: () => Promise<string[]>;
  received: () => string;
}> {
  const answer = await test.app.inject({
    method: 'GET',
    url: EXPORT,
    headers: { authorization: `Bearer ${token}` },
    payloadAsStream: true,
  });
  expect(answer.statusCode).toBe(200);
  const chunks = answer.stream().setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  let text = (await chunks.next()).value as string;
  return {
    received: () => text,
    async rest() {
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) text += next.value;
      return text.trimEnd().split('\n');
    },
  };
}
