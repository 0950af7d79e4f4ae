import { hash } from 'node:crypto';
import type { Connection } from '../transaction.ts';
import type { ArchiveProofs } from './proof.ts';
import type { Segment } from './segment.ts';

/** An advisory lock for changes of segments: by the archive, by retention, and by what removes exported segments. */
export const ARCHIVE_LOCK = 0x0c0f_fe23;

/** What retention removed from a segment. */
export interface Expired {
  /** Of which project, or of those whose projects have no retention of their own. */
  readonly expiredOf: string | null;
  readonly expiredBefore: string;
}

/**
 * Stores a segment in place of what its range had: rows, or smaller segments. The owner's function counts the events and
 * refuses to lose one. Returns the number of rows of events that it replaced.
 */
export async function storeSegment(
  client: Connection,
  proofs: ArchiveProofs,
  organizationId: string,
  { firstSequence, lastSequence, summary, terms, content }: Segment,
  expired?: Expired,
): Promise<number> {
  const text = JSON.stringify({ ...summary, ...expired });
  const words = ['coffer.audit.segment.v1', organizationId, firstSequence, lastSequence, text, ''].join('\n');
  const message = Buffer.concat([Buffer.from(words), sha256(terms), sha256(content)]);
  const { rows } = await client.query<{ removed: number }>({
    name: 'audit_segments.store',
    text: 'select audit_store_segment($1, $2, $3, $4, $5, $6, $7) as removed',
    values: [organizationId, firstSequence, lastSequence, text, terms, content, proofs.prove(message)],
  });
  return rows[0]!.removed;
}

const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');
