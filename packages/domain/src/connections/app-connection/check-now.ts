import { tryCredentials } from '../../access/index.ts';
import {
  badRequest,
  inTransaction,
  notFound,
  record,
  statement,
  type Context,
  type DomainError,
} from '../../kernel/index.ts';
import { connectors } from '../registry.ts';
import { appConnectionChecked, type AppConnectionCheck, type AppConnectionRef } from './app-connection.ts';
import { credentialsOf, requireConnection } from './find.ts';
import { isPending } from './managed-password.ts';
import { checkClaimed, claimCheck } from './scheduled-check.ts';

const LOCK = statement(
  'app_connection.lock_check',
  'select id from app_connections where organization_id = $1 and id = $2 for no key update',
);

/**
 * Asks the app whether it still accepts the credentials of a connection, and stores the answer as the daily check does,
 * whose place it takes.
 *
 * @throws DomainError 404; 403; 400 `app_connection.password_pending`; 409 `app_connection.being_checked`; 429 after many refusals.
 */
export async function checkAppConnection(ctx: Context, ref: AppConnectionRef): Promise<AppConnectionCheck> {
  const found = await requireConnection(ctx, ref, 'connect');
  if (isPending(found))
    throw badRequest(
      'app_connection.password_pending',
      'Coffer is changing the password of this connection: ask again later',
    );
  const { organizationId, projectId, id, name, app } = found;
  const { name: target } = connectors.require(app).systemOf(await credentialsOf(ctx, found));
  let refusal: DomainError | undefined;
  try {
    await tryCredentials(ctx, { organizationId, projectId, what: app, target }, async () => {
      const claim = await inTransaction(ctx, async (tx) => {
        if ((await tx.sql(LOCK, [organizationId, id])).length === 0) throw notFound('app connection');
        record(tx, appConnectionChecked, { connectionId: id, name, app }, { projectId: projectId ?? undefined });
        return claimCheck(tx, found);
      });
      refusal = await checkClaimed(ctx, claim);
      if (refusal) throw refusal;
    });
  } catch (error) {
    if (refusal === undefined || error !== refusal) throw error;
  }
  return { isAccepted: refusal === undefined, message: refusal?.message ?? null };
}
