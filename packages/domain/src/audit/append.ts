import { sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Connection } from './transaction.ts';
import { AUDIT_FORMAT, blockHash, checkpointText, GENESIS, type EventsBlock, type ExpiryBlock } from './verify.ts';

/** The content of a new block; its position in the chain is added when it is appended. */
type Placeless<Block> = Omit<Block, 'version' | 'sequence' | 'previousHash'>;
export type NewBlock =
  | (Placeless<EventsBlock> & {
      readonly eventIds: readonly string[];
      readonly eventHashes: Buffer;
      readonly bytes: number;
    })
  | Placeless<ExpiryBlock>;

const HEADS = {
  name: 'audit_blocks.heads',
  text: `select o.id as "organizationId", b.sequence::text, encode(b.hash, 'hex') as hash
   from unnest($1::uuid[]) as o (id)
   join lateral (select sequence, hash from audit_blocks where organization_id = o.id order by sequence desc limit 1) b on true`,
};

const INSERT = {
  name: 'audit_blocks.insert',
  text: `insert into audit_blocks (organization_id, sequence, kind, events, event_ids, event_hashes, content_hash,
     first_event_at, last_event_at, expiry, previous_hash, hash, signature, sealed_at, bytes)
   select organization_id, sequence, kind, events, event_ids, event_hashes, content_hash, first_event_at, last_event_at,
     expiry, previous_hash, hash, signature, sealed_at, bytes
   from json_populate_recordset(null::audit_blocks, $1::json)`,
};

const signAsync = promisify<null, Buffer, KeyObject, Buffer>(sign);
const bytea = (bytes: Buffer | string): string => `\\x${typeof bytes === 'string' ? bytes : bytes.toString('hex')}`;

/**
 * Appends blocks, at most one for each organization, and signs each: a signature takes about 50 µs off the event loop,
 * so every block is a checkpoint. The caller's transaction holds the chain lock.
 */
export async function appendBlocks(
  client: Connection,
  signingKey: KeyObject,
  blocks: readonly NewBlock[],
): Promise<void> {
  const organizations = blocks.map(({ organizationId }) => organizationId);
  const { rows } = await client.query<{ organizationId: string; sequence: string; hash: string }>({
    ...HEADS,
    values: [organizations],
  });
  const heads = new Map(rows.map((row) => [row.organizationId, row]));
  const sealed = blocks.map(async (draft) => {
    const head = heads.get(draft.organizationId);
    const block = {
      ...draft,
      version: AUDIT_FORMAT,
      sequence: Number(head?.sequence ?? 0) + 1,
      previousHash: head?.hash ?? GENESIS,
    };
    const hash = blockHash(block);
    const text = checkpointText(block.organizationId, block.sequence, hash);
    return { block, hash, signature: await signAsync(null, Buffer.from(text), signingKey) };
  });
  const values = (await Promise.all(sealed)).map(({ block, hash, signature }) => ({
    organization_id: block.organizationId,
    sequence: block.sequence,
    kind: block.kind,
    events: block.events,
    previous_hash: bytea(block.previousHash),
    hash: bytea(hash),
    signature: bytea(signature),
    sealed_at: block.sealedAt,
    ...(block.kind === 'events'
      ? {
          event_ids: block.eventIds,
          event_hashes: bytea(block.eventHashes),
          content_hash: bytea(block.contentHash),
          first_event_at: block.firstEventAt,
          last_event_at: block.lastEventAt,
          bytes: block.bytes,
        }
      : {
          expiry: {
            projectId: block.projectId,
            before: block.before,
            firstSequence: block.firstSequence,
            lastSequence: block.lastSequence,
          },
        }),
  }));
  await client.query({ ...INSERT, values: [JSON.stringify(values)] });
}
