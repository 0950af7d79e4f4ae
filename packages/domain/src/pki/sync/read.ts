import { abilityIn, organizationOf, readableAtAll } from '../../access/index.ts';
import { missingSettingOfApp } from '../../connections/connection/index.ts';
import { statusOf, waitingMessage, type SyncStatus } from '../../connections/sync/index.ts';
import { at, atOrNull, isId, statement, type Context } from '../../kernel/index.ts';
import {
  allowsCertificate,
  certificateFactsOf,
  certificatePermissions,
  certificatesById,
} from '../certificate/index.ts';
import { DEFAULT_NAME } from './destination.ts';
import {
  pkiSyncPermissions,
  type ListPkiSyncCertificates,
  type ListPkiSyncs,
  type PkiSync,
  type PkiSyncCertificate,
  type PkiSyncOption,
} from './pki-sync.ts';
import { pkiSyncs } from './registry.ts';
import { pkiSyncsIn, requirePkiSync, type PkiSyncRow } from './stored.ts';

/** The destinations that are offered. */
export const pkiSyncOptions = ({ settings: { apps } }: Pick<Context, 'settings'>): PkiSyncOption[] =>
  pkiSyncs.members.map(({ destination, title, connector, limits }) => ({
    name: title,
    connection: connector.app,
    destination,
    canImportCertificates: false,
    canRemoveCertificates: true,
    defaultCertificateNameSchema: DEFAULT_NAME,
    allowedCharacterPattern: limits.name.source,
    minCertificateNameLength: 1,
    maxCertificateNameLength: limits.longestName,
    missingSetting: missingSettingOfApp(connector, apps),
  }));

const HAVING = statement(
  'pki_sync.having',
  'select sync_id as id from pki_sync_certificates where organization_id = $1 and certificate_id = $2',
);

/**
 * The syncs of a project that the caller may read, by name.
 *
 * @throws DomainError 404; 403 if no rule allows to read any.
 */
export async function listPkiSyncs(
  ctx: Context,
  { projectId, destination, certificateId }: ListPkiSyncs,
): Promise<PkiSync[]> {
  const isReadable = await readableAtAll(ctx, pkiSyncPermissions.read, { projectId });
  if (!isId(projectId)) return [];
  const rows = (await pkiSyncsIn(ctx, projectId, destination)).filter(({ name }) => isReadable({ name }));
  if (certificateId === undefined) return rows.map((row) => toPkiSync(row, ctx.now()));
  const isSeen = isId(certificateId) && (await mayRead(ctx, projectId, certificateId));
  const found = isSeen ? await ctx.sql<{ id: string }>(HAVING, [organizationOf(ctx), certificateId]) : [];
  const having = new Set(found.map(({ id }) => id));
  return rows.map((row) => ({ ...toPkiSync(row, ctx.now()), hasCertificate: having.has(row.id) }));
}

/** Whether there is such a certificate in a project that the caller may read: others are in no sync. */
async function mayRead(ctx: Context, projectId: string, certificateId: string): Promise<boolean> {
  const [certificate] = await certificatesById(ctx, organizationOf(ctx), [certificateId]);
  const ability = await abilityIn(ctx, projectId);
  return (
    certificate?.projectId === projectId &&
    allowsCertificate(ability, certificatePermissions.read, certificateFactsOf(certificate))
  );
}

/** @throws DomainError 404, 403 */
export const getPkiSync = async (
  ctx: Context,
  ref: { readonly pkiSyncId: string; readonly destination?: string },
): Promise<PkiSync> => toPkiSync(await requirePkiSync(ctx, ref, 'read'), ctx.now());

