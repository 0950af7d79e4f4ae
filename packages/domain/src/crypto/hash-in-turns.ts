import { createHash } from 'node:crypto';
import { WorkBudget } from '../kernel/index.ts';

/** Bytes that are hashed in a few milliseconds. */
const PIECE = 1024 * 1024;
/** Enough for `WorkBudget` to read the clock after each piece. */
const COST = 1_000;

/** The SHA-256 hash of content of any length: other requests are served between its pieces. */
export async function hashInTurns(content: Uint8Array): Promise<Buffer> {
  const hash = createHash('sha256');
  const pace = new WorkBudget();
  for (let from = 0; from < content.length; from += PIECE) {
    hash.update(content.subarray(from, from + PIECE));
    await pace.spendAndRest(COST);
  }
  return hash.digest();
}
