import { organizationOf } from '../../access/index.ts';
import { statement, type Context } from '../../kernel/index.ts';
import { RunAs } from '../../secrets/import/replication/index.ts';
import { systemOf, unlessInvalid, type GivenAuth, type StoredConnection, type System } from '../connection/index.ts';
import { syncs } from '../registry.ts';
import { mayOverlap } from './overlap.ts';
import type { Source } from './source.ts';
import type { ConfiguredSync, SyncOptions } from './sync.ts';

/** A connection by which targets are used. */
export interface Connection extends StoredConnection {
  readonly projectId: string;
  readonly app: string;
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
  readonly connection: Connection;
}

const COLUMNS = `i.id, i.organization_id as "organizationId", i.project_id as "projectId", e.slug as environment,
  coalesce(f.path, i.secret_path) as "secretPath", i.is_active as "isActive", i.run_as as "runAs", i.destination, i.config,
  i.options, i.hash_key as "hashKey", c.id as "connectionId", c.project_id as "connectionProjectId", c.app, c.given,
  c.credentials`;
const TABLES = `secret_syncs i join app_connections c on c.id = i.connection_id join environments e on e.id = i.environment_id
  left join folders f on f.id = i.folder_id and not f.is_reserved`;

/** Syncs of the project, and those by copies of the same credentials in any project; also inactive ones. */
const OTHERS = statement(
  'secret_sync.others',
  `select ${COLUMNS} from ${TABLES} where i.organization_id = $1 and c.app = $2 and i.id is distinct from $5
     and ((i.project_id = $3 and not $6) or coalesce(c.given ->> 'origin', c.id::text) = $4)
   order by i.id`,
);
const OF_CONNECTION = statement(
  'secret_sync.of_connection',
  `select ${COLUMNS} from ${TABLES} where i.connection_id = $1 order by i.id`,
);
const IN_PROJECT = statement(
  'secret_sync.in_project',
  `select ${COLUMNS} from ${TABLES} where i.organization_id = $1 and i.project_id = $2
     and ($3::uuid is null or i.environment_id = $3) and ($4::text is null or c.integration = $4)
     and ($5::uuid is null or c.id = $5)
   order by i.id`,
);
const ONE = statement('secret_sync.one', `select ${COLUMNS} from ${TABLES} where i.id = $1`);
type OtherRow = Omit<OtherSync, 'connection'> &
  Pick<Connection, 'app' | 'given' | 'credentials'> & {
    readonly connectionId: string;
    readonly connectionProjectId: string;
  };

/** The connection that credentials were first given to. */
export const originOf = ({ id, given }: { readonly id: string; readonly given?: GivenAuth | null }): string =>
  given?.origin ?? id;

async function othersOf(ctx: Context, connection: Connection, exceptId: string | null, isByCopies: boolean) {
  const { app, projectId } = connection;
  const where = [organizationOf(ctx), app, projectId, originOf(connection), exceptId, isByCopies];
  return (await ctx.sql<OtherRow>(OTHERS, where)).map(otherOf);
}

const otherOf = ({ connectionId, connectionProjectId, app, given, credentials, ...other }: OtherRow): OtherSync => ({
  ...other,
  runAs: RunAs.nullable().parse(other.runAs),
  connection: {
    ...{ id: connectionId, organizationId: other.organizationId, projectId: connectionProjectId },
    ...{ app, given, credentials },
  },
});

/** Some syncs of a project. */
export interface SyncsIn {
  readonly projectId: string;
  readonly environmentId?: string;
  /** The service whose credentials they use. */
  readonly integration?: string;
  readonly connectionId?: string;
}

export async function syncsIn(ctx: Context, which: SyncsIn): Promise<OtherSync[]> {
  const { projectId, environmentId = null, integration = null, connectionId = null } = which;
  const where = [organizationOf(ctx), projectId, environmentId, integration, connectionId];
  return (await ctx.sql<OtherRow>(IN_PROJECT, where)).map(otherOf);
}

/** The syncs by some credentials, and by all copies of them. */
export const syncsByCopies = (ctx: Context, connection: Connection): Promise<OtherSync[]> =>
  othersOf(ctx, connection, null, true);

/** The syncs by a connection. */
export const syncsBy = async (ctx: Context, connectionId: string): Promise<OtherSync[]> =>
  (await ctx.sql<OtherRow>(OF_CONNECTION, [connectionId])).map(otherOf);

/** One sync; none if it was deleted meanwhile. */
export const syncsWithId = async (ctx: Context, id: string): Promise<OtherSync[]> =>
  (await ctx.sql<OtherRow>(ONE, [id])).map(otherOf);

/** How a sync is configured; `undefined` where that is no longer valid. */
export const configuredAs = ({ destination, config, options }: OtherSync): ConfiguredSync | undefined =>
  unlessInvalid(() => syncs.require(destination).configure(config, options));

/** The use of a target: by which connection, and how. */
export interface TargetUse {
  readonly connection: Connection;
  readonly configured: ConfiguredSync;
  /** The sync itself, if it exists. */
  readonly syncId?: string;
}

/**
 * The other syncs, also inactive ones, that write what this one may write or read at its target. One whose configuration
 * or credentials are not valid counts, since it is not known what it has written.
 */
export async function othersAt(ctx: Context, { connection, configured, syncId }: TargetUse): Promise<OtherSync[]> {
  const found: OtherSync[] = [];
  const { connector } = configured.sync;
  let own: Promise<System | undefined> | undefined;
  for (const other of await othersOf(ctx, connection, syncId ?? null, false)) {
    const theirs = configuredAs(other);
    if (theirs && theirs.sync !== configured.sync) continue;
    const here = await (own ??= systemOf(ctx, connection, connector));
    const there = await systemOf(ctx, other.connection, connector);
    const isSameSystem =
      originOf(connection) === originOf(other.connection) || !here || !there || here.name === there.name;
    const mayMeet = () =>
      !theirs || !here || !there
        ? true
        : mayOverlap({ ...configured, base: here.base }, { ...theirs, base: there.base });
    if (isSameSystem && mayMeet()) found.push(other);
  }
  return found;
}
