import type { Claim } from '../../jobs/index.ts';
import { inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { RunAs } from '../../secrets/import/replication/index.ts';
import type { GivenAuth } from '../connection/index.ts';
import type { NamedPlace } from './named-places.ts';

/** A claimed sync, whose target only this process may change, with everything for its run. */
export interface Run {
  readonly id: string;
  readonly claimId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly connectionId: string;
  readonly destination: string;
  readonly environment: string;
  readonly secretPath: string;
  /** The actor that it runs as. */
  readonly runAs: RunAs | null;
  readonly config: object;
  readonly options: object;
  readonly hashKey: Buffer;
  readonly isInitialized: boolean;
  readonly isSynced: boolean | null;
  readonly sourceHash: Buffer | null;
  /** The places whose secrets its items may name; null if they are unknown. */
  readonly namedPlaces: readonly NamedPlace[] | null;
  readonly app: string;
  readonly credentials: Buffer;
  readonly givenAuth: GivenAuth | null;
  readonly originProjectIds: readonly string[];
  /** Its configuration, and when it was last updated. */
  readonly configuration: string;
}

/**
 * Records the worker and the current path of its folder. Also checks that it is still permitted: the connection and the
 * environment belong to the project.
 */
const BEGIN = statement(
  'secret_sync.begin',
  `update secret_syncs i set last_sync_job_id = $4, secret_path = coalesce(f.path, i.secret_path)
   from secret_syncs s
   join app_connections c on c.id = s.connection_id and c.project_id = s.project_id
   join environments e on e.id = s.environment_id and e.project_id = s.project_id
   left join folders f on f.id = s.folder_id and f.environment_id = s.environment_id and not f.is_reserved
   where s.id = i.id and i.organization_id = $1 and i.id = $2 and i.claim_id = $3
   returning i.id, i.claim_id as "claimId", i.organization_id as "organizationId", i.project_id as "projectId",
     i.connection_id as "connectionId", i.destination, e.slug as environment,
     coalesce(f.path, i.secret_path) as "secretPath", i.run_as as "runAs", i.config, i.options, i.hash_key as "hashKey",
     i.is_initialized as "isInitialized", i.is_synced as "isSynced", i.source_hash as "sourceHash",
     i.named_places as "namedPlaces",
     c.app, c.credentials, c.given as "givenAuth", c.origin_project_ids as "originProjectIds", concat_ws(' ', i.updated_at, c.updated_at) as configuration`,
);

/** The sync of a claim; `undefined` if the connection or the environment was deleted. */
export const beginRun = (ctx: Context, { organizationId, id, claimId }: Claim): Promise<Run | undefined> =>
  inTransaction(ctx, async (tx) => {
    const [run] = await tx.sql<Run>(BEGIN, [organizationId, id, claimId, ctx.request.id]);
    return run && { ...run, runAs: RunAs.nullable().parse(run.runAs) };
  });

const BEGIN_ANEW = statement(
  'secret_sync.begin_anew',
  `update secret_syncs set is_initialized = false, is_synced = null, sync_message = null, claim_id = null,
     claimed_until = null where id = $1`,
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