/** The published form. */
export function toPkiSync(row: PkiSyncRow, now: Date): PkiSync {
  const isRunning = row.claimedUntil !== null && at(row.claimedUntil) > now;
  // A later time is that of a retry, or of an expiry.
  const isDue = row.dueAt !== null && at(row.dueAt) <= now && !row.skipsSync;
  const syncs = isDue || (isRunning && !row.removeRequested);
  const waits = row.restsUntil !== null && at(row.restsUntil) > now ? waitingMessage(row.restsUntil) : null;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    isAutoSyncEnabled: row.isAutoSyncEnabled,
    projectId: row.projectId,
    subscriberId: row.subscriberId,
    subscriber: row.subscriberId === null ? null : { id: row.subscriberId, name: row.subscriberName! },
    connectionId: row.connectionId,
    connection: { id: row.connectionId, app: row.app, name: row.connectionName },
    appConnectionName: row.connectionName,
    appConnectionApp: row.app,
    syncStatus: statusOf(syncs, isRunning && !row.removeRequested, row.isSynced),
    lastSyncJobId: row.lastSyncJobId,
    lastSyncMessage: (isDue && !isRunning ? waits : null) ?? row.syncMessage,
    lastSyncedAt: atOrNull(row.lastSyncedAt),
    importStatus: null,
    lastImportJobId: null,
    lastImportMessage: null,
    lastImportedAt: null,
    removeStatus: statusOf(row.removeRequested, isRunning, row.isRemoved),
    lastRemoveJobId: row.lastRemoveJobId,
    lastRemoveMessage: (row.removeRequested ? waits : null) ?? row.removeMessage,
    lastRemovedAt: atOrNull(row.lastRemovedAt),
    createdAt: at(row.createdAt),
    updatedAt: at(row.updatedAt),
    destination: row.destination,
    destinationConfig: row.config,
    syncOptions: row.options,
  };
}

interface LinkRow {
  readonly id: string;
  readonly certificateId: string;
  readonly isSynced: boolean | null;
  readonly message: string | null;
  readonly lastSyncedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const LINKS = statement(
  'pki_sync.certificates',
  `select id, certificate_id as "certificateId", is_synced as "isSynced", message, last_synced_at as "lastSyncedAt",
     created_at as "createdAt", updated_at as "updatedAt"
   from pki_sync_certificates where organization_id = $1 and sync_id = $2 order by created_at, certificate_id`,
);

/**
 * The certificates of a sync that the caller may read.
 *
 * @throws DomainError 404, 403.
 */
export async function listPkiSyncCertificates(
  ctx: Context,
  { pkiSyncId, offset, limit }: ListPkiSyncCertificates,
): Promise<{ certificates: PkiSyncCertificate[]; totalCount: number }> {
  const row = await requirePkiSync(ctx, { pkiSyncId }, 'read');
  const all = await linksOf(ctx, row);
  return { certificates: all.slice(offset, offset + limit), totalCount: all.length };
}

/** Those of the links of a sync, or of some of them, whose certificates the caller may read. */
export async function linksOf(
  ctx: Context,
  row: PkiSyncRow,
  only?: ReadonlySet<string>,
): Promise<PkiSyncCertificate[]> {
  const { organizationId, id, projectId, name, destination } = row;
  const links = await ctx.sql<LinkRow>(LINKS, [organizationId, id]);
  const chosen = only ? links.filter(({ certificateId }) => only.has(certificateId)) : links;
  const rows = await certificatesById(
    ctx,
    organizationId,
    chosen.map(({ certificateId }) => certificateId),
  );
  const certificateOf = new Map(rows.map((one) => [one.id, one]));
  const ability = await abilityIn(ctx, projectId);
  return chosen.flatMap((link) => {
    const certificate = certificateOf.get(link.certificateId);
    if (!certificate || !allowsCertificate(ability, certificatePermissions.read, certificateFactsOf(certificate)))
      return [];
    return {
      id: link.id,
      pkiSyncId: id,
      certificateId: certificate.id,
      syncStatus: linkStatus(link),
      lastSyncMessage: link.message,
      lastSyncedAt: atOrNull(link.lastSyncedAt),
      createdAt: at(link.createdAt),
      updatedAt: at(link.updatedAt),
      certificateSerialNumber: certificate.serialNumber,
      certificateCommonName: certificate.commonName,
      certificateAltNames: certificate.altNames,
      certificateStatus: certificate.status,
      certificateNotBefore: at(certificate.notBefore),
      certificateNotAfter: at(certificate.notAfter),
      certificateRenewBeforeDays: certificate.renewBeforeDays,
      certificateRenewalError: certificate.renewalError,
      pkiSyncName: name,
      pkiSyncDestination: destination,
    };
  });
}

/** One that is over has a message, and no status. */
const linkStatus = ({ isSynced, message }: LinkRow): SyncStatus =>
  isSynced === null && message === null ? 'pending' : statusOf(false, false, isSynced);
