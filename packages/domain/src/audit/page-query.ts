import { listOf, perKey, statement, type Statement } from '../kernel/index.ts';
import type { ListInstanceAuditLog } from './audit-log.ts';
import { RETENTION_DAYS } from './retention.ts';
import type { VisibleEvents } from './visible-events.ts';

/** What a page can be asked for; `ListInstanceAuditLog` without its range. */
export type Filters = Omit<ListInstanceAuditLog, 'limit' | 'offset'>;
export type Range = Pick<ListInstanceAuditLog, 'limit' | 'offset'>;

/** Whose log, and which of its events. */
export interface Scope {
  readonly organizationId: string;
  readonly projectId?: string;
  readonly visible: VisibleEvents;
}

export interface PageRow {
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

const usedBy = (filters: Filters) => CONDITIONS.filter(([, , value]) => value(filters) !== undefined);
/** The names of the filters in use. */
export const filtersIn = (filters: Filters): string[] => usedBy(filters).map(([name]) => name);

/** Whether filters ask nothing of `data`. */
export const isDecidedByColumns = ({ environment, secretPath, secretKey, eventMetadata }: Filters): boolean =>
  [environment, secretPath, secretKey, eventMetadata].every((filter) => filter === undefined);

const COLUMNS =
  'e.id, e.organization_id, e.project_id, e.published, e.actor_type, e.actor, e.ip_address, e.user_agent, e.user_agent_type, e.data, e.created_at';
/** The same columns with the names of `PageRow`. */
const SHOWN = `e.id, e.organization_id as "organizationId", e.project_id as "projectId", e.published,
  e.actor_type as "actorType", e.actor, e.ip_address as "ipAddress", e.user_agent as "userAgent",
  e.user_agent_type as "userAgentType", e.data, e.created_at as "createdAt"`;
const NEWEST_FIRST = 'order by e.created_at desc, e.id desc';

/** Retention is looked up once for each place of the page, which has few: for each event it would cost more than all the rest. */
const shown = (page: string, more = '') => `with page as materialized (${page}),
    kept as materialized (select e.organization_id, e.project_id, ${RETENTION_DAYS} as days
      from (select distinct organization_id, project_id from page) e)
    select ${SHOWN}, p.name as "projectName", p.slug as "projectSlug",
      e.created_at + make_interval(days => k.days) as "expiresAt"${more}
    from page e
    left join projects p on p.id = e.project_id
    left join kept k on k.organization_id = e.organization_id and k.project_id is not distinct from e.project_id
    ${NEWEST_FIRST}`;

export interface Query {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

class Bindings {
  readonly values: unknown[] = [];
  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;

