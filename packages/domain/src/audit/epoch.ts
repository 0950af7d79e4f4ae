import type { Connection } from './transaction.ts';

/** How far the events of one epoch are sealed. New events belong to the newest epoch. */
export interface Cursor {
  readonly epoch: number;
  /** The database cluster's own identity; empty before the first look. */
  readonly cluster: string;
  /** Transaction ids, as text: 64 bits. */
  readonly nextTxid: string;
  readonly afterId: string;
  /** Milliseconds; `null` before anything was sealed. */
  readonly sealedAt: number | null;
}

/** Where the cluster's transactions are: all below the horizon have ended. */
export interface Position {
  readonly horizon: string;
  readonly cluster: string;
}

// A copy for the driver, which modifies its argument.
const POSITION = {
  name: 'audit.position',
  text: `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, system_identifier::text as cluster from pg_control_system()`,
};

export async function readPosition(client: Connection): Promise<Position> {
  const { rows } = await client.query<Position>({ ...POSITION });
  return rows[0]!;
}

/** From the oldest epoch with unsealed events to the current one. */
export async function readCursors(client: Connection): Promise<Cursor[]> {
  const { rows } = await client.query<Cursor>({
    name: 'audit_cursor.read',
    text: `select epoch, cluster, next_txid::text as "nextTxid", after_id as "afterId",
       case when isfinite(sealed_at) then extract(epoch from sealed_at)::float8 * 1000 end as "sealedAt"
     from audit_cursor order by epoch`,
  });
  return rows;
}

/** Whether the cursor has transaction IDs of another cluster: after a restore from a dump, they mean nothing. */
export const isElsewhere = (cursor: Cursor, { cluster, horizon }: Position): boolean =>
  cursor.cluster !== '' && (cursor.cluster !== cluster || BigInt(horizon) < BigInt(cursor.nextTxid));

/** Maximum clock skew between the machine that writes events and the one that seals them. */
const SKEW_MS = 86_400_000;

/**
 * Begins a new epoch after a restore. Writes are blocked for a moment; then every event of the dump belongs to an epoch
 * without further writes, which is sealed completely, and events written since the restore belong to the new one: those
 * rows have the transaction ID that stored them. The caller's transaction holds the chain lock.
 */
export async function beginEpoch(client: Connection, last: Cursor): Promise<void> {
  const since = uuidAt((last.sealedAt ?? SKEW_MS) - SKEW_MS);
  await client.query('select audit_begin_epoch($1)', [since]);
}

/** The smallest id of version 7 that could have been made at this time. */
function uuidAt(milliseconds: number): string {
  const hex = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
