import { abilityWithinReach, organizationOf } from '../../access/index.ts';
import { badRequest, DomainError, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { ofOthers, requireMayReplaceSource } from '../../secrets/publication/index.ts';
import { openAuth, systemOf, type GivenAuth, type StoredConnection } from '../connection/index.ts';
import { syncs } from '../registry.ts';
import { mayOverlap, requireVisible, type ConfiguredSync, type Source, type SyncOptions } from '../sync/index.ts';
import { unlessNotFound, type AuthRow } from './find.ts';

/**
 * A target is a place of secrets too: its readers trust what a folder of Coffer publishes there. So whoever publishes
 * something else there, or ends the publication, needs the permissions to write the folder; and whoever imports from
 * there needs the permissions to read it. Every operation that makes, changes or removes an integration, or copies its
 * credentials, calls this.
 */

/** The source of an integration with its connection. */
interface Other extends Source {
  readonly id: string;
  readonly destination: string;
  readonly config: object;
  readonly options: object;
  readonly connection: Connection;
}
interface Connection extends StoredConnection {
  readonly projectId: string;
  readonly app: string;
  readonly integration: string;
}

/** Integrations of the project, and those by copies of the same credentials in any project. */
const OTHERS = statement(
  'integration.others',
  `select i.id, i.project_id as "projectId", e.slug as environment, coalesce(f.path, i.secret_path) as "secretPath",
     i.destination, i.config, i.options, c.id as "connectionId", c.organization_id as "organizationId",
     c.project_id as "connectionProjectId", c.app, c.integration, c.given, c.credentials
   from secret_syncs i join app_connections c on c.id = i.connection_id join environments e on e.id = i.environment_id
   left join folders f on f.id = i.folder_id and not f.is_reserved
   where i.organization_id = $1 and c.app = $2 and i.id is distinct from $5
     and ((i.project_id = $3 and not $6) or coalesce(c.given ->> 'origin', c.id::text) = $4)
   order by i.id`,
);
type OtherRow = Omit<Other, 'connection'> &
  Omit<Connection, 'id' | 'projectId'> & { readonly connectionId: string; readonly connectionProjectId: string };

/** The connection that credentials were first given to. */
export const originOf = ({ id, given }: { readonly id: string; readonly given?: GivenAuth | null }): string =>
  given?.origin ?? id;

async function othersOf(ctx: Context, auth: AuthRow, exceptId: string | null, isByCopies: boolean): Promise<Other[]> {
  const where = [organizationOf(ctx), auth.app, auth.projectId, originOf(auth), exceptId, isByCopies];
  return (await ctx.sql<OtherRow>(OTHERS, where)).map(
    ({ connectionId, connectionProjectId, organizationId, app, integration, given, credentials, ...other }) => ({
      ...other,
      connection: {
        id: connectionId,
        projectId: connectionProjectId,
        organizationId,
        app,
        integration,
        given,
        credentials,
      },
    }),
  );
}

function configuredAs({ destination, config, options }: Other): ConfiguredSync | undefined {
  try {
    return syncs.require(destination).configure(config, options);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** The use of a target: by which connection, and how. */
interface TargetUse {
  readonly auth: AuthRow;
  readonly configured: ConfiguredSync;
  /** The integration itself, if it exists. */
  readonly integrationId?: string;
}

/** The other integrations, also disabled ones, that write what this one may write or read at its target. */
async function othersAt(ctx: Context, { auth, configured, integrationId }: TargetUse): Promise<Other[]> {
  const found: Other[] = [];
  const systemBy = async (connection: Connection) =>
    systemOf(connection.app, await openAuth(ctx, connection, configured.sync.connector));
  let own: string | undefined;
  for (const other of await othersOf(ctx, auth, integrationId ?? null, false)) {
    const theirs = configuredAs(other);
    if (theirs && !mayOverlap(configured, theirs)) continue;
    const isSameSystem =
      originOf(auth) === originOf(other.connection) ||
      (own ??= await systemBy(auth)) === (await systemBy(other.connection));
    if (isSameSystem) found.push(other);
  }
  return found;
}

/** Whether the first sync reads the target. */
const isImporting = ({ initialSyncBehavior }: SyncOptions): boolean => initialSyncBehavior !== 'overwrite-destination';

/** Rejects a caller who may not read all that these integrations write. */
async function requireReadable(ctx: Context, others: readonly Other[]): Promise<void> {
  for (const other of others) {
    if (!(await abilityWithinReach(ctx, other.projectId))) throw ofOthers();
    await requireVisible(ctx, other).catch(unlessNotFound);
  }
}

/** The integrations of which the caller may read everything, so that a target can be read by their connection. */
type Readable = ReadonlySet<string>;

/** Comes before the transaction, because it reads values. @throws DomainError 403 */
export async function requireReadableTarget(ctx: Context, use: TargetUse): Promise<Readable> {
  if (!isImporting(use.configured.options)) return new Set();
  const others = await othersAt(ctx, use);
  await requireReadable(ctx, others);
  return new Set(others.map(({ id }) => id));
}

/** Serializes what makes integrations write somewhere, so that no two miss each other. */
const LOCK = statement('integration.lock_targets', 'select pg_advisory_xact_lock(hashtextextended($1, 51))');

/**
 * Rejects a caller who may not write what other integrations write to a target.
 *
 * @throws DomainError 403; ApprovalNeeded.
 */
export async function requireMayUseTarget(tx: Transaction, use: TargetUse, readable: Readable): Promise<void> {
  await tx.sql(LOCK, [organizationOf(tx)]);
  for (const other of await othersAt(tx, use)) {
    await requireMayReplaceSource(tx, other);
    if (isImporting(use.configured.options) && !readable.has(other.id))
      throw badRequest('integration.changed', 'Another integration has just begun to write there: ask again');
  }
}

/**
 * Rejects a caller who takes credentials elsewhere, and may not read and write all that integrations write by them.
 *
 * @throws DomainError 403; ApprovalNeeded.
 */
export async function requireMayCopy(ctx: Context, auth: AuthRow): Promise<(tx: Transaction) => Promise<void>> {
  const others = await othersOf(ctx, auth, null, true);
  await requireReadable(ctx, others);
  return async (tx) => {
    for (const other of others) await requireMayReplaceSource(tx, other);
  };
}
