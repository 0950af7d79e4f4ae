import { badRequest, type Context } from '../../kernel/index.ts';
import type { Difference, Entry, Named } from './difference.ts';
import { confirm, intend } from './entries.ts';
import type { Hashes } from './hash.ts';
import type { Run } from './run.ts';
import type { Outcome, Session } from './session.ts';
import type { Metadata } from './sync.ts';

interface Known {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly hashes: Hashes;
  readonly writeOnly: boolean;
  /** By the names at the target; absent if no metadata are written. */
  readonly tags?: ReadonlyMap<string, Metadata> | undefined;
}

/** Carries out a difference and keeps the entries: before a call, what may be ours; after it, what is. */
export async function carryOut(
  ctx: Context,
  run: Run,
  session: Session,
  difference: Difference,
  { entries, hashes, writeOnly, tags }: Known,
): Promise<Outcome> {
  const hash = await hashes.ofItems(difference.puts.map(({ name, value }) => [name, value] as const));
  const hashed = ({ name, value }: { name: string; value: string }) => ({ name, hash: hash(name, value) });
  // An item of others that cannot be distinguished afterwards becomes ours only by overwriting it.
  const mayBeOurs = difference.puts.filter(({ name, exists }) => !writeOnly || !exists || entries.has(name));
  await confirm(ctx, run, difference.found, []);
  const isHeld = await intend(ctx, run, mayBeOurs.map(hashed));
  if (!isHeld) throw badRequest('secret_sync.changed', 'The sync was changed meanwhile');
  const outcome = await session.carryOut(difference, tags);
  await confirm(ctx, run, outcome.put.map(hashed), [...outcome.removed, ...difference.dropped]);
  return outcome;
}

/** A summary of the failures for users; absent if there were none. */
export function faultsOf(rejected: Named['rejected'], outcome: Outcome, of: number): string | undefined {
  const faults = [...rejected, ...outcome.rejected];
  const why = outcome.stopped?.message;
  if (faults.length === 0) return why;
  const each = faults.map(([name, reason]) => `${name}: ${reason}`).join('; ');
  const some = `${faults.length} of ${of} secrets: ${each}`;
  return why === undefined ? some : `${why} (${some})`;
}
