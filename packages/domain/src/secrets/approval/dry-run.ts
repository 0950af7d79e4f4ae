import type { z } from 'zod';
import { actingAs } from '../../access/index.ts';
import { dryRun, type Actor, type Context, type Outbox } from '../../kernel/index.ts';
import { captureInto, type Capture, type CapturedChange, type SourceRead } from '../coverage/index.ts';
import { secretsMoved, secretsRead } from '../secret/index.ts';
import type { ProposableChange } from './proposable.ts';

/**
 * The changes that an operation would make, computed by running it and rolling it back.
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
  let events: Outbox['events'] = [];
  await dryRun(
    ctx,
    (tx) => {
      capture = captureInto(tx.outbox);
      ({ events } = tx.outbox);
      return run(actor === ctx.actor ? tx : actingAs(tx, actor), input);
    },
    () => Promise.resolve(),
  );
  capture!.reads = events.flatMap(sourceIn);
  return capture!;
}

/** What an event of a copy or move says that was read. It is rolled back with the operation; the values remain in the request. */
function sourceIn({ type, data }: Outbox['events'][number]): SourceRead[] {
  if (type === secretsRead.name) {
    const { environment, secretPath, numberOfSecrets } = data as z.output<typeof secretsRead.data>;
    return [{ environment, secretPath, numberOfSecrets }];
  }
  if (type !== secretsMoved.name) return [];
  const {
    sourceEnvironment: environment,
    sourceSecretPath: secretPath,
    secretIds,
  } = data as z.output<typeof secretsMoved.data>;
  return [{ environment, secretPath, numberOfSecrets: secretIds.length }];
}

/**
 * The captured writes, in one order. The steps of one resource are merged, from the first state to the last: a folder
 * gets a temporary name while names are swapped, and references to it follow each step.
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
  return [...updates.values(), ...others]
    .map((change) => ({ change, rank: rankOf(change), place: placeOf(change) }))
    .toSorted((a, b) => a.rank - b.rank || (a.place < b.place ? -1 : a.place > b.place ? 1 : 0))
    .map(({ change }) => change);
}

/** Merges two steps of one resource. */
const joined = (first: CapturedChange, last: CapturedChange): CapturedChange => ({
  ...last,
  baseVersion: first.baseVersion,
  isFollowing: first.isFollowing && last.isFollowing,
  content: { ...last.content, before: first.content.before } as CapturedChange['content'],
});

const ORDER = { folder: 0, import: 1, secret: 2 } as const;

/** Folders and imports first, then secrets; what only follows comes last. */
const rankOf = (change: CapturedChange): number => (change.isFollowing ? 10 : ORDER[change.kind]);

const placeOf = ({ spot, name, op, thingId }: CapturedChange): string =>
  [spot.environment, spot.path, name ?? '', op, thingId ?? ''].join('\n');

/** Whether two changes are equal in everything that was approved. */
export const fingerprint = ({ createdId: _, ...change }: CapturedChange): string => canonical(change);

/** JSON with sorted fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
