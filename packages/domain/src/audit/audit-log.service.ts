import type { Pool } from 'pg';
import { authorize, organizationOf, organizationPermissions, projectPermissions } from '../access/index.ts';
import { at, atOrNull, eventOf, isId, notFound, statement, type Context } from '../kernel/index.ts';
import {
  auditLogExported,
  auditLogRead,
  writeCursor,
  type AuditActor,
  type AuditCheckpoint,
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
import { RETENTION_DAYS } from './retention.ts';
import { GENESIS } from './verify.ts';
import { readsAllEvents, visibleEvents, type VisibleEvents } from './visible-events.ts';

const ofOrganization = organizationPermissions('audit-logs');
const ofProject = projectPermissions('audit-logs');

/**
 * A page of the log, newest event first, of the events that the caller may see (`visibleEvents`). Reading the log is an
 * event, too.
 *
 * @throws DomainError 403 without the permission, 404 for a project outside of the organization.
 */
export async function listAuditLog(ctx: Context, input: ListAuditLog): Promise<AuditLogPage> {
  const { projectId } = input;
  if (projectId === undefined) {
    const visible = await visibleEvents(ctx);
    if (!visible.all) await authorize(ctx, ofOrganization.read);
    return readPage(ctx, input, { organizationId: organizationOf(ctx), visible });
  }
  if (await readsAllEvents(ctx)) await requireKnownProject(ctx, projectId);
  else await authorize(ctx, ofProject.read, { projectId });
  return readPage(ctx, input, { organizationId: organizationOf(ctx), projectId, visible: ALL });
}

/** The same for one project. */
export async function listProjectAuditLog(ctx: Context, input: ListProjectAuditLog): Promise<AuditLogPage> {
  const { workspaceId: projectId, ...filters } = input;
  await authorize(ctx, ofProject.read, { projectId });
  return readPage(ctx, filters, { organizationId: organizationOf(ctx), projectId, visible: ALL });
}

/** A page of the instance's own log, with events outside of organizations. The caller checks the permission. */
export const readInstanceLog = (ctx: Context, input: ListInstanceAuditLog): Promise<AuditLogPage> =>
  readPage(ctx, input, { organizationId: INSTANCE_LOG, visible: ALL });

const RECENT = 10_000;

const ACTORS = statement(
  'audit_log.actors',
  `select distinct on (actor_type, actor_id) actor_type as "actorType", actor - 'apiKeyId' as actor from (
     select actor_type, actor_id, actor, created_at from audit_events
     where organization_id = $1 and project_id = $2 order by created_at desc limit ${RECENT}) recent
   order by actor_type, actor_id, created_at desc`,
);

/** The actors in a project, from its last 10,000 events. A user counts once, with any credential. */
export async function listAuditActors(
  ctx: Context,
  { workspaceId: projectId }: ListAuditActors,
): Promise<AuditActor[]> {
  await authorize(ctx, ofProject.read, { projectId });
  const rows = await ctx.sql<Pick<EventRow, 'actorType' | 'actor'>>(ACTORS, [organizationOf(ctx), projectId]);
  return rows.map((row) => ({ type: row.actorType, metadata: row.actor }));
}

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

const KNOWN_PROJECT = statement(
  'audit_log.project',
  `select 1 from projects where organization_id = $1 and id = $2
   union all (select 1 from audit_events where organization_id = $1 and project_id = $2 limit 1)`,
);

/** A project that was deleted has its log still. */
async function requireKnownProject(ctx: Context, projectId: string): Promise<void> {
  const known = isId(projectId) && (await ctx.sql(KNOWN_PROJECT, [organizationOf(ctx), projectId])).length > 0;
  if (!known) throw notFound('project');
}

interface EventRow {
  id: string;
  organizationId: string;
  projectId: string | null;
  published: string;
  actorType: string;
  actor: Record<string, unknown>;
  ipAddress: string | null;
  userAgent: string | null;
  userAgentType: string;
  data: Record<string, unknown>;
  createdAt: string;
  expiresAt: string | null;
  projectName: string | null;
  projectSlug: string | null;
}

type Filters = ListInstanceAuditLog;

const ALL: VisibleEvents = { all: true };

/** Whose log, and which of its events. */
interface Scope {
  readonly organizationId: string;
  readonly projectId?: string;
  readonly visible: VisibleEvents;
}

/** One condition for each filter; `$` is replaced by the parameter. */
const CONDITIONS: readonly (readonly [name: string, sql: string, value: (filters: Filters) => unknown])[] = [
  ['eventType', 'e.published = any ($::text[])', ({ eventType }) => eventType],
  ['actorType', 'e.actor_type = $', ({ actorType }) => actorType],
  ['actor', 'e.actor_id = $::uuid', ({ actor }) => actor],
  ['userAgentType', 'e.user_agent_type = $', ({ userAgentType }) => userAgentType],
  ['environment', `e.data ->> 'environment' = $`, ({ environment }) => environment],
  ['secretPath', `e.data ->> 'secretPath' = $`, ({ secretPath }) => secretPath],
  [
    'secretKey',
    `(e.data ->> 'secretKey' = $::text or e.data -> 'secrets' @> jsonb_build_array(jsonb_build_object('secretKey', $::text)))`,
    ({ secretKey }) => secretKey,
  ],
  [
    'eventMetadata',
    'not exists (select 1 from json_each_text($::json) wanted where e.data ->> wanted.key is distinct from wanted.value)',
    ({ eventMetadata }) => eventMetadata && JSON.stringify(eventMetadata),
  ],
  ['startDate', 'e.created_at >= $', ({ startDate }) => startDate],
  ['endDate', 'e.created_at <= $', ({ endDate }) => endDate],
];

const COLUMNS =
  'e.id, e.organization_id, e.project_id, e.published, e.actor_type, e.actor, e.ip_address, e.user_agent, e.user_agent_type, e.data, e.created_at';
/** The same columns with the names of `EventRow`. */
const SHOWN = `e.id, e.organization_id as "organizationId", e.project_id as "projectId", e.published,
  e.actor_type as "actorType", e.actor, e.ip_address as "ipAddress", e.user_agent as "userAgent",
  e.user_agent_type as "userAgentType", e.data, e.created_at as "createdAt"`;
const NEWEST_FIRST = 'order by e.created_at desc, e.id desc';

/**
 * The query of a page. Each set of filters has a statement of its own, so that the database plans for exactly these.
 * Filters by time or project use an index; the others skip events that do not match.
 */
function pageQuery({ organizationId, projectId, visible }: Scope, input: Filters) {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const used = CONDITIONS.filter(([, , value]) => value(input) !== undefined);
  const where: string[] = [];
  for (const [, sql, value] of used) {
    const place = bind(value(input));
    where.push(sql.replaceAll('$', () => place));
  }
  if (input.cursor) {
    const [time, id] = [bind(input.cursor.createdAt), bind(input.cursor.id)];
    where.push(`e.created_at <= ${time} and (e.created_at, e.id) < (${time}, ${id}::uuid)`);
  }
  const limits = `limit ${bind(input.limit)} offset ${bind(input.offset)}`;
  const within = (...conditions: string[]) => [...conditions, ...where].join(' and ');
  const events = (conditions: string) =>
    `select ${COLUMNS} from audit_events e where ${conditions} ${NEWEST_FIRST} ${limits}`;
  const organization = `e.organization_id = ${bind(organizationId)}`;
  const page = visible.all
    ? events(within(organization, ...(projectId === undefined ? [] : [`e.project_id = ${bind(projectId)}`])))
    : `select ${COLUMNS} from (
        ${keysOf(visible, { within, organization, bind, upTo: bind(input.offset + input.limit) })} ${NEWEST_FIRST} ${limits}
      ) k join lateral (select * from audit_events e where e.id = k.id and e.created_at = k.created_at) e on true`;
  const text = `select ${SHOWN}, p.name as "projectName", p.slug as "projectSlug",
      e.created_at + make_interval(days => ${RETENTION_DAYS}) as "expiresAt"
    from (${page}) e
    left join projects p on p.id = e.project_id
    ${NEWEST_FIRST}`;
  const shape = [
    !visible.all,
    projectId !== undefined,
    input.cursor !== undefined,
    ...CONDITIONS.map((condition) => used.includes(condition)),
  ];
  const name = `audit_log.page.${shape.map(Number).join('')}`;
  return { statement: statement(name, text), values, filters: used.map(([filter]) => filter) };
}

interface Parts {
  readonly within: (...conditions: string[]) => string;
  readonly organization: string;
  readonly bind: (value: unknown) => string;
  /** How many of each source a page can need. */
  readonly upTo: string;
}

/**
 * The keys of visible events: from each of the caller's projects, and from its own events, at most one page each. Each
 * source has an index in this order, and a condition that no other source meets.
 */
function keysOf(
  { projectIds, actorId }: Exclude<VisibleEvents, { all: true }>,
  { within, organization, bind, upTo }: Parts,
): string {
  const keys = (conditions: string) =>
    `select e.created_at, e.id from audit_events e where ${conditions} ${NEWEST_FIRST} limit ${upTo}`;
  const own = `${organization} and e.actor_id = ${bind(actorId)}::uuid and e.project_id is null`;
  return `select e.created_at, e.id from (
    select found.* from unnest(${bind(projectIds)}::uuid[]) as mine (id)
      cross join lateral (${keys(within('e.project_id = mine.id'))}) found
    union all (${keys(within(own))})) e`;
}

async function readPage(ctx: Context, input: Filters, scope: Scope): Promise<AuditLogPage> {
  const query = pageQuery(scope, input);
  const cannotMatch = input.actor !== undefined && !isId(input.actor);
  const rows = cannotMatch ? [] : await ctx.sql<EventRow>(query.statement, query.values);
  const { organizationId, projectId } = scope;
  const data = { filters: query.filters, events: rows.length };
  await ctx.commitRead(eventOf(auditLogRead, data, { organizationId, projectId }), ctx);
  const auditLogs = rows.map(entryOf);
  const last = rows.length === input.limit ? auditLogs.at(-1) : undefined;
  return { auditLogs, nextCursor: last ? writeCursor(last) : null };
}

function entryOf(row: EventRow): AuditLogEntry {
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
