import { authorizeById, organizationOf, readableAtAll, unlessHidden } from '../../access/index.ts';
import { isId, notFound, type Context } from '../../kernel/index.ts';
import { AppConnectionEntity, openCredentials, sealedAt, type Credentials } from '../connection/index.ts';
import { connectors } from '../registry.ts';
import {
  connectionPermission,
  shownFields,
  type AppConnection,
  type AppConnectionRef,
  type ConnectionAction,
} from './app-connection.ts';

const THING = 'app connection';

/** A connection that was made as such, not as an integration authentication. */
export type ConnectionRow = AppConnectionEntity & { name: string };
export const isNamed = { name: { $ne: null } } as const;

/**
 * The connection with that ID, if the caller may do this with it.
 *
 * @throws DomainError 404 if there is none, or none that the caller may see; 403.
 */
export async function requireConnection(
  ctx: Context,
  { app, connectionId: id }: AppConnectionRef,
  action: ConnectionAction,
): Promise<ConnectionRow> {
  const row = isId(id)
    ? await ctx.em.findOne(AppConnectionEntity, { id, organizationId: organizationOf(ctx), app, ...isNamed })
    : null;
  if (!row) throw notFound(THING);
  await requireMay(ctx, row, action);
  return row as ConnectionRow;
}

/** @throws DomainError 404 if the caller may not see its project; 403 */
export const requireMay = (
  ctx: Context,
  { id, projectId }: Pick<ConnectionRow, 'id' | 'projectId'>,
  action: ConnectionAction,
): Promise<void> =>
  unlessHidden(
    THING,
    authorizeById(ctx, connectionPermission(action, projectId), { connectionId: id, ...(projectId && { projectId }) }),
  );

/**
 * The connection with that name in a project, or in the organization, if the caller may read it.
 *
 * @throws DomainError 404 if there is none, or none that the caller may read; 403 if no rule allows to read any.
 */
export async function requireConnectionNamed(
  ctx: Context,
  { app, connectionName: name, projectId }: { app: string; connectionName: string; projectId?: string | undefined },
): Promise<ConnectionRow> {
  if (projectId !== undefined && !isId(projectId)) throw notFound(THING);
  const isReadable = await unlessHidden(
    THING,
    readableAtAll(ctx, connectionPermission('read', projectId), { projectId }),
  );
  const place = { organizationId: organizationOf(ctx), projectId: projectId ?? null };
  const row = await ctx.em.findOne(AppConnectionEntity, { ...place, app, name });
  if (!row || !isReadable({ connectionId: row.id })) throw notFound(THING);
  return row as ConnectionRow;
}

export const notFoundMeanwhile = () => notFound(THING);

export const credentialsOf = (ctx: Context, row: ConnectionRow): Promise<Credentials> =>
  openCredentials(ctx, sealedAt(row), row.credentials);

/** The published form of a connection, without what is secret. */
export function toConnection(row: ConnectionRow, credentials: Credentials): AppConnection {
  const method = connectors.require(row.app).methods[credentials.method]!;
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? null,
    version: row.credentialsVersion,
    orgId: row.organizationId,
    projectId: row.projectId ?? null,
    isPlatformManagedCredentials: row.isPlatformManaged,
    gatewayId: null,
    lastCheckedAt: row.checkedAt ?? null,
    lastCheckMessage: row.checkError ?? null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    app: row.app,
    method: credentials.method,
    credentials: Object.fromEntries(shownFields(method).map((name) => [name, credentials[name]])),
  };
}
