import type { Claim } from '../../jobs/index.ts';
import { inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { RunAs } from '../../secrets/import/replication/index.ts';
import type { GivenAuth } from '../connection/index.ts';
import type { NamedPlace } from './named-places.ts';
import type { ImportBehavior } from './sync.ts';

/** A claimed sync, whose target only this process may change, with everything for its run. */
export interface Run {
  readonly id: string;
  readonly claimId: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** null: it was made as an integration. */
  readonly name: string | null;
  readonly connectionId: string;
  readonly connectionProjectId: string | null;
  readonly destination: string;
  readonly environment: string;
  readonly secretPath: string;
  /** What `{{environment}}` in its key schema stands for: the slug when it was saved. */
  readonly keyEnvironment: string;
  /** The actor that it runs as. */
  readonly runAs: RunAs | null;
  readonly config: object;
  readonly options: object;
  readonly hashKey: Buffer;
  readonly isInitialized: boolean;
  readonly isSynced: boolean | null;
  readonly sourceHash: Buffer | null;
  /** Whether no sync is due, but what is requested. */
  readonly skipsSync: boolean;
  readonly importRequested: ImportBehavior | null;
  readonly removeRequested: boolean;
  /** Who has requested these; null also where an earlier release has stored the request. */
  readonly importRequester: RunAs | null;
  readonly removeRequester: RunAs | null;
  /** The places whose secrets its items may name; null if they are unknown. */
  readonly namedPlaces: readonly NamedPlace[] | null;
  readonly app: string;
  readonly credentials: Buffer;
  readonly givenAuth: GivenAuth | null;
  readonly originProjectIds: readonly string[];
  /** Its configuration, and when it was last updated. */
  readonly configuration: string;
}

/** Still permitted: the connection is the project's or the organization's, and the environment the project's. */
const TABLES = `secret_syncs s
   join app_connections c on c.id = s.connection_id and c.organization_id = s.organization_id
     and (c.project_id = s.project_id or c.project_id is null)
   join environments e on e.id = s.environment_id and e.project_id = s.project_id
   left join folders f on f.id = s.folder_id and f.environment_id = s.environment_id and not f.is_reserved`;
const columnsOf = (
  sync: string,
) => `${sync}.id, ${sync}.claim_id as "claimId", ${sync}.organization_id as "organizationId",
     ${sync}.project_id as "projectId", ${sync}.name, ${sync}.connection_id as "connectionId", ${sync}.destination,
     e.slug as environment, coalesce(${sync}.key_environment, e.slug) as "keyEnvironment", coalesce(f.path, ${sync}.secret_path) as "secretPath", ${sync}.run_as as "runAs", ${sync}.config,
     ${sync}.options, ${sync}.hash_key as "hashKey", ${sync}.is_initialized as "isInitialized", ${sync}.is_synced as "isSynced",
     ${sync}.source_hash as "sourceHash", ${sync}.named_places as "namedPlaces", ${sync}.skips_sync as "skipsSync",
     ${sync}.import_requested as "importRequested", ${sync}.remove_requested as "removeRequested",
     ${sync}.import_requester as "importRequester", ${sync}.remove_requester as "removeRequester",
     c.project_id as "connectionProjectId", c.app, c.credentials, c.given as "givenAuth",
     c.origin_project_ids as "originProjectIds", concat_ws(' ', ${sync}.updated_at, c.updated_at) as configuration`;

/** Records the worker and the current path of its folder. */
const BEGIN = statement(
  'secret_sync.begin',
  `update secret_syncs i set secret_path = coalesce(f.path, i.secret_path),
     last_sync_job_id = case when i.skips_sync then i.last_sync_job_id else $4 end,
     last_import_job_id = case when i.import_requested is null then i.last_import_job_id else $4 end,
     last_remove_job_id = case when i.remove_requested then $4 else i.last_remove_job_id end
   from ${TABLES} where s.id = i.id and i.organization_id = $1 and i.id = $2 and i.claim_id = $3
   returning ${columnsOf('i')}`,
);

/** The sync of a claim; `undefined` if the connection or the environment was deleted. */
export const beginRun = (ctx: Context, { organizationId, id, claimId }: Claim): Promise<Run | undefined> =>
  inTransaction(ctx, async (tx) => {
    const [run] = await tx.sql<Run>(BEGIN, [organizationId, id, claimId, ctx.request.id]);
    return run && readRun(run);
  });

const readRun = (run: Run): Run => ({
  ...run,
  runAs: RunAs.nullable().parse(run.runAs),
  importRequester: RunAs.nullable().parse(run.importRequester),
  removeRequester: RunAs.nullable().parse(run.removeRequester),
});

const LOOK = statement(
  'secret_sync.look',
  `select ${columnsOf('s')} from ${TABLES} where s.organization_id = $1 and s.id = $2`,
);

/** A sync as a run finds it, without a claim: for work that changes nothing. */
export async function lookAt(
  ctx: Context,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<Run | undefined> {
  const [run] = await ctx.sql<Run>(LOOK, [organizationId, id]);
  return run && readRun(run);
}

const BEGIN_ANEW = statement(
  'secret_sync.begin_anew',
  `update secret_syncs set is_initialized = false, is_synced = null, sync_message = null, claim_id = null,
     claimed_until = null, import_requested = null, import_requester = null, remove_requested = false, remove_requester = null
   where id = $1`,
);
const DROP_ALL = statement('secret_sync.drop_all', 'delete from secret_sync_entries where sync_id = $1');

/**
 * For a change of the target: the sync no longer owns its items, its status is about the former ones, and a running
 * worker loses the claim.
 */
export async function beginAnew(tx: Transaction, syncId: string): Promise<void> {
  await tx.sql(BEGIN_ANEW, [syncId]);
  await tx.sql(DROP_ALL, [syncId]);
}
