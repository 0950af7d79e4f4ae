import {
  actorIdOf,
  newId,
  remembering,
  statement,
  type Actor,
  type Context,
  type PendingEvent,
} from '../kernel/index.ts';
import { isSmall, partsOf } from './event-parts.ts';

/** An event as one row of `audit_events`. */
export interface EventRow {
  id: string;
  organizationId: string;
  projectId: string | null;
  type: string;
  published: string;
  actorType: string;
  actorId: string | null;
  actor: object;
  ipAddress: string;
  userAgent: string;
  userAgentType: string;
  requestId: string;
  data: unknown;
  /** The JSON of `data`, if it was written already. */
  dataJson?: string | undefined;
  /** ISO 8601: JSON of a `Date` takes twice as long as that of the whole row. */
  createdAt: string;
}

/**
 * Inserts any number of events with one parameter: native JSON encoding here and decoding there cost less than an array
 * for each column.
 *
 * @param json The parameter's placeholder.
 */
export const insertEvents = (json: string): string =>
  `insert into audit_events (id, organization_id, project_id, type, published, actor_type, actor_id, actor, ip_address,
     user_agent, user_agent_type, request_id, data, created_at)
   select * from json_to_recordset(${json}::json) as e (id uuid, "organizationId" uuid, "projectId" uuid, type text,
     published text, "actorType" text, "actorId" uuid, actor jsonb, "ipAddress" text, "userAgent" text, "userAgentType" text,
     "requestId" text, data jsonb, "createdAt" timestamptz)`;
export const INSERT_EVENTS = statement('audit_events.insert', insertEvents('$1'));

const AGENTS: readonly [RegExp, string][] = [
  [/^infisical-?pythonsdk|^infisical-python/i, 'InfisicalPythonSDK'],
  [/^infisical-?(node)?sdk|^infisical-node/i, 'InfisicalNodeSDK'],
  [/k8-operator|kubernetes-operator/i, 'k8-operator'],
  [/terraform/i, 'terraform'],
  [/^cli\b|coffer-cli|infisical-cli/i, 'cli'],
  [/mozilla|chrome|safari|firefox/i, 'web'],
];

const MAX_AGENT = 500;
const agentTypes = new Map<string, string>();

/** The kind of client, derived from the user agent: the values of the published filter `userAgentType`. */
export function userAgentType(userAgent: string): string {
  let type = agentTypes.get(userAgent);
  if (type === undefined) {
    type = AGENTS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other';
    if (agentTypes.size < 1000) agentTypes.set(userAgent, type);
  }
  return type;
}

const actors = new WeakMap<Actor, object>();

/** The same object for all events of an actor that is cached. */
function actorData(actor: Actor): object {
  let data = actors.get(actor);
  if (!data) actors.set(actor, (data = describe(actor)));
  return data;
}

function describe(actor: Actor): object {
  switch (actor.type) {
    case 'user':
      return {
        userId: actor.id,
        email: actor.email,
        username: actor.username,
        ...(actor.apiKeyId !== undefined && { apiKeyId: actor.apiKeyId }),
      };
    case 'identity':
      return { identityId: actor.id, name: actor.name, authMethod: actor.authMethod };
    case 'service':
      return { serviceId: actor.id, name: actor.name };
    case 'anonymous':
    case 'platform':
      return {};
  }
}

/** The published name of the kind of actor. */
const actorType = (actor: Actor) => (actor.type === 'anonymous' ? 'unknownUser' : actor.type);

/**
 * The rows of an event: several where it names more than one may hold (`partsOf`).
 *
 * @throws Error where an event has no organization: a fault of the operation that recorded it.
 */
export function eventRows(ctx: Pick<Context, 'actor' | 'request' | 'now'>, event: PendingEvent): EventRow[] {
  const json = jsonOf(event.data ?? null);
  if (!isSmall(json)) return partsOf(event).map((part) => eventRow(ctx, part));
  const row = eventRow(ctx, event);
  row.dataJson = json;
  return [row];
}

/**
 * The row of an event whose data are small.
 *
 * @throws Error as `eventRows`.
 */
export function eventRow(ctx: Pick<Context, 'actor' | 'request' | 'now'>, event: PendingEvent): EventRow {
  const { actor, request } = ctx;
  const own = actor.type === 'anonymous' ? undefined : actor.organizationId;
  const organizationId = event.organizationId ?? own;
  if (!organizationId) throw new Error(`Event ${event.type} belongs to no organization`);
  return {
    id: newId(),
    organizationId,
    projectId: event.projectId ?? null,
    type: event.type,
    published: event.published,
    actorType: actorType(actor),
    actorId: actorIdOf(actor),
    actor: actorData(actor),
    ipAddress: request.ipAddress,
    userAgent: request.userAgent.slice(0, MAX_AGENT),
    userAgentType: userAgentType(request.userAgent),
    requestId: request.id,
    data: event.data,
    dataJson: undefined,
    createdAt: isoOf(ctx.now()),
  };
}

let lately = { at: NaN, text: '' };

/** Events of one millisecond share the text. */
export function isoOf(time: Date): string {
  const at = time.getTime();
  if (at !== lately.at) lately = { at, text: time.toISOString() };
  return lately.text;
}

/** JSON for `INSERT_EVENTS`. */
export const eventsJson = (rows: readonly EventRow[]): string => `[${rows.map(eventJson).join()}]`;

/** JSON of one event, for an array of them. Most of its texts were in others: this takes half the time of `JSON.stringify`. */
export const eventJson = (row: EventRow): string =>
  `{"id":${jsonOf(row.id)},"organizationId":${known(row.organizationId)},"projectId":${knownOrNull(row.projectId)},` +
  `"type":${known(row.type)},"published":${known(row.published)},"actorType":${known(row.actorType)},` +
  `"actorId":${knownOrNull(row.actorId)},"actor":${actorJson(row.actor)},"ipAddress":${known(row.ipAddress)},` +
  `"userAgent":${known(row.userAgent)},"userAgentType":${known(row.userAgentType)},` +
  `"requestId":${jsonOf(row.requestId)},"data":${row.dataJson ?? jsonOf(row.data ?? null)},"createdAt":${jsonOf(row.createdAt)}}`;

const MAX_KNOWN = 5_000;

/** The JSON of a text that other events have, too. */
const known = remembering(jsonOf, MAX_KNOWN);

const knownOrNull = (text: string | null): string => (text === null ? 'null' : known(text));

const actorTexts = new WeakMap<object, string>();

function actorJson(actor: object): string {
  let written = actorTexts.get(actor);
  if (written === undefined) actorTexts.set(actor, (written = jsonOf(actor)));
  return written;
}

/** PostgreSQL's text cannot contain NUL, so NULs in names are removed. */
function jsonOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u0000') ? text.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1') : text;
}
