import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { NIL_ID, portionsOf, type Log } from '../kernel/index.ts';
import { appendBlocks, type NewBlock } from './append.ts';
import { SEGMENT_BYTES } from './archive/segment.ts';
import { beginEpoch, isElsewhere, readCursors, readPosition, type Cursor, type Position } from './epoch.ts';
import { CHAIN_LOCK, transaction, type Connection } from './transaction.ts';
import { contentHash } from './verify.ts';

export interface SealerDeps {
  readonly pool: Pool;
  readonly log: Log;
  /** The Ed25519 key of `auditSigningKey`. */
  readonly signingKey: KeyObject;
  now(): Date;
}

export interface Sealer {
  /** Seals the settled events once more and stops; the next process seals the rest. */
  stop(): Promise<void>;
  /**
   * Seals all settled events, after waiting for other processes; returns the number of events that this call sealed.
   */
  sealNow(): Promise<number>;
}

const PERIOD_MS = 500;
const AFTER_FAILURE_MS = 5_000;
/** Events per transaction: hashing takes the database about 6 µs each, and this process almost nothing. */
const BATCH = 1_000;
/** Bytes of their lines, unless the first alone has more: a block is a part of a segment. */
const BATCH_BYTES = SEGMENT_BYTES / 4;
const NO_LIMIT = '18446744073709551615';

/**
 * Seals the events of each organization into its chain of blocks, in the order of their transactions, within about a
 * second of their commit. Every process may run one; a lock lets one work at a time. An event is sealed once its
 * transaction, and every transaction that began before it, has ended: a long transaction delays, nothing is passed
 * over.
 */
export function startSealer(deps: SealerDeps): Sealer {
  return new PeriodicSealer(deps);
}

class PeriodicSealer implements Sealer {
  readonly #deps: SealerDeps;
  /** Everything up to this point is sealed: nothing is to be done until a further transaction ends. */
  #drained: Position | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deps: SealerDeps) {
    this.#deps = deps;
    this.#schedule(PERIOD_MS);
  }

  sealNow(): Promise<number> {
    const result = this.#work.then(() => this.#seal(true));
    this.#work = result.catch(() => undefined);
    return result;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#work;
    await this.#seal(false).catch((error: unknown) => this.#complain(error));
  }

  #schedule(delay: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      const tick = this.#work.then(() => this.#seal(false));
      this.#work = tick.then(
        () => this.#schedule(PERIOD_MS),
        (error: unknown) => {
          this.#complain(error);
          this.#schedule(AFTER_FAILURE_MS);
        },
      );
    }, delay).unref();
  }

  #complain(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'The audit log could not be sealed; it is retried');
  }

  async #seal(waits: boolean): Promise<number> {
    const { pool } = this.#deps;
    if (!waits) {
      const position = await readPosition(pool);
      if (position.horizon === this.#drained?.horizon && position.cluster === this.#drained.cluster) return 0;
    }
    for (let sealed = 0; ;) {
      const batch = await transaction(pool, (client) => sealBatch(client, this.#deps, waits));
      if (!batch) return sealed;
      sealed += batch.sealed;
      if (batch.isDrained) {
        this.#drained = batch.position;
        return sealed;
      }
    }
  }
}

interface EventRow {
  id: string;
  organizationId: string;
  txid: string;
  createdAt: string;
  hash: Buffer;
  /** Of its line. */
  bytes: number;
}

const EVENTS = {
  name: 'audit_events.unsealed',
  text: `select id, organization_id as "organizationId", txid::text, audit_time(created_at) as "createdAt",
     sha256(convert_to('coffer.audit.event.v1' || chr(10) || l.line, 'UTF8')) as hash, octet_length(l.line) as bytes
   from audit_events e cross join lateral (select audit_event_line(e) as line offset 0) l
   where epoch = $1 and txid >= $2::xid8 and (txid > $2::xid8 or id > $3) and txid < $4::xid8
   order by e.txid, e.id limit ${BATCH}`,
};

/** Seals the next events in one transaction with the cursor; `undefined` if another process is sealing. */
async function sealBatch(
  client: Connection,
  deps: SealerDeps,
  waits: boolean,
): Promise<{ sealed: number; isDrained: boolean; position: Position } | undefined> {
  // The lock is a separate statement: the data must be read after the lock was granted.
  const lock = waits
    ? `true as locked from pg_advisory_xact_lock(${CHAIN_LOCK})`
    : `pg_try_advisory_xact_lock(${CHAIN_LOCK}) as locked`;
  const { rows: locks } = await client.query<{ locked: boolean }>(`select ${lock}`);
  if (!locks[0]?.locked) return undefined;
  const position = await readPosition(client);
  const cursors = await readCursors(client);
  const newest = cursors.at(-1)!;
  if (isElsewhere(newest, position)) {
    await beginEpoch(client, newest);
    deps.log.warn(
      { epoch: newest.epoch + 1 },
      'The database was restored into another cluster: the audit log continues in a new epoch',
    );
    return { sealed: 0, isDrained: false, position };
  }
  if (newest.cluster === '')
    await client.query('update audit_cursor set cluster = $1 where epoch = $2', [position.cluster, newest.epoch]);
  const cursor = cursors[0]!;
  const horizon = cursor === newest ? position.horizon : NO_LIMIT;
  const { rows: found } = await client.query<EventRow>({
    ...EVENTS,
    values: [cursor.epoch, cursor.nextTxid, cursor.afterId, horizon],
  });
  const [rows = []] = portionsOf(found, ({ bytes }) => bytes, { rows: BATCH, bytes: BATCH_BYTES });
  const isLast = rows.length === found.length && found.length < BATCH;
  if (rows.length > 0) await appendBlocks(client, deps.signingKey, blocksOf(rows, deps.now()));
  if (isLast && cursor !== newest) await client.query('delete from audit_cursor where epoch = $1', [cursor.epoch]);
  else if (rows.length > 0) await moveCursor(client, cursor, isLast ? { txid: horizon, id: NIL_ID } : rows.at(-1)!);
  return { sealed: rows.length, isDrained: isLast && cursor === newest, position };
}

async function moveCursor(
  client: Connection,
  { epoch }: Cursor,
  { txid, id }: { txid: string; id: string },
): Promise<void> {
  await client.query(
    'update audit_cursor set next_txid = $2::xid8, after_id = $3, sealed_at = now() where epoch = $1',
    [epoch, txid, id],
  );
}

/** One block for each organization, with its events in order. */
function blocksOf(rows: readonly EventRow[], now: Date): NewBlock[] {
  return [...Map.groupBy(rows, (row) => row.organizationId)].map(([organizationId, events]) => {
    const eventHashes = Buffer.concat(events.map((event) => event.hash));
    const times = events.map((event) => event.createdAt).toSorted();
    return {
      kind: 'events',
      organizationId,
      events: events.length,
      eventIds: events.map((event) => event.id),
      eventHashes,
      contentHash: contentHash(eventHashes),
      firstEventAt: times[0]!,
      lastEventAt: times.at(-1)!,
      bytes: events.reduce((sum, { bytes }) => sum + bytes, 0),
      sealedAt: now.toISOString(),
    };
  });
}
