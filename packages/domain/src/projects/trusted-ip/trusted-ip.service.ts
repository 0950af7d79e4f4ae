import { authorize, organizationOf, requireAuthorityOverEverybody, requireLasting } from '../../access/index.ts';
import {
  givenFields,
  addressMatcher,
  badRequest,
  invalidate,
  includesRange,
  inTransaction,
  isId,
  newId,
  notFound,
  parseTrustedAddress,
  record,
  statement,
  type Context,
  type Permission,
  type Transaction,
  type TrustedAddress,
} from '../../kernel/index.ts';
import { TrustedIpEntity } from './trusted-ip.entity.ts';
import {
  trustedIpCreated,
  trustedIpDeleted,
  trustedIpPermissions,
  trustedIpUpdated,
  type TrustedIpEvent,
  type CreateTrustedIp,
  type TrustedIp,
  type TrustedIpById,
  type UpdateTrustedIp,
} from './trusted-ip.ts';

/** Maximum number of entries of a project: all of them are cached with the rights of its members. */
const MAX_ENTRIES = 100;

const addressOf = ({ ipAddress, type, prefix }: TrustedIpEntity): TrustedAddress => ({
  ipAddress,
  type,
  ...(typeof prefix === 'number' && { prefix }),
});

const toTrustedIp = (row: TrustedIpEntity): TrustedIp => ({
  id: row.id,
  ...addressOf(row),
  isActive: row.isActive,
  comment: row.comment ?? null,
  projectId: row.projectId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

/** The addresses from which a project may be used, oldest first, including inactive ones. */
export async function listTrustedIps(ctx: Context, { projectId }: { projectId: string }): Promise<TrustedIp[]> {
  await authorize(ctx, trustedIpPermissions.read, { projectId });
  return (await entriesOf(ctx, projectId)).map(toTrustedIp);
}

/**
 * @throws DomainError 400 `ip.invalid` for text that is no address; `trusted_ip.own_address` where the caller's own address
 * would not be trusted afterwards; `trusted_ip.too_many`. 403 `PermissionBoundaryError` if an address is trusted that was not, and the
 * caller's right to this change ends; and if one is not that was, and the caller holds less, or for less long, than an administrator.
 */
export async function createTrustedIp(ctx: Context, input: CreateTrustedIp): Promise<TrustedIp> {
  const { projectId, ipAddress, comment, isActive } = input;
  await authorize(ctx, trustedIpPermissions.create, { projectId });
  const { prefix, ...address } = parseTrustedAddress(ipAddress);
  return inTransaction(ctx, async (tx) => {
    const { entries, before } = await lockEntries(tx, projectId);
    if (entries.length >= MAX_ENTRIES)
      throw badRequest('trusted_ip.too_many', `A project can have at most ${MAX_ENTRIES} trusted IPs; use ranges`);
    const entry = tx.em.create(TrustedIpEntity, {
      id: newId(),
      organizationId: organizationOf(tx),
      projectId,
      ...address,
      prefix: prefix ?? null,
      isActive,
      comment: comment ?? null,
    });
    await tx.em.persist(entry).flush();
    return changed(tx, entry, { before, permission: trustedIpPermissions.create }, (data) =>
      record(tx, trustedIpCreated, data, { projectId }),
    );
  });
}

/**
 * Updates the given fields of an entry.
 *
 * @throws DomainError as `createTrustedIp`.
 */
export async function updateTrustedIp(ctx: Context, input: UpdateTrustedIp): Promise<TrustedIp> {
  const { projectId, trustedIpId, ipAddress, comment, isActive } = input;
  await authorize(ctx, trustedIpPermissions.edit, { projectId });
  const address = ipAddress === undefined ? undefined : parseTrustedAddress(ipAddress);
  return inTransaction(ctx, async (tx) => {
    const { before } = await lockEntries(tx, projectId);
    const entry = await findEntry(tx, projectId, trustedIpId);
    tx.em.assign(entry, {
      ...(address && { ...address, prefix: address.prefix ?? null }),
      ...(comment !== undefined && { comment }),
      ...(isActive !== undefined && { isActive }),
    });
    await tx.em.flush();
    const fields = givenFields({ ipAddress, comment, isActive });
    return changed(tx, entry, { before, permission: trustedIpPermissions.edit }, (data) =>
      record(tx, trustedIpUpdated, { ...data, changed: fields }, { projectId }),
    );
  });
}

/** @throws DomainError as `createTrustedIp`: without active entries, every address is trusted. */
export async function deleteTrustedIp(ctx: Context, { projectId, trustedIpId }: TrustedIpById): Promise<TrustedIp> {
  await authorize(ctx, trustedIpPermissions.delete, { projectId });
  return inTransaction(ctx, async (tx) => {
    const { before } = await lockEntries(tx, projectId);
    const entry = await findEntry(tx, projectId, trustedIpId);
    tx.em.remove(entry);
    await tx.em.flush();
    return changed(tx, entry, { before, permission: trustedIpPermissions.delete }, (data) =>
      record(tx, trustedIpDeleted, data, { projectId }),
    );
  });
}

interface Change {
  /** The active entries before it. */
  readonly before: readonly TrustedAddress[];
  /** By which the caller makes it. */
  readonly permission: Permission;
}

/** What follows from every change of an entry. Cached rights go with the addresses for which they count. */
async function changed(
  tx: Transaction,
  entry: TrustedIpEntity,
  { before, permission }: Change,
  note: (data: TrustedIpEvent) => void,
): Promise<TrustedIp> {
  const { projectId } = entry;
  const after = activeIn(await entriesOf(tx, projectId));
  requireOwnAddress(tx, after);
  // What is trusted remains so after the caller's right.
  if (trustsMore(before, after)) await requireLasting(tx, projectId, { permission, fields: { projectId } });
  // Whoever calls from elsewhere, be it every administrator, is shut out until the entries are changed again.
  if (trustsMore(after, before))
    await requireAuthorityOverEverybody(tx, { organizationId: organizationOf(tx), projectId });
  invalidate(tx, `access:${projectId}`);
  const { id: trustedIpId, ipAddress, prefix = null, isActive } = entry;
  note({ trustedIpId, ipAddress, prefix, isActive });
  return toTrustedIp(entry);
}

const activeIn = (entries: readonly TrustedIpEntity[]): TrustedAddress[] =>
  entries.filter(({ isActive }) => isActive).map(addressOf);

/** Whether `after` may trust an address that `before` does not. Without active entries, all are; several ranges that make up another do not count as that. */
const trustsMore = (before: readonly TrustedAddress[], after: readonly TrustedAddress[]): boolean =>
  before.length > 0 && (after.length === 0 || after.some((one) => !includesRange(before, one)));

/** A caller cannot lock itself out: after a change of the entries, its own address must still match. */
function requireOwnAddress(tx: Transaction, active: readonly TrustedAddress[]): void {
  const { ipAddress, isBackground } = tx.request;
  if (isBackground || active.length === 0 || addressMatcher(active)(ipAddress)) return;
  throw badRequest(
    'trusted_ip.own_address',
    `Your address ${ipAddress} would not match any active entry, and you would lose access. Nothing was changed. First add an active entry that matches it`,
  );
}

const LOCK = statement(
  'trusted_ip.lock',
  'select id from projects where organization_id = $1 and id = $2 for no key update',
);

/** Serializes changes of a project's entries until the end of the transaction; answers them. */
async function lockEntries(
  tx: Transaction,
  projectId: string,
): Promise<{ entries: readonly TrustedIpEntity[]; before: readonly TrustedAddress[] }> {
  const [project] = await tx.sql(LOCK, [organizationOf(tx), projectId]);
  if (!project) throw notFound('project');
  const entries = await entriesOf(tx, projectId);
  return { entries, before: activeIn(entries) };
}

const entriesOf = (ctx: Context, projectId: string): Promise<TrustedIpEntity[]> =>
  ctx.em.find(
    TrustedIpEntity,
    { organizationId: organizationOf(ctx), projectId },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  );

async function findEntry(ctx: Context, projectId: string, trustedIpId: string): Promise<TrustedIpEntity> {
  const where = { id: trustedIpId, organizationId: organizationOf(ctx), projectId };
  const entry = isId(trustedIpId) ? await ctx.em.findOne(TrustedIpEntity, where) : null;
  if (!entry) throw notFound('trusted ip');
  return entry;
}
