import { authorize, organizationOf } from '../../access/index.ts';
import { badRequest, DomainError, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { requireMayPublishBeside, requireMayReplaceSource } from '../../secrets/publication/index.ts';
import { secretPermissions } from '../../secrets/secret/index.ts';
import { firstImport } from './initial.ts';
import { configuredAs, othersAt, syncsIn, type Connection, type OtherSync, type TargetUse } from './others.ts';
import { requireVisible, type Source } from './source.ts';
import type { SecretSyncEntity } from './sync.entity.ts';
import type { ImportBehavior, SyncOptions } from './sync.ts';
import { actingFor, requireReadable } from './target-rights.ts';

/**
 * Whoever makes, changes or removes a sync, or copies its credentials, asks here for the rights that its next run needs
 * at its source, and at a target of others; see `target-rights.ts`.
 */

/** Checks the caller's rights to everything that a sync with these options will do as the caller. */
export async function requireSource(ctx: Context, source: Source, options: SyncOptions): Promise<void> {
  await requireVisible(ctx, source);
  const behavior = firstImport(options);
  if (behavior) await requireMayImport(ctx, source, behavior);
}

/** @throws DomainError 403 */
export async function requireMayImport(ctx: Context, source: Source, behavior: ImportBehavior): Promise<void> {
  const every = { ...placeOf(source), secretName: '*', secretTags: [] };
  await authorize(ctx, secretPermissions.create, every);
  if (behavior === 'prioritize-destination') await authorize(ctx, secretPermissions.edit, every);
}

const placeOf = ({ projectId, environment, secretPath }: Source) => ({ projectId, environment, secretPath });

/** The syncs of which the caller may read everything, so that a target can be read by their connection. */
export type Readable = ReadonlySet<string>;

/** Comes before the transaction, because it reads values. @throws DomainError 403 */
export async function requireReadableTarget(ctx: Context, use: TargetUse): Promise<Readable> {
  if (!firstImport(use.configured.options)) return new Set();
  const others = await othersAt(ctx, use);
  for (const other of others) await requireReadable(ctx, other);
  return new Set(others.map(({ id }) => id));
}

/** Serializes what makes syncs write somewhere, so that no two miss each other. */
const LOCK = statement('integration.lock_targets', 'select pg_advisory_xact_lock(hashtextextended($1, 51))');

/** Comes before the locks of rows. */
export const lockTargets = (tx: Transaction): Promise<unknown> => tx.sql(LOCK, [organizationOf(tx)]);

/**
 * Rejects a caller who may not write what other syncs write to a target that a sync begins to use, or uses from now on for
 * another source; and one who would so stop one of these, which runs as an actor who may not write
 * the source.
 *
 * @throws DomainError 403; 400 if another one would stop; ApprovalNeeded.
 */
export async function requireMayUseTarget(tx: Transaction, use: TargetUse, readable?: Readable): Promise<void> {
  await lockTargets(tx);
  for (const other of await othersAt(tx, use)) {
    await requireMayReplaceSource(tx, other);
    await requireGoesOn(tx, other, use.source);
    if (firstImport(use.configured.options) && readable?.has(other.id) === false)
      throw badRequest('integration.changed', 'Another integration has just begun to write there: ask again');
  }
}

/** The same for a sync that uses its target already, and runs as the caller from now on. */
export async function requireMayRunAs(tx: Transaction, use: TargetUse): Promise<void> {
  for (const other of await othersAt(tx, use)) await requireMayPublishBeside(tx, use.source, other);
}

/** A sync whose items are removed. */
interface Removed {
  readonly row: Pick<SecretSyncEntity, 'id' | 'projectId'>;
  readonly connection: Connection;
}

/** The same for a removal of its items: others may have written under the same names. */
export async function requireMayRemove(tx: Transaction, { row, connection }: Removed, source: Source): Promise<void> {
  for (const sync of await syncsIn(tx, { projectId: row.projectId, syncId: row.id })) {
    const configured = configuredAs(sync);
    if (configured)
      await requireMayRunAs(tx, {
        connection,
        configured,
        source,
        keyEnvironment: sync.keyEnvironment,
        syncId: sync.id,
      });
  }
}

/** Rejects a source beside which another sync could no longer run. */
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
