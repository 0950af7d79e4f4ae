import { organizationOf } from '../../access/index.ts';
import { badRequest, DomainError, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { requireMayPublishBeside, requireMayReplaceSource } from '../../secrets/publication/index.ts';
import {
  actingFor,
  othersAt,
  requireReadable,
  syncsInSystem,
  type CheckAgain,
  type OtherSync,
  type Source,
  type SyncOptions,
  type TargetUse,
} from '../sync/index.ts';
import type { AuthRow } from './find.ts';
import { connectorOf } from './offered.ts';

/**
 * Whoever makes, changes or removes an integration, or copies its credentials, asks here for the rights that its next run
 * needs at a target of others; see `sync/target-rights.ts`.
 */

/** Whether the first sync reads the target. */
const isImporting = ({ initialSyncBehavior }: SyncOptions): boolean => initialSyncBehavior !== 'overwrite-destination';

/** The integrations of which the caller may read everything, so that a target can be read by their connection. */
type Readable = ReadonlySet<string>;

/** Comes before the transaction, because it reads values. @throws DomainError 403 */
export async function requireReadableTarget(ctx: Context, use: TargetUse): Promise<Readable> {
  if (!isImporting(use.configured.options)) return new Set();
  const others = await othersAt(ctx, use);
  for (const other of others) await requireReadable(ctx, other);
  return new Set(others.map(({ id }) => id));
}

/** Serializes what makes integrations write somewhere, so that no two miss each other. */
const LOCK = statement('integration.lock_targets', 'select pg_advisory_xact_lock(hashtextextended($1, 51))');

/** Comes before the locks of rows. */
export const lockTargets = (tx: Transaction): Promise<unknown> => tx.sql(LOCK, [organizationOf(tx)]);

/**
 * Rejects a caller who may not write what other integrations write to a target that an integration begins to use, or
 * uses from now on for another source; and one who would so stop one of these, which runs as an actor who may not write
 * the source.
 *
 * @throws DomainError 403; 400 if another one would stop; ApprovalNeeded.
 */
export async function requireMayUseTarget(
  tx: Transaction,
  use: TargetUse,
  source: Source,
  readable?: Readable,
): Promise<void> {
  await lockTargets(tx);
  for (const other of await othersAt(tx, use)) {
    await requireMayReplaceSource(tx, other);
    await requireGoesOn(tx, other, source);
    if (isImporting(use.configured.options) && readable?.has(other.id) === false)
      throw badRequest('integration.changed', 'Another integration has just begun to write there: ask again');
  }
}

/** The same for an integration that uses its target already, and runs as the caller from now on. */
export async function requireMayRunAs(tx: Transaction, use: TargetUse, source: Source): Promise<void> {
  for (const other of await othersAt(tx, use)) await requireMayPublishBeside(tx, source, other);
}

/** Rejects a source beside which another integration could no longer run. */
async function requireGoesOn(tx: Transaction, other: OtherSync, source: Source): Promise<void> {
  const acting = other.isActive && (await actingFor(tx, other));
  if (!acting) return;
  try {
    await requireMayPublishBeside(acting, other, source);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw badRequest(
      'integration.would_stop',
      `The integration ${other.id} uses this target as an actor who may not write ${source.secretPath} in ${source.environment}, so it would stop: switch it off or delete it first, or have it saved by an actor who may`,
    );
  }
}

/**
 * Rejects a caller who takes credentials elsewhere, and may not read and write all that integrations write to the system
 * that these reach: by these credentials, or by others of the projects that they come from.
 *
 * @throws DomainError 403; ApprovalNeeded.
 */
export async function requireMayCopy(ctx: Context, auth: AuthRow): Promise<CheckAgain> {
  const connector = connectorOf(auth.integration);
  if (!connector) return async () => undefined;
  const others = await syncsInSystem(ctx, auth, connector);
  for (const other of others) await requireReadable(ctx, other);
  const readable = new Set(others.map(({ id }) => id));
  return async (tx) => {
    await lockTargets(tx);
    for (const other of await syncsInSystem(tx, auth, connector)) {
      await requireMayReplaceSource(tx, other);
      if (!readable.has(other.id))
        throw badRequest('integration.changed', 'An integration has just begun to write there: ask again');
    }
  };
}
