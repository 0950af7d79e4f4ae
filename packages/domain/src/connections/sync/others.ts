import { organizationOf } from '../../access/index.ts';
import { statement, unlessInvalid, type Context } from '../../kernel/index.ts';
import { RunAs } from '../../secrets/import/replication/index.ts';
import {
  systemOf,
  type Connector,
  type GivenAuth,
  type Origin,
  type StoredConnection,
  type System,
} from '../connection/index.ts';
import { syncs } from '../registry.ts';
import { mayOverlap } from './overlap.ts';
import type { Run } from './run.ts';
import type { Source } from './source.ts';
import type { ConfiguredSync, SyncOptions } from './sync.ts';

/** A connection by which targets are used. */
export interface Connection extends StoredConnection {
  /** null: the organization's. */
  readonly projectId: string | null;
  readonly app: string;
  /** Of a copy: all projects that it comes from. */
  readonly originProjectIds: readonly string[];
}

/** A sync as others see it that may use the same target. */
export interface OtherSync extends Source {
  readonly id: string;
  readonly organizationId: string;
  readonly isActive: boolean;
  readonly runAs: RunAs | null;
  readonly destination: string;
  readonly config: object;
  readonly options: SyncOptions;
  readonly hashKey: Buffer;
  /** What `{{environment}}` in its key schema stands for. */
  readonly keyEnvironment: string;
  readonly connection: Connection;
}

const COLUMNS = `i.id, i.organization_id as "organizationId", i.project_id as "projectId", e.slug as environment,
  coalesce(f.path, i.secret_path) as "secretPath", i.is_active as "isActive", i.run_as as "runAs", i.destination, i.config,
  i.options, i.hash_key as "hashKey", coalesce(i.key_environment, e.slug) as "keyEnvironment", c.id as "connectionId", c.project_id as "connectionProjectId", c.app, c.given,
  c.credentials, c.origin_project_ids as "originProjectIds"`;
const TABLES = `secret_syncs i join app_connections c on c.id = i.connection_id join environments e on e.id = i.environment_id
  left join folders f on f.id = i.folder_id and not f.is_reserved`;

/**
 * Syncs by credentials of an app that share a project, the connection that they were first given to, or the organization
 * that both belong to.
 */
const OTHERS = statement(
  'secret_sync.others',
  `select ${COLUMNS} from ${TABLES} where i.organization_id = $1 and c.app = $2 and i.id is distinct from $5
     and (i.project_id = any($3) or c.origin_project_ids && $3 or coalesce(c.given ->> 'origin', c.id::text) = $4
       or ($6 and c.project_id is null))
   order by i.id`,
);
const OF_CONNECTION = statement(
  'secret_sync.of_connection',
  `select ${COLUMNS} from ${TABLES} where i.connection_id = $1 order by i.id`,
);
const SOME = `from ${TABLES} where i.organization_id = $1 and i.project_id = $2
     and ($3::uuid is null or i.environment_id = $3) and ($4::text is null or c.integration = $4)
     and ($5::uuid is null or c.id = $5) and ($6::uuid is null or i.id = $6)`;
const IN_PROJECT = statement('secret_sync.in_project', `select ${COLUMNS} ${SOME} order by i.id`);
type OtherRow = Omit<OtherSync, 'connection'> &
  Pick<Connection, 'app' | 'given' | 'credentials' | 'originProjectIds'> & {
    readonly connectionId: string;
    readonly connectionProjectId: string | null;
  };

/** The connection of a run. */
export const connectionOf = ({ connectionId, connectionProjectId, givenAuth, ...run }: Run): Connection => ({
  ...{ id: connectionId, projectId: connectionProjectId, given: givenAuth, organizationId: run.organizationId },
  ...{ app: run.app, credentials: run.credentials, originProjectIds: run.originProjectIds },
});

/** The connection that credentials were first given to. */
const originOf = ({ id, given }: { readonly id: string; readonly given?: GivenAuth | null }): string =>
  given?.origin ?? id;

/** The projects in which some credentials were given or copied. Whoever may use credentials there can use these as well. */
const projectsOf = ({ projectId, originProjectIds }: Pick<Connection, 'projectId' | 'originProjectIds'>) => [
  ...new Set([...(projectId ? [projectId] : []), ...originProjectIds]),
];

/** The origin of a copy of a connection. */
export const originOfCopies = (
  connection: Pick<Connection, 'id' | 'given' | 'projectId' | 'originProjectIds'>,
): Origin => ({
  connectionId: originOf(connection),
  projectIds: projectsOf(connection),
});

interface OtherInSystem {
  readonly other: OtherSync;
  /** The system of the connection in question, if it is known. */
  readonly here: System | undefined;
  /** The system of the other one. */
  readonly there: System | undefined;
}

/** Of which uses of a connection: by one of its project, or of the project `projectId`. */
interface Using {
  readonly projectId?: string;
  /** The sync itself, if it exists. */
  readonly exceptId?: string | undefined;
}

/**
 * The other syncs, also inactive ones, by credentials that reach the same system and share a project: the syncs of its
 * project and of those that it comes from, and by copies that come from these. All by connections of the organization
 * share that. Credentials that were given again to another project do not count: whoever gave them can write at the
 * target without Coffer.
 */
