import { organizationOf, readableAtAll } from '../../access/index.ts';
import { isId, notFound, statement, type Context } from '../../kernel/index.ts';
import { AppConnectionEntity, missingSettingOfApp } from '../connection/index.ts';
import { syncs } from '../registry.ts';
import { messageFor, placesOf, SecretSyncEntity, statusOf, waitingMessage } from '../sync/index.ts';
import { isNamed, placeOf, requireSecretSync, requireSecretSyncNamed, type PlacedSync, type SyncRow } from './find.ts';
import {
  secretSyncPermissions,
  type ListSecretSyncs,
  type SecretSync,
  type SecretSyncName,
  type SecretSyncOption,
  type SecretSyncRef,
} from './secret-sync.ts';

/** The destinations that are offered. */
export const secretSyncOptions = ({ settings: { apps } }: Pick<Context, 'settings'>): SecretSyncOption[] =>
  syncs.members.map(({ destination, title, connector, writeOnly }) => ({
    name: title,
    connection: connector.app,
    destination,
    canImportSecrets: !writeOnly,
    missingSetting: missingSettingOfApp(connector, apps),
  }));

/**
 * The syncs of a project that the caller may read, by name.
 *
 * @throws DomainError 404; 403 if no rule allows to read any.
 */
export async function listSecretSyncs(
  ctx: Context,
  { projectId, destination }: ListSecretSyncs,
): Promise<SecretSync[]> {
  const isReadable = await readableAtAll(ctx, secretSyncPermissions.read, { projectId });
  if (!isId(projectId)) return [];
  const where = { organizationId: organizationOf(ctx), projectId, ...isNamed, ...(destination && { destination }) };
  const rows = (await ctx.em.find(SecretSyncEntity, where, { orderBy: { name: 'asc' } })) as SyncRow[];
  const placed = await placesOf(ctx, rows);
  return answerAll(
    ctx,
    placed.filter(({ source }) => isReadable(placeOf(source))),
  );
}

/** @throws DomainError 404, 403 */
export async function getSecretSync(ctx: Context, ref: SecretSyncRef): Promise<SecretSync> {
  return answer(ctx, await requireSecretSync(ctx, ref, 'read'));
}

/** @throws DomainError 404, 403 */
export async function getSecretSyncByName(ctx: Context, named: SecretSyncName): Promise<SecretSync> {
  return answer(ctx, await requireSecretSyncNamed(ctx, named));
}

/** The published form of a sync. @throws DomainError 404 if it was deleted meanwhile. */
export async function answer(ctx: Context, placed: PlacedSync): Promise<SecretSync> {
  const [one] = await answerAll(ctx, [placed]);
  if (!one) throw notFound('secret sync');
  return one;
}

/** What is due, and what is under way: columns of the queue. */
interface Schedule {
  readonly id: string;
  readonly isDue: boolean;
  readonly isRunning: boolean;
  /** Until when the account of its connection rests. */
  readonly restsUntil: string | null;
}
const SCHEDULES = statement(
  'secret_sync.schedules',
  `select s.id, s.due_at is not null and s.failures = 0 and not s.skips_sync as "isDue",
     s.claimed_until is not null and s.claimed_until > $2 as "isRunning",
     case when c.rests_until > $2 then c.rests_until end as "restsUntil"
   from secret_syncs s join app_connections c on c.id = s.connection_id where s.id = any($1::uuid[])`,
);

async function answerAll(ctx: Context, placed: readonly PlacedSync[]): Promise<SecretSync[]> {
  const connectionIds = [...new Set(placed.map(({ row }) => row.connectionId))];
  const connections = await ctx.em.find(AppConnectionEntity, { id: connectionIds });
  const connectionOf = new Map(connections.map((one) => [one.id, one]));
  const ids = placed.map(({ row }) => row.id);
  const schedules = await ctx.sql<Schedule>(SCHEDULES, [ids, ctx.now()]);
  const scheduleOf = new Map(schedules.map((one) => [one.id, one]));
  const answers: SecretSync[] = [];
  for (const one of placed) {
    const connection = connectionOf.get(one.row.connectionId);
    const schedule = scheduleOf.get(one.row.id);
    if (connection && schedule)
      answers.push({ ...(await toSecretSync(ctx, one, schedule)), connection: shown(connection) });
  }
  return answers;
}

const shown = ({ id, app, name }: AppConnectionEntity) => ({ id, app, name: name ?? app });

async function toSecretSync(
  ctx: Context,
  placed: PlacedSync,
  { isDue, isRunning, restsUntil }: Schedule,
): Promise<Omit<SecretSync, 'connection'>> {
  const { row, environment, source, hasFolder } = placed;
  const waits = restsUntil === null ? null : waitingMessage(restsUntil);
  const folder = hasFolder && row.folderId ? { id: row.folderId, path: source.secretPath } : null;
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? null,
    version: row.version,
    projectId: row.projectId,
    folderId: folder?.id ?? null,
    connectionId: row.connectionId,
    isAutoSyncEnabled: row.isAutoSyncEnabled,
    syncStatus: statusOf(isDue, isRunning && !row.importRequested && !row.removeRequested, row.isSynced),
    lastSyncJobId: row.lastSyncJobId ?? null,
    lastSyncMessage: (isDue && !isRunning ? waits : null) ?? (await messageFor(ctx, placed, row.syncMessage)),
    lastSyncedAt: row.lastUsed ?? null,
    importStatus: statusOf(!!row.importRequested, isRunning, row.isImported),
    lastImportJobId: row.lastImportJobId ?? null,
    lastImportMessage: (row.importRequested ? waits : null) ?? (await messageFor(ctx, placed, row.importMessage)),
    lastImportedAt: row.lastImportedAt ?? null,
    removeStatus: statusOf(row.removeRequested, isRunning, row.isRemoved),
    lastRemoveJobId: row.lastRemoveJobId ?? null,
    lastRemoveMessage: (row.removeRequested ? waits : null) ?? (await messageFor(ctx, placed, row.removeMessage)),
    lastRemovedAt: row.lastRemovedAt ?? null,
    environment: { id: environment.id, name: environment.name, slug: environment.slug },
    folder,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    destination: row.destination,
    destinationConfig: row.config,
    syncOptions: row.options,
  };
}
