import { actingAs } from '../../access/approval-policy/index.ts';
import { dryRun, type Actor, type Context } from '../../kernel/index.ts';
import { captureInto, type Capture, type CapturedChange } from '../coverage/index.ts';
import type { ProposableChange } from './proposable.ts';

/**
 * What an operation would change, found out by doing it and taking it back; nothing comes of it.
 *
 * @throws whatever the operation throws.
 */
export async function dryRunChange<Input>(
  ctx: Context,
  { run }: Pick<ProposableChange<Input, unknown>, 'run'>,
  input: Input,
  actor: Actor = ctx.actor,
): Promise<Capture> {
  let capture: Capture | undefined;
  await dryRun(
    ctx,
    (tx) => {
      capture = captureInto(tx.outbox);
      return run(actor === ctx.actor ? tx : actingAs(tx, actor), input);
    },
    () => Promise.resolve(),
  );
  return capture!;
}

/**
 * What was captured, in one order. The steps of one thing are one change, from what it was to what it is in the end: a
 * folder steps aside under another name while names are exchanged, and what refers to it follows each step.
 */
export function settled({ changes }: Pick<Capture, 'changes'>): CapturedChange[] {
  const updates = new Map<string, CapturedChange>();
  const others: CapturedChange[] = [];
  for (const change of changes) {
    if (change.op !== 'update') {
      others.push(change);
      continue;
    }
    const key = `${change.kind} ${change.thingId}`;
    const first = updates.get(key);
    updates.set(key, first ? joined(first, change) : change);
  }
  return [...updates.values(), ...others].toSorted((a, b) => order(a, b));
}

/** Two steps of one thing as one. */
const joined = (first: CapturedChange, last: CapturedChange): CapturedChange => ({
  ...last,
  baseVersion: first.baseVersion,
  isFollowing: first.isFollowing && last.isFollowing,
  content: { ...last.content, before: first.content.before } as CapturedChange['content'],
});

const ORDER = { folder: 0, import: 1, secret: 2 } as const;

/** Folders and imports first, then secrets; what only follows comes last. */
function order(a: CapturedChange, b: CapturedChange): number {
  const rank = (change: CapturedChange) => (change.isFollowing ? 10 : ORDER[change.kind]);
  const place = ({ spot, name, op, thingId }: CapturedChange) =>
    [spot.environment, spot.path, name ?? '', op, thingId ?? ''].join('\n');
  const [left, right] = [place(a), place(b)];
  return rank(a) - rank(b) || (left < right ? -1 : left > right ? 1 : 0);
}

/** Whether two changes are the same, as far as somebody decided on them. */
export const fingerprint = (change: CapturedChange): string => canonical(change);

/** JSON with the fields of every object in one order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
