import { authorizeById, organizationOf, readableAtAll, unlessHidden } from '../../access/index.ts';
import { isId, notFound, type Context } from '../../kernel/index.ts';
import { AppConnectionEntity } from '../connection/index.ts';
import { placesOf, SecretSyncEntity, type Connection, type Placed, type Source } from '../sync/index.ts';
import {
  secretSyncPermissions,
  type SecretSyncAction,
  type SecretSyncName,
  type SecretSyncRef,
} from './secret-sync.ts';

const THING = 'secret sync';

/** A sync that was made as such, not as an integration. */
export type SyncRow = SecretSyncEntity & { name: string };
export type PlacedSync = Placed<SyncRow>;
export const isNamed = { name: { $ne: null } } as const;

/**
 * The sync with that ID, if the caller may do this with it.
 *
 * @throws DomainError 404 if there is none, or none that the caller may see; 403.
 */
export async function requireSecretSync(
  ctx: Context,
  { destination, syncId: id }: SecretSyncRef,
  action: SecretSyncAction,
): Promise<PlacedSync> {
  const row = isId(id)
    ? await ctx.em.findOne(SecretSyncEntity, { id, organizationId: organizationOf(ctx), destination, ...isNamed })
    : null;
  const [placed] = row ? await placesOf(ctx, [row as SyncRow]) : [];
  if (!placed) throw notFound(THING);
  await requireMay(ctx, placed.source, action);
  return placed;
}

/** @throws DomainError 404 if the caller may not see the project; 403 */
export const requireMay = (ctx: Context, source: Source, action: SecretSyncAction): Promise<void> =>
  unlessHidden(THING, authorizeById(ctx, secretSyncPermissions[action], placeOf(source)));

export const placeOf = ({ projectId, environment, secretPath }: Source) => ({ projectId, environment, secretPath });

/** The current source of a sync. @throws DomainError 404 if its environment was deleted. */
export async function sourceOf(ctx: Context, row: SyncRow): Promise<Source> {
  const [placed] = await placesOf(ctx, [row]);
  if (!placed) throw notFound(THING);
  return placed.source;
}

/**
 * The sync with that name in a project, if the caller may read it.
 *
 * @throws DomainError 404 if there is none, or none that the caller may read; 403 if no rule allows to read any.
 */
export async function requireSecretSyncNamed(
  ctx: Context,
  { destination, syncName: name, projectId }: SecretSyncName,
): Promise<PlacedSync> {
  if (!isId(projectId)) throw notFound(THING);
  const isReadable = await unlessHidden(THING, readableAtAll(ctx, secretSyncPermissions.read, { projectId }));
  const where = { organizationId: organizationOf(ctx), projectId, destination, name };
  const row = await ctx.em.findOne(SecretSyncEntity, where);
  const [placed] = row ? await placesOf(ctx, [row as SyncRow]) : [];
  if (!placed || !isReadable(placeOf(placed.source))) throw notFound(THING);
  return placed;
}

/** The connection of a sync. */
export async function connectionRowOf(ctx: Context, { connectionId }: SyncRow): Promise<AppConnectionEntity> {
  const row = await ctx.em.findOne(AppConnectionEntity, { id: connectionId });
  if (!row) throw notFound(THING);
  return row;
}

export const asConnection = (row: AppConnectionEntity): Connection => ({ ...row, projectId: row.projectId ?? null });
