import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import type { Coffer } from '../../app/coffer.ts';
import { parseRootKey } from '../../crypto/index.ts';
import { auditSigningKey } from '../../instance/index.ts';
import { defineEvent, eventOf, newId, type Actor } from '../../kernel/index.ts';
import { makeOrganization, type TestCoffer } from '../../testing/index.ts';
import { archiveSealed } from '../archive/archive.ts';
import { ArchiveProofs } from '../archive/proof.ts';
import { eventRow, eventsJson, INSERT_EVENTS } from '../event-row.ts';
import { exportLines, type ExportPeriod } from '../export.ts';
import { startSealer, type Sealer, type SealerDeps } from '../sealer.ts';

const thingHappened = defineEvent('thing.happened', 'happen-thing', z.object({ name: z.string() }).loose());

export interface LogWorld {
  readonly signingKey: KeyObject;
  readonly publicKey: string;
  readonly deps: SealerDeps;
  readonly sealer: Sealer;
  /** Seals all committed events. Databases of one server share transaction IDs: other tests may delay it. */
  sealAll(): Promise<void>;
  stop(): Promise<void>;
}

/** A sealer and its resources. */
export async function logWorld({ coffer, rootKey, owner }: TestCoffer): Promise<LogWorld> {
  const { pool, log } = coffer;
  const signingKey = await auditSigningKey(pool, parseRootKey(rootKey));
  await new ArchiveProofs(signingKey).register(owner);
  const { rows } = await pool.query<{ key: string }>('select audit_public_key as key from instance');
  const deps: SealerDeps = { pool, log, signingKey, now: () => coffer.now() };
  const sealer = startSealer(deps);
  const sealAll = async () => {
    const { rows: now } = await pool.query<{ next: string }>(
      'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
    );
    for (let isSettled = false; !isSettled; await sealer.sealNow()) {
      const { rows: then } = await pool.query<{ settled: boolean }>(
        'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as settled',
        [now[0]!.next],
      );
      isSettled = then[0]!.settled;
      if (!isSettled) await sleep(10);
    }
  };
  return { signingKey, publicKey: rows[0]!.key, deps, sealer, sealAll, stop: () => sealer.stop() };
}

/** Keeps a transaction open during the work, so that nothing is settled. */
export async function whileUnsettled<T>({ databaseUrl }: TestCoffer, work: (open: Client) => Promise<T>): Promise<T> {
  const open = new Client({ connectionString: databaseUrl });
  await open.connect();
  try {
    await open.query('begin');
    await open.query('select pg_current_xact_id()');
    return await work(open);
  } finally {
    await open.end();
  }
}

export interface Written {
  readonly organizationId: string;
  readonly projectId?: string | undefined;
  readonly at?: Date;
  readonly data?: Record<string, unknown>;
}

/** Writes events of one transaction. */
export async function writeEvents(
  coffer: Coffer,
  count: number,
  { organizationId, projectId, at, data }: Written,
): Promise<string[]> {
  const actor: Actor = { type: 'platform', organizationId };
  const rows = Array.from({ length: count }, (_, index) => {
    const row = eventRow(
      coffer.contextFor(actor),
      eventOf(thingHappened, { name: `event ${index}`, ...data }, { projectId }),
    );
    return { ...row, createdAt: at?.toISOString() ?? row.createdAt };
  });
  await coffer.pool.query({ ...INSERT_EVENTS, values: [eventsJson(rows)] });
  return rows.map(({ id }) => id);
}

/** An organization with segments of two blocks each, and a newest block. */
export async function archivedLog({ coffer }: TestCoffer, log: LogWorld): Promise<string> {
  const { id } = await makeOrganization(coffer);
  await log.sealAll();
  for (let n = 0; n < 7; n++) {
    await writeEvents(coffer, 3, { organizationId: id });
    await log.sealAll();
    if (n % 2 === 0) await archiveSealed(log.deps, { age: -1_000, full: 4 });
  }
  return id;
}

/** The lines of blocks of an export. */
export const blocksIn = (lines: readonly string[]) => lines.filter((line) => line.startsWith('{"block":'));

export async function exported(coffer: Coffer, organizationId: string, period?: ExportPeriod): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(coffer.pool, organizationId, period)) lines.push(line);
  return lines;
}

export const anOrganization = newId;
