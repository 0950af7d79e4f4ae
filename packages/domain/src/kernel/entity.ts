import { randomFillSync } from 'node:crypto';
import { p } from '@mikro-orm/core';
import { v7 } from 'uuid';
import type { Actor } from './actor.ts';

const POOL = 512;
const random = Buffer.allocUnsafe(16 * POOL);
let used = POOL;
let msecs = 0;
let seq = 0;

/**
 * A new ID: a UUID of version 7 (RFC 9562), so that rows of one time are adjacent in indexes. IDs of one process
 * increase. Random bytes are drawn in blocks, which makes an ID six times cheaper.
 */
export function newId(): string {
  if (used === POOL) {
    randomFillSync(random);
    used = 0;
  }
  const bytes = random.subarray(16 * used++, 16 * used);
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    seq = bytes.readUInt32BE(6) >>> 1;
  } else if (++seq > 0x7fff_ffff) {
    msecs++;
    seq = 0;
  }
  return v7({ random: bytes, msecs, seq });
}

/** The columns that every entity has. */
export const base = {
  id: p.uuid().primary().onCreate(newId),
  createdAt: p.datetime().onCreate(() => new Date()),
  updatedAt: p
    .datetime()
    .onCreate(() => new Date())
    .onUpdate(() => new Date()),
};

/** The creator. The ID is not a foreign key: an actor may be deleted while its work stays. */
export const authorship = {
  createdBy: p.uuid().nullable(),
  createdByActorType: p.text().nullable(),
};

export const authoredBy = (actor: Actor) => ({
  createdBy: 'id' in actor ? actor.id : null,
  createdByActorType: actor.type,
});