async function othersInSystem(
  ctx: Context,
  connection: Connection,
  connector: Connector,
  { projectId, exceptId }: Using = {},
): Promise<OtherInSystem[]> {
  const { app } = connection;
  const projects = [...projectsOf(connection), ...(projectId === undefined ? [] : [projectId])];
  const isOfOrganization = connection.projectId === null;
  const where = [organizationOf(ctx), app, projects, originOf(connection), exceptId ?? null, isOfOrganization];
  const others = (await ctx.sql<OtherRow>(OTHERS, where)).map(otherOf);
  if (others.length === 0) return [];
  const here = await systemOf(ctx, connection, connector);
  const systems = await systemsOf(ctx, others, connector);
  const isSame = ({ other, there }: OtherInSystem) =>
    // Where a system is not known, it may be the same.
    originOf(connection) === originOf(other.connection) || !here || !there || here.name === there.name;
  return others.map((other) => ({ other, here, there: systems.get(other.connection.id) })).filter(isSame);
}

/** The systems by connections. Many syncs have the same one: its credentials are opened once. */
async function systemsOf(ctx: Context, others: readonly OtherSync[], connector: Connector) {
  const systems = new Map<string, System | undefined>();
  for (const { connection } of others)
    if (!systems.has(connection.id)) systems.set(connection.id, await systemOf(ctx, connection, connector));
  return systems;
}

const otherOf = ({
  connectionId,
  connectionProjectId,
  app,
  given,
  credentials,
  originProjectIds,
  ...other
}: OtherRow): OtherSync => ({
  ...other,
  runAs: RunAs.nullable().parse(other.runAs),
  connection: {
    ...{ id: connectionId, organizationId: other.organizationId, projectId: connectionProjectId },
    ...{ app, given, credentials, originProjectIds },
  },
});

/** Some syncs of a project. */
export interface SyncsIn {
  readonly projectId: string;
  readonly environmentId?: string;
  /** The service whose credentials they use. */
  readonly integration?: string;
  readonly connectionId?: string;
  /** Only this one. */
  readonly syncId?: string;
}

const whereOf = (ctx: Context, which: SyncsIn) => {
  const { projectId, environmentId = null, integration = null, connectionId = null, syncId = null } = which;
  return [organizationOf(ctx), projectId, environmentId, integration, connectionId, syncId];
};

export const syncsIn = async (ctx: Context, which: SyncsIn): Promise<OtherSync[]> =>
  (await ctx.sql<OtherRow>(IN_PROJECT, whereOf(ctx, which))).map(otherOf);

/** Everything by which it is decided who may read what a sync has written. */
const STATES = statement(
  'secret_sync.states',
  `select i.id, i.destination, encode(sha256(convert_to(concat_ws(' ', i.updated_at, c.updated_at, e.slug,
     coalesce(f.path, i.secret_path), (
       select string_agg(concat_ws(' ', to_json(x.name), encode(x.hash, 'hex'), '-', encode(x.next_hash, 'hex')), ' '
         order by x.name)
       from secret_sync_entries x where x.sync_id = i.id)), 'UTF8')), 'hex') as state ${SOME}`,
);
const LOCK = statement('secret_sync.lock_some', `select i.id ${SOME} order by i.id for update of i`);
interface SyncState {
  readonly id: string;
  readonly destination: string;
  /** A hash of its configuration, source and entries. */
  readonly state: string;
}

/** The states of some syncs. In a transaction, they stay as they are until its end. */
export async function statesIn(ctx: Context, which: SyncsIn): Promise<SyncState[]> {
  // By a statement before: another one sees what was written while it waited.
  if (ctx.outbox) await ctx.sql(LOCK, whereOf(ctx, which));
  return ctx.sql<SyncState>(STATES, whereOf(ctx, which));
}

/** The syncs that reach the same system as a connection, by it or by others of its projects. */
export const syncsInSystem = async (ctx: Context, connection: Connection, connector: Connector): Promise<OtherSync[]> =>
  (await othersInSystem(ctx, connection, connector)).map(({ other }) => other);

/** The syncs by a connection. */
export const syncsBy = async (ctx: Context, connectionId: string): Promise<OtherSync[]> =>
  (await ctx.sql<OtherRow>(OF_CONNECTION, [connectionId])).map(otherOf);

/** How a sync is configured; `undefined` where that is no longer valid. */
export const configuredAs = ({ destination, config, options }: OtherSync): ConfiguredSync | undefined =>
  unlessInvalid(() => syncs.require(destination).configure(config, options));

/** The use of a target: by which connection, how, and from where. */
export interface TargetUse {
  readonly connection: Connection;
  readonly configured: ConfiguredSync;
  readonly source: Source;
  /** What `{{environment}}` in the key schema stands for; default: the slug of the source, as for a sync that is being saved. */
  readonly keyEnvironment?: string;
  /** The sync itself, if it exists. */
  readonly syncId?: string;
}

/**
 * The other syncs, also inactive ones, that write what this one may write or read at its target. One whose configuration
 * or credentials are not valid counts, since it is not known what it has written.
 */
export async function othersAt(
  ctx: Context,
  { connection, configured, source, keyEnvironment = source.environment, syncId: exceptId }: TargetUse,
): Promise<OtherSync[]> {
  const found: OtherSync[] = [];
  const { connector } = configured.sync;
  const { projectId } = source;
  for (const { other, here, there } of await othersInSystem(ctx, connection, connector, { projectId, exceptId })) {
    const theirs = configuredAs(other);
    if (theirs && theirs.sync !== configured.sync) continue;
    const mayMeet = () =>
      !theirs || !here || !there || here.path !== there.path
        ? true
        : mayOverlap(
            { ...configured, environment: keyEnvironment, base: here.base },
            { ...theirs, environment: other.keyEnvironment, base: there.base },
          );
    if (mayMeet()) found.push(other);
  }
  return found;
}
