import { abilityIn, authorize, projectPermissions } from '../../access/index.ts';
import { inTransaction, type Ability, type Context, type Transaction } from '../../kernel/index.ts';
import type { RunAs } from '../../secrets/import/replication/index.ts';
import { requireMayEndSource } from '../../secrets/publication/index.ts';
import { connectionOf } from './others.ts';
import { locationOf } from './reading.ts';
import type { Run } from './run.ts';
import { requireMayRemove } from './shared-target.ts';
import { noLongerTheirs, unlessRefused } from './source.ts';
import { actingFor } from './target-rights.ts';

const { 'import-secrets': importing, 'remove-secrets': removing } = projectPermissions('secret-syncs');

/**
 * The present rights of the actor who has requested an import. What it writes takes these and those of the actor that the
 * sync runs as.
 *
 * @throws DomainError 400 `secret_sync.requester`
 */
export const rightsToImport = (ctx: Context, run: Run): Promise<Ability> =>
  asRequester(ctx, run, run.importRequester, async (tx) => {
    await authorize(tx, importing, { ...locationOf(run) });
    return abilityIn(tx, run.projectId);
  });

/** The same checks as when a removal was requested, with the present rights of who has. @throws DomainError 400 `secret_sync.requester` */
export const requireMayRemoveAsRequester = (ctx: Context, run: Run): Promise<void> =>
  asRequester(ctx, run, run.removeRequester, async (tx) => {
    const source = locationOf(run);
    await authorize(tx, removing, { ...source });
    await requireMayEndSource(tx, source);
    await requireMayRemove(tx, { row: run, connection: connectionOf(run) }, source);
  });

const asRequester = <T>(
  ctx: Context,
  { organizationId, projectId }: Run,
  requester: RunAs | null,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  inTransaction(ctx, async (tx) => {
    const acting = await actingFor(tx, { organizationId, projectId, runAs: requester });
    if (!acting) throw noLongerTheirs();
    // To those who are no longer members, the project is unknown.
    return unlessRefused(work(acting), ['forbidden', 'not_found']);
  });
