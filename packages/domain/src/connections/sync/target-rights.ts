import { abilityWithinReach, absentActor, actingAs, allowsAll } from '../../access/index.ts';
import {
  badRequest,
  DomainError,
  forbidden,
  inTransaction,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import type { RunAs } from '../../secrets/import/replication/index.ts';
import { ofOthers, requireMayPublishBeside } from '../../secrets/publication/index.ts';
import { readingPermissions } from '../../secrets/secret/index.ts';
import { syncs } from '../registry.ts';
import { nameAll } from './difference.ts';
import { entriesOf } from './entries.ts';
import { openHashes } from './hash.ts';
import { configuredAs, connectionOf, othersAt, statesIn, syncsIn, type OtherSync, type SyncsIn } from './others.ts';
import { namingOf } from './naming.ts';
import type { Run } from './run.ts';
import { noLongerAllowed, requireVisible } from './source.ts';
import type { ConfiguredSync } from './sync.ts';

/**
 * A target is a place of secrets too: its readers trust what a folder of Coffer publishes there. So a sync writes to a
 * target of others only as an actor who may write their sources, and imports from there only as one who may read all that
 * they have written. Who came first does not matter. Each run checks this with the current rights of its actor;
 * operations check it earlier, with those of the caller, for a better error.
 */

/**
 * Rejects a run that writes, or also imports from, the target of others as an actor without the rights to do so. Call it
 * after the target was listed, so that what was listed is known to be theirs.
 *
 * @returns These others.
 * @throws DomainError 400 `secret_sync.shared_target`.
 */
export async function requireMayRun(
  ctx: Context,
  run: Run,
  configured: ConfiguredSync,
  { isImporting }: { readonly isImporting: boolean },
): Promise<readonly OtherSync[]> {
  const use = { connection: connectionOf(run), configured, source: run, keyEnvironment: run.keyEnvironment };
  const others = await othersAt(ctx, { ...use, syncId: run.id });
  if (others.length === 0) return others;
  await inTransaction(ctx, async (tx) => {
    const acting = await actingFor(tx, run);
    if (!acting) throw noLongerAllowed();
    for (const other of others) {
      await requireMayPublishBeside(acting, run, other).catch(heldBack(run, other, 'write its source'));
      if (isImporting) await requireReadable(acting, other).catch(heldBack(run, other, 'read all that it has written'));
    }
  });
  return others;
}

/** The same transaction as the actor that a sync runs as; `undefined` if that was deleted. */
export async function actingFor(
  tx: Transaction,
  { organizationId, projectId, runAs }: { organizationId: string; projectId: string; runAs: RunAs | null },
): Promise<Transaction | undefined> {
  const actor = runAs && (await absentActor(tx, { organizationId, projectId }, runAs));
  if (!actor) return undefined;
  // What is read for a comparison does not leave.
  return Object.create(actingAs(tx, actor), { commitRead: { value: async () => undefined } }) as Transaction;
}

const heldBack =
  (run: Run, { id, projectId }: OtherSync, lacking: string) =>
  (error: unknown): never => {
    if (!(error instanceof DomainError)) throw error;
    const other = projectId === run.projectId ? `The integration ${id}` : 'An integration of another project';
    throw badRequest(
      'secret_sync.shared_target',
      `${other} uses the same target, and the actor that this one runs as may not ${lacking}: delete one of them, or have this one saved by an actor who may`,
    );
  };

/**
 * Rejects an actor who may not read all that a sync has written at its target: what its source holds, also later, and
 * what is still there of what it held before.
 *
 * @throws DomainError 403.
 */
export async function requireReadable(ctx: Context, sync: OtherSync): Promise<void> {
  const ability = await abilityWithinReach(ctx, sync.projectId);
  if (!ability) throw ofOthers();
  if (readingPermissions.every((permission) => allowsAll(ability, permission))) return;
  const values = await requireVisible(ctx, sync).catch(unlessNotFound);
  if (!values || !(await isWhatItWrote(ctx, sync, values)))
    throw forbidden(
      'integration.former_contents',
      'At the target is more than the source of its integration holds now: sync that one first, or ask somebody who may read all secrets of its project',
      { name: 'PermissionDenied' },
    );
}

/** A check that belongs into the transaction of the change: whether what was checked before it is still so. */
export type CheckAgain = (tx: Transaction) => Promise<void>;

/**
 * Rejects an actor who may not read what some syncs have written, before they leave their targets: then others may read
 * it. It reads values: call it before the transaction, and the returned check in it, before the syncs are changed or
 * deleted. That locks them, and rejects what was added or written meanwhile.
 *
 * @throws DomainError 403; 400 `integration.changed` in the transaction.
 */
export async function requireMayFreeTargets(ctx: Context, which: SyncsIn): Promise<CheckAgain> {
  const checked = await readableStates(ctx, which);
  for (const sync of await syncsIn(ctx, which)) await requireMayFree(ctx, sync);
  return async (tx) => {
    for (const [id, state] of await readableStates(tx, which))
      if (checked.get(id) !== state)
        throw badRequest('integration.changed', 'An integration was changed, or has written, meanwhile: ask again');
  };
}

async function requireMayFree(ctx: Context, sync: OtherSync): Promise<void> {
  const isReadable = configuredAs(sync)?.sync.writeOnly !== true;
  if (isReadable && (await entriesOf(ctx, sync)).size > 0) await requireReadable(ctx, sync);
}

/** The states of those whose items can be read, by ID. */
const readableStates = async (ctx: Context, which: SyncsIn): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await statesIn(ctx, which)).flatMap(({ id, destination, state }) =>
      syncs.find(destination)?.writeOnly === true ? [] : [[id, state] as const],
    ),
  );

/** Whether the values of its source are all that a sync has written, and may have written, at its target. */
async function isWhatItWrote(ctx: Context, sync: OtherSync, values: ReadonlyMap<string, string>): Promise<boolean> {
  const entries = await entriesOf(ctx, sync);
  if (entries.size === 0) return true;
  const configured = configuredAs(sync);
  if (!configured) return false;
  const { layout, fingerprint } = configured;
  const { wanted } = nameAll(values, namingOf({ ...configured, environment: sync.keyEnvironment }), layout.limits);
  const hashes = await openHashes(ctx, sync, fingerprint === undefined ? [] : [fingerprint]);
  const hash = await hashes.ofItems(wanted);
  return [...entries].every(([name, { hash: written, nextHash }]) => {
    const value = wanted.get(name);
    if (value === undefined) return false;
    const present = hash(name, value);
    return [written, nextHash].every((one) => one === null || one.equals(present));
  });
}

/** For resources that may be deleted meanwhile: pass it to `catch`. */
function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
}
