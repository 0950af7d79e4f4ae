import { authorizeById, organizationOf, requireLasting, unlessHidden } from '../../access/index.ts';
import type { Claim } from '../../jobs/index.ts';
import {
  inTransaction,
  isId,
  lockedRow,
  notFound,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { RunAs } from '../../secrets/import/replication/index.ts';
import { pkiSyncPermissions, type PkiSyncAction } from './pki-sync.ts';

const THING = 'pki sync';

/** A stored sync, with the names of what it uses. */
export interface PkiSyncRow {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly connectionId: string;
  readonly app: string;
  readonly connectionName: string;
  readonly subscriberId: string | null;
  readonly subscriberName: string | null;
  readonly destination: string;
  readonly name: string;
  readonly description: string | null;
  readonly isAutoSyncEnabled: boolean;
  readonly config: object;
  readonly options: object;
  readonly runAs: RunAs | null;
  readonly isSynced: boolean | null;
  readonly syncMessage: string | null;
  readonly lastSyncedAt: string | null;
  readonly lastSyncJobId: string | null;
  readonly removeRequested: boolean;
  readonly isRemoved: boolean | null;
  readonly removeMessage: string | null;
  readonly lastRemovedAt: string | null;
  readonly lastRemoveJobId: string | null;
  readonly skipsSync: boolean;
  readonly dueAt: string | null;
  readonly failures: number;
  readonly claimedUntil: string | null;
  /** Until when the account of the connection rests. */
  readonly restsUntil: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const COLUMNS = `s.id, s.organization_id as "organizationId", s.project_id as "projectId", s.connection_id as "connectionId",
  c.app, c.name as "connectionName", s.subscriber_id as "subscriberId", u.name as "subscriberName", s.destination, s.name,
  s.description, s.is_auto_sync_enabled as "isAutoSyncEnabled", s.config, s.options, s.run_as as "runAs",
  s.is_synced as "isSynced", s.sync_message as "syncMessage", s.last_synced_at as "lastSyncedAt",
  s.last_sync_job_id as "lastSyncJobId", s.remove_requested as "removeRequested", s.is_removed as "isRemoved",
  s.remove_message as "removeMessage", s.last_removed_at as "lastRemovedAt", s.last_remove_job_id as "lastRemoveJobId",
  s.skips_sync as "skipsSync", s.due_at as "dueAt", s.failures, s.claimed_until as "claimedUntil",
  c.rests_until as "restsUntil",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;
const TABLES = `pki_syncs s join app_connections c on c.id = s.connection_id
  left join pki_subscribers u on u.id = s.subscriber_id`;

const BY_ID = statement(
  'pki_sync.by_id',
  `select ${COLUMNS} from ${TABLES} where s.organization_id = $1 and s.id = $2`,
);
const LOCK = statement(
  'pki_sync.lock',
  'select from pki_syncs where organization_id = $1 and id = $2 for no key update',
);
const LISTED = statement(
  'pki_sync.listed',
  `select ${COLUMNS} from ${TABLES} where s.organization_id = $1 and ($2::uuid is null or s.project_id = $2)
     and ($3::text is null or s.destination = $3) order by s.name, s.id`,
);

/** The sync with this ID. The rights of the caller are not checked. */
async function pkiSyncById(ctx: Context, organizationId: string, id: string): Promise<PkiSyncRow | undefined> {
  const [row] = await ctx.sql<PkiSyncRow>(BY_ID, [organizationId, id]);
  return row && { ...row, runAs: RunAs.nullable().parse(row.runAs) };
}

/** The current row, locked until the transaction ends. @throws DomainError 404 if it was deleted meanwhile. */
export async function lockPkiSync(
  tx: Transaction,
  { organizationId, id }: Pick<PkiSyncRow, 'organizationId' | 'id'>,
): Promise<PkiSyncRow> {
  const row = await lockedRow<PkiSyncRow>(tx, LOCK, BY_ID, [organizationId, id]);
  if (!row) throw notFound(THING);
  return row;
}

/** Those of a project, or of all projects, by name. */
export const pkiSyncsIn = (
  ctx: Context,
  projectId: string | undefined,
  destination: string | undefined,
): Promise<PkiSyncRow[]> => ctx.sql<PkiSyncRow>(LISTED, [organizationOf(ctx), projectId ?? null, destination ?? null]);

/**
 * The sync with that ID, if the caller may do this with it.
 *
 * @throws DomainError 404 if there is none to this destination, or none that the caller may see; 403.
 */
export async function requirePkiSync(
  ctx: Context,
  { pkiSyncId: id, destination }: { readonly pkiSyncId: string; readonly destination?: string | undefined },
  action: PkiSyncAction,
): Promise<PkiSyncRow> {
  const row = isId(id) ? await pkiSyncById(ctx, organizationOf(ctx), id) : undefined;
  if (!row || (destination !== undefined && row.destination !== destination)) throw notFound(THING);
  await requireMay(ctx, row, action);
  return row;
}

/** @throws DomainError 404 if the caller may not see its project; 403 */
export const requireMay = (
  ctx: Context,
  { projectId, name }: Pick<PkiSyncRow, 'projectId' | 'name'>,
  action: PkiSyncAction,
): Promise<void> => unlessHidden(THING, authorizeById(ctx, pkiSyncPermissions[action], { projectId, name }));

/** The current row, locked until the transaction ends, if the caller may do this by its present name. @throws DomainError 404, 403 */
export async function lockPermittedPkiSync(
  tx: Transaction,
  found: PkiSyncRow,
  action: PkiSyncAction,
): Promise<PkiSyncRow> {
  const row = await lockPkiSync(tx, found);
  await requireMay(tx, row, action);
  return row;
}

/**
 * A sync that follows changes has keys leave again and again: each run checks the right to read them, and not the right by which
 * it was set up.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function requireMayFollow(
  ctx: Context,
  { projectId, name, isAutoSyncEnabled }: Pick<PkiSyncRow, 'projectId' | 'name' | 'isAutoSyncEnabled'>,
  action: 'create' | 'edit',
): Promise<void> {
  const right = { permission: pkiSyncPermissions[action], fields: { projectId, name } };
  if (isAutoSyncEnabled) await requireLasting(ctx, projectId, right);
}

/** For events. */
export const eventDataOf = ({ id, name, destination, connectionId }: PkiSyncRow) => ({
  pkiSyncId: id,
  name,
  destination,
  connectionId,
});

/** A claimed sync, which only this process carries out. */
export interface Run extends PkiSyncRow {
  readonly claimId: string;
}

const BEGIN = statement(
  'pki_sync.begin',
  `update pki_syncs set last_sync_job_id = case when skips_sync then last_sync_job_id else $4 end,
     last_remove_job_id = case when remove_requested then $4 else last_remove_job_id end
   where organization_id = $1 and id = $2 and claim_id = $3`,
);

/** The sync of a claim; `undefined` if it was deleted. */
export const beginRun = (ctx: Context, { organizationId, id, claimId }: Claim): Promise<Run | undefined> =>
  inTransaction(ctx, async (tx) => {
    await tx.sql(BEGIN, [organizationId, id, claimId, ctx.request.id]);
    const row = await pkiSyncById(tx, organizationId, id);
    return row && { ...row, claimId: claimId! };
  });