  /** The conditions of filters and cursor. */
  of(filters: Filters): string[] {
    const where: string[] = [];
    for (const [, sql, value] of usedBy(filters)) {
      const place = this.bind(value(filters));
      where.push(sql.replaceAll('$', () => place));
    }
    if (filters.cursor) {
      const [time, id] = [this.bind(filters.cursor.createdAt), this.bind(filters.cursor.id)];
      where.push(`e.created_at <= ${time} and (e.created_at, e.id) < (${time}, ${id}::uuid)`);
    }
    return where;
  }
}

/** Which conditions a query has, for its name. */
const shapeOf = ({ visible, projectId }: Scope, filters: Filters): string =>
  [
    !visible.all,
    projectId !== undefined,
    filters.cursor !== undefined,
    ...CONDITIONS.map(([, , value]) => value(filters) !== undefined),
  ]
    .map(Number)
    .join('');

/**
 * The query of a page of rows. Each set of filters has a statement of its own, so that the database plans for exactly these.
 * Filters by time or project use an index; the others skip events that do not match.
 */
export function pageQuery(scope: Scope, filters: Filters, range: Range): Query {
  const { page, place, values } = pageOf(scope, filters, range);
  const text = shown(page, `, (${archivedUntil(place)}) as "archivedUntil"`);
  return { statement: statement(`audit_log.page.${shapeOf(scope, filters)}`, text), values };
}

/** The same with all rows as one value, for pages that are small. */
export function shortPageQuery(scope: Scope, filters: Filters, range: Range): Query {
  const { page, place, values } = pageOf(scope, filters, range);
  return { statement: statement(`audit_log.short_page.${shapeOf(scope, filters)}`, asOne(page, place)), values };
}

const archivedUntil = (organization: string) =>
  `select (extract(epoch from greatest(s.last_event_at, s.earlier_until)) * 1000)::float8 as until from audit_segments s
      where s.organization_id = ${organization} order by s.first_sequence desc limit 1`;

/** The rows of a page as one value, with the time up to which segments of the organization may have events. */
const asOne = (page: string, organization: string) =>
  `select ${listOf(shown(page))} as events, (${archivedUntil(organization)}) as "archivedUntil"`;

const firstPage = (name: string, parts: Readonly<Record<string, string>>): Statement => {
  const conditions = Object.keys(parts).map((part) => `e.${part} = w.${part}`);
  const page = `select ${COLUMNS} from audit_events e where ${conditions.join(' and ')} ${NEWEST_FIRST} limit w.most offset w.skipped`;
  return perKey(name, { ...parts, most: 'integer', skipped: 'integer' }, asOne(page, 'w.organization_id'));
};
const FIRST_PAGE = firstPage('audit_log.first_page', { organization_id: 'uuid' });
const FIRST_PAGE_OF_PROJECT = firstPage('audit_log.first_page_of_project', {
  organization_id: 'uuid',
  project_id: 'uuid',
});

/** The same page, near the beginning of a log that is read as a whole: for `Context.one`. Absent for others. */
export function sharedPageQuery(scope: Scope, filters: Filters, { limit, offset }: Range): Query | undefined {
  const { organizationId, projectId, visible } = scope;
  if (!visible.all || filters.cursor || offset > limit || usedBy(filters).length > 0) return undefined;
  return projectId === undefined
    ? { statement: FIRST_PAGE, values: [organizationId, limit, offset] }
    : { statement: FIRST_PAGE_OF_PROJECT, values: [organizationId, projectId, limit, offset] };
}

/** The bytes of the events of the same page, as JSON. */
export function sizeQuery(scope: Scope, filters: Filters, range: Range): Query {
  const { page, values } = pageOf(scope, filters, range);
  const text = `select coalesce(sum(octet_length(e.data::text)), 0)::float8 as bytes from (${page}) e`;
  return { statement: statement(`audit_log.page_size.${shapeOf(scope, filters)}`, text), values };
}

/** How many rows are newer than a time in milliseconds, up to a number. */
export function countQuery(scope: Scope, filters: Filters, until: number, limit: number): Query {
  const newerThan = until === -Infinity ? '-infinity' : new Date(until);
  const { page, values } = pageOf(scope, filters, { limit, offset: 0 }, newerThan);
  const text = `select count(*)::integer as events from (${page}) e`;
  return { statement: statement(`audit_log.newer.${shapeOf(scope, filters)}`, text), values };
}

const ARCHIVED_UNTIL = statement('audit_log.archived_until', archivedUntil('$1'));

/** The time, in milliseconds, up to which segments may have events; no row where there are none. */
export const archivedUntilQuery = ({ organizationId }: Scope): Query => ({
  statement: ARCHIVED_UNTIL,
  values: [organizationId],
});

/** The SQL of the rows of a page, and the parameter of its organization; `newerThan` is a further condition. */
function pageOf(
  { organizationId, projectId, visible }: Scope,
  filters: Filters,
  { limit, offset }: Range,
  newerThan?: Date | string,
): { readonly page: string; readonly place: string; readonly values: readonly unknown[] } {
  const bindings = new Bindings();
  const { bind } = bindings;
  const where = bindings.of(filters);
  if (newerThan !== undefined) where.push(`e.created_at > ${bind(newerThan)}`);
  const limits = `limit ${bind(limit)} offset ${bind(offset)}`;
  const within = (...conditions: string[]) => [...conditions, ...where].join(' and ');
  const events = (conditions: string) =>
    `select ${COLUMNS} from audit_events e where ${conditions} ${NEWEST_FIRST} ${limits}`;
  const place = bind(organizationId);
  const organization = `e.organization_id = ${place}`;
  const page = visible.all
    ? events(within(organization, ...(projectId === undefined ? [] : [`e.project_id = ${bind(projectId)}`])))
    : `select ${COLUMNS} from (
        ${keysOf(visible, { within, organization, bind, upTo: bind(offset + limit) })} ${NEWEST_FIRST} ${limits}
      ) k join lateral (select * from audit_events e where e.id = k.id and e.created_at = k.created_at) e on true`;
  return { page, place, values: bindings.values };
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

/** Events of lines, as rows of `audit_events`. */
const rowsOf = (
  lines: string,
) => `select (l.e ->> 'id')::uuid as id, (l.e ->> 'organizationId')::uuid as organization_id,
    (l.e ->> 'projectId')::uuid as project_id, l.e ->> 'published' as published, l.e ->> 'actorType' as actor_type,
    (l.e ->> 'actorId')::uuid as actor_id, (l.e -> 'actor')::jsonb as actor, l.e ->> 'ipAddress' as ip_address,
    l.e ->> 'userAgent' as user_agent, l.e ->> 'userAgentType' as user_agent_type, (l.e -> 'data')::jsonb as data,
    (l.e ->> 'createdAt')::timestamptz as created_at
  from json_array_elements(${lines}::json) line (j) cross join lateral (select line.j -> 'event') l (e)`;

/** The same for events of segments, given as their lines: with the same conditions, so that both forms have the same pages. */
export function archivedQuery(scope: Scope, filters: Filters, lines: readonly string[], limit: number): Query {
  const { organizationId, projectId, visible } = scope;
  const bindings = new Bindings();
  const { bind } = bindings;
  const where = [
    ...bindings.of(filters),
    `e.organization_id = ${bind(organizationId)}`,
    ...(projectId === undefined ? [] : [`e.project_id = ${bind(projectId)}`]),
    ...(visible.all
      ? []
      : [
          `(e.project_id = any (${bind(visible.projectIds)}::uuid[]) or e.project_id is null and e.actor_id = ${bind(visible.actorId)}::uuid)`,
        ]),
  ];
  const page = `select ${COLUMNS} from (${rowsOf(bind(`[${lines.join()}]`))}) e
    where ${where.join(' and ')} ${NEWEST_FIRST} limit ${bind(limit)}`;
  return {
    statement: statement(`audit_log.archived_page.${shapeOf(scope, filters)}`, shown(page)),
    values: bindings.values,
  };
}
