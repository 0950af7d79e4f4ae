import { asQuery, statement } from '../kernel/index.ts';
import type { Connection } from './transaction.ts';
import { AUDIT_FORMAT, type AuditBlock, type SealedBlock } from './verify.ts';

/** A link of a chain as a row of `audit_blocks`. */
export interface BlockRow {
  sequence: string;
  kind: 'events' | 'expiry';
  events: number;
  eventIds: string[] | null;
  eventHashes: Buffer | null;
  contentHash: string | null;
  firstEventAt: string | null;
  lastEventAt: string | null;
  expiry: { projectId: string | null; before: string; firstSequence: number; lastSequence: number } | null;
  previousHash: string;
  hash: string;
  signature: string;
  sealedAt: string;
  /** Of the lines of its events; unknown for blocks of an earlier release. */
  bytes: number | null;
}

export const BLOCK_COLUMNS = `sequence::text, kind, events, event_ids as "eventIds", event_hashes as "eventHashes",
  encode(content_hash, 'hex') as "contentHash", audit_time(first_event_at) as "firstEventAt",
  audit_time(last_event_at) as "lastEventAt", expiry, encode(previous_hash, 'hex') as "previousHash",
  encode(hash, 'hex') as hash, encode(signature, 'base64') as signature, audit_time(sealed_at) as "sealedAt",
  bytes::float8 as bytes`;

const BETWEEN = statement(
  'audit_blocks.between',
  `select ${BLOCK_COLUMNS} from audit_blocks where organization_id = $1 and sequence > $2 and sequence <= $3
   order by audit_blocks.sequence limit $4`,
);

/** The rows after one sequence and up to another, at most so many. */
export async function readBlocks(
  client: Connection,
  organizationId: string,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Promise<BlockRow[]> {
  const { rows } = await client.query<BlockRow>(asQuery(BETWEEN, [organizationId, after, last, limit]));
  return rows;
}

const LINES = statement(
  'audit_events.lines',
  `select id, audit_event_line(e) as line from audit_events e
   where organization_id = $1 and id = any ($2::uuid[]) and created_at between $3 and $4`,
);

/** The lines of the events of blocks, by id. */
export async function eventLines(
  client: Connection,
  organizationId: string,
  blocks: readonly BlockRow[],
): Promise<Map<string, string>> {
  const ids = blocks.flatMap((block) => block.eventIds ?? []);
  if (ids.length === 0) return new Map();
  const times = blocks
    .filter((block) => block.eventIds)
    .flatMap((block) => [block.firstEventAt!, block.lastEventAt!])
    .toSorted();
  const { rows } = await client.query<{ id: string; line: string }>(
    asQuery(LINES, [organizationId, ids, times[0], times.at(-1)]),
  );
  return new Map(rows.map(({ id, line }) => [id, line]));
}

/** The hash of each event of a block, in hexadecimal, in the sealed order. */
export const hashesOf = ({ eventIds, eventHashes }: BlockRow): string[] =>
  (eventIds ?? []).map((_, index) => eventHashes!.toString('hex', index * 32, index * 32 + 32));

export function sealedBlock(
  organizationId: string,
  row: Omit<BlockRow, 'eventIds' | 'eventHashes' | 'bytes'>,
): SealedBlock {
  const place = {
    version: AUDIT_FORMAT,
    organizationId,
    sequence: Number(row.sequence),
    previousHash: row.previousHash,
    sealedAt: row.sealedAt,
  };
  const block: AuditBlock =
    row.kind === 'events'
      ? {
          ...place,
          kind: 'events',
          events: row.events,
          contentHash: row.contentHash!,
          firstEventAt: row.firstEventAt!,
          lastEventAt: row.lastEventAt!,
        }
      : { ...place, kind: 'expiry', events: row.events, ...row.expiry! };
  return { block, hash: row.hash, signature: row.signature.replaceAll('\n', '') };
}
