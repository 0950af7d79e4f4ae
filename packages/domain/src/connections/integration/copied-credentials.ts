import { badRequest, type Context } from '../../kernel/index.ts';
import { requireMayReplaceSource } from '../../secrets/publication/index.ts';
import { lockTargets, requireReadable, syncsInSystem, type CheckAgain } from '../sync/index.ts';
import type { AuthRow } from './find.ts';
import { connectorOf } from './offered.ts';

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
