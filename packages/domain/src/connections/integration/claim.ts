import { inTransaction, newId, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { RunAs } from '../../secrets/import/replication/index.ts';
import { IntegrationSettings, type TargetFields } from './destination.ts';
import type { Entry, HashedName } from './difference.ts';
import { BUDGET_MS } from './remote.ts';

/** An integration whose target one process may touch now, with all that this takes. */
export interface Run extends TargetFields {
  readonly id: string;
  readonly claimId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly integrationAuthId: string;
  readonly integration: string;
  readonly environment: string;
  readonly secretPath: string;
  /** Who answers for it. */
  readonly runAs: RunAs | null;
  readonly metadata: IntegrationSettings;
  readonly sealed: Buffer;
  readonly target: string;
  readonly isInitialized: boolean;
  readonly isSynced: boolean | null;
  readonly sourceHash: Buffer | null;
  readonly failures: number;
  readonly authSealed: Buffer;
  readonly authUrl: string | null;
  readonly authNamespace: string | null;
  /** What it is configured by, and when that was last changed. */
  readonly configuration: string;
}

/** Longer than a sync may take: whoever still holds a claim then is dead. */
const CLAIM_MS = 3 * BUDGET_MS;

const TARGET = statement(
  'integration.target',
  'select target from integrations where organization_id = $1 and id = $2',
);
const LOCK = statement('integration.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 21))');

/** Of those that write to one place, one at a time: two that write one document would each lose the other's. */
const CLAIM = statement(
  'integration.claim',
  `update integrations i set claim_id = $3, claimed_until = $4, due_at = null, last_sync_job_id = $5,
     secret_path = coalesce((select f.path from folders f where f.id = i.folder_id), i.secret_path)
   where i.organization_id = $1 and i.id = $2 and ($6 or (i.is_active and (i.due_at <= $7 or i.claimed_until <= $7)))
     and i.target = $8
     and not exists (select 1 from integrations o
       where o.organization_id = i.organization_id and o.target = i.target and o.claimed_until > $7)
   returning i.id`,
);

/** Also asks whether it is still allowed: the authentication and the environment are the project's. */
const RUN = statement(
  'integration.run',
  `select i.id, i.claim_id as "claimId", i.organization_id as "organizationId", i.project_id as "projectId",
     i.integration_auth_id as "integrationAuthId", i.integration, e.slug as environment,
     coalesce(f.path, i.secret_path) as "secretPath", i.sponsor as "runAs", i.metadata, i.sealed, i.target,
     i.is_initialized as "isInitialized", i.is_synced as "isSynced", i.source_hash as "sourceHash", i.failures,
     i.app, i.app_id as "appId", i.owner, i.path, i.region, i.scope, i.target_environment as "targetEnvironment",
     i.target_environment_id as "targetEnvironmentId", i.target_service as "targetService",
     i.target_service_id as "targetServiceId",
     a.sealed as "authSealed", a.url as "authUrl", a.namespace as "authNamespace",
     concat_ws(' ', i.updated_at, a.updated_at) as configuration
   from integrations i
   join integration_auths a on a.id = i.integration_auth_id and a.project_id = i.project_id
     and a.integration = i.integration
   join environments e on e.id = i.environment_id and e.project_id = i.project_id
   left join folders f on f.id = i.folder_id and f.environment_id = i.environment_id and not f.is_reserved
   where i.organization_id = $1 and i.id = $2 and i.claim_id = $3`,
);

/**
 * Takes an integration for a sync that is due, or, with `always`, for whatever else has to be done at its target.
 * `undefined` where it is not due, or somebody is at work there.
 */
export const claim = (
  ctx: Context,
  organizationId: string,
  integrationId: string,
  { always = false } = {},
): Promise<Run | undefined> =>
  inTransaction(ctx, async (tx) => {
    const [found] = await tx.sql<{ target: string }>(TARGET, [organizationId, integrationId]);
    if (!found) return undefined;
    await tx.sql(LOCK, [`${organizationId} ${found.target}`]);
    const now = ctx.now();
    const claimId = newId();
    const until = new Date(now.getTime() + CLAIM_MS);
    const job = ctx.request.id;
    const claimed = await tx.sql(CLAIM, [
      organizationId,
      integrationId,
      claimId,
      until,
      job,
      always,
      now,
      found.target,
    ]);
    if (claimed.length === 0) return undefined;
    const [run] = await tx.sql<Run>(RUN, [organizationId, integrationId, claimId]);
    return (
      run && {
        ...run,
        metadata: IntegrationSettings.parse(run.metadata),
        runAs: RunAs.nullable().parse(run.runAs),
      }
    );
  });

interface EntryRow extends Entry {
  name: string;
}
const ENTRIES = statement(
  'integration.entries',
  'select name, hash, next_hash as "nextHash" from integration_entries where integration_id = $1 order by name',
);

/** What the integration has put at its target. */
export const entriesOf = async (ctx: Context, { id }: Run): Promise<Map<string, Entry>> =>
  new Map((await ctx.sql<EntryRow>(ENTRIES, [id])).map(({ name, ...entry }) => [name, entry]));

/**
 * All of these do nothing for whoever has lost the claim: another run, or another configuration, has taken over. The
 * integration is locked before its entries, here as wherever both are changed.
 */
const HELD = `held as (
  select i.id, i.organization_id from integrations i where i.id = $1 and i.claim_id = $2 for share)`;
const INTEND = statement(
  'integration.intend',
  `with ${HELD}, noted as (
     insert into integration_entries (integration_id, organization_id, name, next_hash)
     select held.id, held.organization_id, n.name, n.hash from held, unnest($3::text[], $4::bytea[]) as n (name, hash)
     on conflict (integration_id, name) do update set next_hash = excluded.next_hash)
   select id from held`,
);
const CONFIRM = statement(
  'integration.confirm',
  `with ${HELD}
   insert into integration_entries (integration_id, organization_id, name, hash)
   select held.id, held.organization_id, n.name, n.hash from held, unnest($3::text[], $4::bytea[]) as n (name, hash)
   on conflict (integration_id, name) do update set hash = excluded.hash, next_hash = null`,
);
const DROP = statement(
  'integration.drop_claims',
  `with ${HELD}
   delete from integration_entries x using held where x.integration_id = held.id and x.name = any($3::text[])`,
);

const columns = (names: readonly HashedName[]) => [names.map(({ name }) => name), names.map(({ hash }) => hash)];

/** Notes what is about to be put, before it is: should this process die, it is known what may be there. */
export const intend = (ctx: Context, { id, claimId }: Run, names: readonly HashedName[]): Promise<boolean> =>
  inTransaction(ctx, async (tx) => (await tx.sql(INTEND, [id, claimId, ...columns(names)])).length > 0);

/** Notes what surely is there now, and what is this integration's no longer. */
export const confirm = (
  ctx: Context,
  { id, claimId }: Run,
  put: readonly HashedName[],
  gone: readonly string[],
): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    if (put.length > 0) await tx.sql(CONFIRM, [id, claimId, ...columns(put)]);
    if (gone.length > 0) await tx.sql(DROP, [id, claimId, gone]);
  });

const BEGIN_ANEW = statement(
  'integration.begin_anew',
  'update integrations set is_initialized = false, claim_id = null, claimed_until = null where id = $1',
);
const DROP_ALL = statement('integration.drop_all', 'delete from integration_entries where integration_id = $1');

/** For an integration that will write elsewhere: what it has put is no longer its own, and who is at it loses the claim. */
export async function beginAnew(tx: Transaction, integrationId: string): Promise<void> {
  await tx.sql(BEGIN_ANEW, [integrationId]);
  await tx.sql(DROP_ALL, [integrationId]);
}
