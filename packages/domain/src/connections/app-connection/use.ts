import { authorizeById, organizationOf, unlessHidden } from '../../access/index.ts';
import type { RemoteSession } from '../../family/index.ts';
import { badRequest, isId, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { AppConnectionEntity, connect, sealedAt } from '../connection/index.ts';
import { connectors } from '../registry.ts';
import { connectionPermission } from './app-connection.ts';
import { isNamed, notFoundMeanwhile, type ConnectionRow } from './find.ts';

/** A connection that something in a project uses: of that project, or of the organization. */
export interface UsedByProject {
  readonly app: string;
  readonly connectionId: string;
  readonly projectId: string;
}

/** The connection with this ID, of whatever app. The rights of the caller are not checked. */
export async function connectionById(ctx: Context, id: string): Promise<ConnectionRow | undefined> {
  if (!isId(id)) return undefined;
  const row = await ctx.em.findOne(AppConnectionEntity, { id, organizationId: organizationOf(ctx), ...isNamed });
  return (row as ConnectionRow | null) ?? undefined;
}

/**
 * Checks that the caller may have something in a project use a connection: the right to `connect`.
 *
 * @returns The connection as it is now, for `holdConnection`.
 * @throws DomainError 404 also for connections of other apps and projects; 403
 */
export async function requireUsable(
  ctx: Context,
  { app, connectionId, projectId }: UsedByProject,
): Promise<UsableConnection> {
  const row = await connectionById(ctx, connectionId);
  if (row?.app !== app || (row.projectId && row.projectId !== projectId)) throw notFoundMeanwhile();
  const place = { connectionId, ...(row.projectId && { projectId: row.projectId }) };
  await unlessHidden('app connection', authorizeById(ctx, connectionPermission('connect', row.projectId), place));
  return { updatedAt: row.updatedAt };
}

/** A connection that was found usable. */
type UsableConnection = Pick<ConnectionRow, 'updatedAt'>;

const HOLD = statement(
  'app_connection.hold',
  'select 1 from app_connections where organization_id = $1 and id = $2 for share',
);

/**
 * The same in the transaction that begins to use it: it is as it was found, if it was asked before, and neither deleted nor led to another system before
 * that transaction ends.
 *
 * @throws as `requireUsable`; DomainError 400 `app_connection.changed`
 */
export async function holdConnection(tx: Transaction, used: UsedByProject, found?: UsableConnection): Promise<void> {
  if (isId(used.connectionId)) await tx.sql(HOLD, [organizationOf(tx), used.connectionId]);
  const { updatedAt } = await requireUsable(tx, used);
  if (found && updatedAt.getTime() !== found.updatedAt.getTime())
    throw badRequest('app_connection.changed', 'The connection was changed meanwhile: ask again');
}

/** The client of a connection's app. The session redacts the credentials. */
export const connectTo = (ctx: Context, row: ConnectionRow, session: RemoteSession): Promise<unknown> =>
  connect(ctx, { ...sealedAt(row), credentials: row.credentials }, connectors.require(row.app), session);
