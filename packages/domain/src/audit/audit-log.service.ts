import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import { authorize, organizationOf, organizationPermissions, projectPermissions } from '../access/index.ts';
import { at, atOrNull, eventOf, eventTypes, isId, notFound, statement, type Context } from '../kernel/index.ts';
import { archivedEvents, newestFirst } from './archive/read.ts';
import { SearchRoom } from './archive/search-room.ts';
import {
  auditActorsListed,
  auditLogExported,
  auditLogRead,
  writeCursor,
  type AuditActor,
  type AuditCheckpoint,
  type AuditEventTypes,
  type AuditLogEntry,
  type AuditLogPage,
  type ExportAuditLog,
  type ListAuditActors,
  type ListAuditLog,
  type ListInstanceAuditLog,
  type ListProjectAuditLog,
} from './audit-log.ts';
import { chunksOf, exportLines } from './export.ts';
import { INSTANCE_LOG } from './instance-log.ts';
import { filtersIn, type PageRow, type Scope } from './page-query.ts';
import { readEvents } from './read-page.ts';
import { GENESIS } from './verify.ts';
import { readsAllEvents, visibleEvents, type VisibleEvents } from './visible-events.ts';

const ofOrganization = organizationPermissions('audit-logs');
const ofProject = projectPermissions('audit-logs');

/**
 * A page of the log, newest event first, of the events that the caller may see (`visibleEvents`). Reading the log is an
 * event, too.
 *
 * @throws DomainError 403 without the permission, 404 for a project outside of the organization; as `readEvents`.
 */
export async function listAuditLog(ctx: Context, { projectId, ...input }: ListAuditLog): Promise<AuditLogPage> {
  return readPage(ctx, input, async () => {
    const organizationId = organizationOf(ctx);
    if (projectId === undefined) {
      const visible = await visibleEvents(ctx);
      if (!visible.all) await authorize(ctx, ofOrganization.read);
      return { organizationId, visible };
    }
    if (await readsAllEvents(ctx)) await requireKnownProject(ctx, projectId);
    else await authorize(ctx, ofProject.read, { projectId });
    return { organizationId, projectId, visible: ALL };
  });
}

/** The same for one project. */
export async function listProjectAuditLog(
  ctx: Context,
  { workspaceId: projectId, ...input }: ListProjectAuditLog,
): Promise<AuditLogPage> {
  return readPage(ctx, input, () => scopeOfProject(ctx, projectId));
}

async function scopeOfProject(ctx: Context, projectId: string): Promise<Scope> {
  await authorize(ctx, ofProject.read, { projectId });
  return { organizationId: organizationOf(ctx), projectId, visible: ALL };
}

/** A page of the instance's own log, with events outside of organizations. The caller checks the permission. */
export const readInstanceLog = (ctx: Context, input: ListInstanceAuditLog): Promise<AuditLogPage> =>
  readPage(ctx, input, () => Promise.resolve({ organizationId: INSTANCE_LOG, visible: ALL }));

const RECENT = 10_000;

const ACTORS = statement(
  'audit_log.actors',
  `select distinct on (actor_type, actor_id) actor_type as "actorType", actor_id as "actorId", actor,
     count(*) over ()::integer as events from (
     select actor_type, actor_id, actor, created_at from audit_events
     where organization_id = $1 and project_id = $2 order by created_at desc limit ${RECENT}) recent
   order by actor_type, actor_id, created_at desc`,
);

interface RecentActor {
  readonly actorType: string;
  readonly actorId: string | null;
  readonly actor: Record<string, unknown>;
}

/**
 * The actors in a project, from about its last 10,000 events. A user counts once, with any credential. Recorded, as any
 * other reading of the log.
 */
export async function listAuditActors(
  ctx: Context,
  { workspaceId: projectId }: ListAuditActors,
): Promise<AuditActor[]> {
  const { organizationId, actors } = await searching(
    ctx,
    () => scopeOfProject(ctx, projectId),
    async (scope, room) => {
      const rows = await ctx.sql<RecentActor & { events: number }>(ACTORS, [scope.organizationId, projectId]);
      const archived = await archivedActors(ctx, scope, room, RECENT - (rows[0]?.events ?? 0));
      const found = new Map(
        [...archived, ...rows].map((recent) => [`${recent.actorType} ${recent.actorId}`, recent] as const),
      );
      const ordered = [...found.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1));
      return { organizationId: scope.organizationId, actors: ordered.map(([, one]) => toActor(one)) };
    },
  );
  await ctx.commitRead(eventOf(auditActorsListed, { actors: actors.length }, { organizationId, projectId }), ctx);
  return actors;
}

const toActor = ({ actorType: type, actor: { apiKeyId: _, ...metadata } }: RecentActor): AuditActor => ({
  type,
  metadata,
});

/** Those of so many events in segments, the oldest first. */
async function archivedActors(ctx: Context, scope: Scope, room: SearchRoom, events: number): Promise<RecentActor[]> {
  const found: RecentActor[] = [];
  if (events <= 0) return found;
  for await (const segment of archivedEvents((...query) => ctx.sql(...query), scope, {}, room)) {
    const ordered = segment.events.toSorted((one, other) => newestFirst(one.event, other.event));
    for (const { event } of ordered)
      found.push({ actorType: event.actorType, actorId: event.actorId, actor: event.actor });
    if (found.length >= events || room.isExhausted) break;
  }
  return found.slice(0, events).toReversed();
}

/** What may be in a log: the published names of all events that this release knows. */
export const listAuditEventTypes = (): AuditEventTypes => ({
  eventTypes: [...new Set([...eventTypes().values()].map(({ published }) => published))].toSorted(),
});

const CHECKPOINT = statement(
  'audit_log.checkpoint',
  `select i.audit_public_key as key, b.sequence::text, encode(b.hash, 'hex') as hash, encode(b.signature, 'base64') as signature,
     b.sealed_at as "sealedAt"
   from instance i left join lateral (
     select * from audit_blocks where organization_id = $1 order by sequence desc limit 1) b on true`,
);

/** The newest link of the organization's chain. */
export async function readCheckpoint(ctx: Context): Promise<AuditCheckpoint> {
  await authorize(ctx, ofOrganization.read);
  const organizationId = organizationOf(ctx);
  const [row] = await ctx.sql<{
    key: string;
    sequence: string | null;
    hash: string | null;
    signature: string | null;
    sealedAt: string | null;
  }>(CHECKPOINT, [organizationId]);
  return {
    organizationId,
    sequence: Number(row!.sequence ?? 0),
    hash: row!.hash ?? GENESIS,
    signature: row!.signature?.replaceAll('\n', '') ?? null,
    sealedAt: atOrNull(row!.sealedAt),
    publicKey: row!.key,
  };
}

/**
 * An export of the organization's log, for `verifyExport`, as text in chunks of whole lines. A period is extended to
 * whole blocks, and ends at the current end of the log. The event of the export is committed before the first line is
 * read. A chain can be verified only as a whole, so it needs the permission to read all events. Before each chunk, the
 * export checks again that the caller is authenticated (`stillCalls`) and has the permission.
 *
 * @throws DomainError 403 without the permission; the same and what `stillCalls` throws while it is read.
 */
export async function exportAuditLog(
  ctx: Context,
  pool: Pick<Pool, 'query'>,
  { startDate, endDate }: ExportAuditLog,
  stillCalls: () => Promise<void>,
): Promise<AsyncGenerator<string>> {
  const requireRight = () => authorize(ctx, ofOrganization['read-all']);
  await requireRight();
  const period = { startDate: startDate?.toISOString() ?? null, endDate: endDate?.toISOString() ?? null };
  await ctx.commitRead(eventOf(auditLogExported, period), ctx);
  return chunksOf(exportLines(pool, organizationOf(ctx), { startDate, endDate }), async () => {
    await stillCalls();
    await requireRight();
  });
}

/** A project that was deleted has its log still. Segments are looked through for one of which nothing else is there. */
const KNOWN_PROJECT = statement(
  'audit_log.project',
  `select 1 from projects where organization_id = $1 and id = $2
   union all select 1 from audit_events where organization_id = $1 and project_id = $2
   union all select 1 from audit_segments where organization_id = $1 and $2 = any (project_ids)
   limit 1`,
);

async function requireKnownProject(ctx: Context, projectId: string): Promise<void> {
  const known = isId(projectId) && (await ctx.sql(KNOWN_PROJECT, [organizationOf(ctx), projectId])).length > 0;
  if (!known) throw notFound('project');
}

const ALL: VisibleEvents = { all: true };

async function readPage(
  ctx: Context,
  { limit, offset, ...filters }: ListInstanceAuditLog,
  scopeOf: () => Promise<Scope>,
): Promise<AuditLogPage> {
  const { scope, rows, searchOn } = await searching(ctx, scopeOf, async (of, room) => ({
    scope: of,
    ...(await readEvents({ ctx, scope: of, filters, room }, { limit, offset })),
  }));
  const { organizationId, projectId } = scope;
  const data = { filters: filtersIn(filters), events: rows.length };
  await ctx.commitRead(eventOf(auditLogRead, data, { organizationId, projectId }), ctx);
  const auditLogs = rows.map(entryOf);
  const next = searchOn ?? (rows.length === limit ? auditLogs.at(-1) : undefined);
  return { auditLogs, nextCursor: next ? writeCursor(next) : null };
}

/** Not `RightsChanged`, which ends the call, also within a search: its actor is another one then. */
class ScopeChanged extends Error {}

/**
 * Searches the log as far as the caller may see it. Where that waits for memory, the caller's rights are read again; if these
 * have changed, the search begins again.
 *
 * @throws as `scopeOf` and `search`.
 */
async function searching<T>(
  ctx: Context,
  scopeOf: () => Promise<Scope>,
  search: (scope: Scope, room: SearchRoom) => Promise<T>,
): Promise<T> {
  for (;;) {
    const scope = await scopeOf();
    const announce = async (bytes: number) => {
      await ctx.announceAnswer(bytes);
      if (!isDeepStrictEqual(await scopeOf(), scope)) throw new ScopeChanged();
    };
    try {
      return await search(scope, new SearchRoom({ announce }));
    } catch (error) {
      if (!(error instanceof ScopeChanged)) throw error;
    }
  }
}

function entryOf(row: PageRow): AuditLogEntry {
  const { projectId, projectName: name, projectSlug: slug } = row;
  return {
    id: row.id,
    ipAddress: row.ipAddress,
    userAgent: row.userAgent,
    userAgentType: row.userAgentType,
    expiresAt: atOrNull(row.expiresAt),
    createdAt: at(row.createdAt),
    updatedAt: at(row.createdAt),
    orgId: row.organizationId,
    projectId,
    projectName: name,
    project: projectId && name !== null && slug !== null ? { id: projectId, name, slug } : null,
    event: { type: row.published, metadata: row.data },
    actor: { type: row.actorType, metadata: row.actor },
  };
}
