import { isDeepStrictEqual } from 'node:util';
import { authorize, authorizeChange, filterInTurns, organizationOf, readable } from '../../access/index.ts';
import { holdConnection, requireUsable } from '../../connections/app-connection/index.ts';
import { readFields } from '../../connections/connection/index.ts';
import { mergeConfiguration, sealedFieldsOf } from '../../family/index.ts';
import {
  badRequest,
  conflict,
  explainConstraint,
  fewIn,
  inTransaction,
  isId,
  newId,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { authorityPermissions } from '../authority/index.ts';
import {
  externalAuthorityCreated,
  externalAuthorityDeleted,
  externalAuthorityUpdated,
  type CreateExternalAuthority,
  type ExternalAuthority,
  type ExternalAuthorityRef,
  type ListExternalAuthorities,
  type UpdateExternalAuthority,
} from './external-authority.ts';
import type { Config, Issuer, Progress } from './issuer.ts';
import { prepareKeys } from './open.ts';
import { issuers } from './registry.ts';
import {
  eventDataOf,
  lockExternalAuthority,
  openExternalCredentials,
  requireExternalAuthority,
  sealExternalCredentials,
  SELECT,
  toExternalAuthority,
  type ExternalAuthorityRow,
} from './stored.ts';
import { IS_UNFINISHED } from './unfinished-orders.ts';
import { requireNoValidCertificates, validCertificatesOf } from './valid-certificates.ts';

explainConstraint(
  'external_authorities_name_unique',
  'An external certificate authority with this name already exists in the project',
);

const OF_PROJECT = statement(
  'external_authorities.of_project',
  `${SELECT} where a.organization_id = $1 and a.project_id = $2 and a.type = $3 order by a.name`,
);
const INSERT = statement(
  'external_authorities.insert',
  `insert into external_authorities (id, organization_id, project_id, name, type, status, enable_direct_issuance,
     connection_id, configuration, credentials, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
);
const UPDATE = statement(
  'external_authorities.update',
  `update external_authorities set name = $3, status = $4, enable_direct_issuance = $5, connection_id = $6,
     configuration = $7, credentials = $8, updated_at = $9 where organization_id = $1 and id = $2`,
);
const DELETE = statement(
  'external_authorities.delete',
  'delete from external_authorities where organization_id = $1 and id = $2',
);
const UNFINISHED = statement(
  'external_authorities.unfinished',
  `select count(*)::integer as orders from certificate_orders t where t.external_ca_id = $1 and ${IS_UNFINISHED}`,
);
const ORDERS = statement(
  'external_authorities.unfinished_orders',
  `select t.id, t.status, t.progress from certificate_orders t where t.external_ca_id = $1 and ${IS_UNFINISHED} order by t.id`,
);

const requireFewAuthorities = fewIn('project', {
  table: 'external_authorities',
  most: 100,
  code: 'external_authority.too_many',
  of: 'external certificate authorities',
});

/** The authorities of a type in a project that the caller may read, by name. */
export async function listExternalAuthorities(
  ctx: Context,
  type: string,
  { projectId }: ListExternalAuthorities,
): Promise<ExternalAuthority[]> {
  const mayRead = await readable(ctx, authorityPermissions.read, { projectId });
  const rows = isId(projectId)
    ? await ctx.sql<ExternalAuthorityRow>(OF_PROJECT, [organizationOf(ctx), projectId, type])
    : [];
  return (await filterInTurns(rows, ({ name }) => mayRead({ projectId, name }))).map(toExternalAuthority);
}

export const getExternalAuthority = async (
  ctx: Context,
  type: string,
  { id }: ExternalAuthorityRef,
): Promise<ExternalAuthority> =>
  toExternalAuthority(await requireExternalAuthority(ctx, { type, id }, authorityPermissions.read));

/** A configuration, divided into what is sealed and what is not. */
function divided({ sealedFields }: Issuer, config: Config): { shown: Config; secret: Config } {
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !sealedFields.has(name))),
    secret: Object.fromEntries(entries.filter(([name]) => sealedFields.has(name))),
  };
}

/**
 * Stores an authority that has accepted its configuration: an account is made there, if it has accounts.
 *
 * @throws DomainError 404 also for an unknown connection, 403 also if the caller may not use the connection; 400
 * `external_authorities_name_unique`, `external_authority.<rule>`, and if the authority cannot be reached or refuses.
 */
export async function createExternalAuthority(
  ctx: Context,
  type: string,
  input: CreateExternalAuthority,
): Promise<ExternalAuthority> {
  const { projectId, name, configuration: config } = input;
  await authorize(ctx, authorityPermissions.create, { projectId, name });
  const issuer = issuers.require(type);
  const { connector, id: connectionId } = issuer.connectionOf(config);
  const used = { app: connector.app, connectionId, projectId };
  const connection = await requireUsable(ctx, used);
  const keys = await prepareKeys(ctx, { organizationId: organizationOf(ctx), projectId, issuer, config });
  return inTransaction(ctx, async (tx) => {
    await authorize(tx, authorityPermissions.create, { projectId, name });
    await holdConnection(tx, used, connection);
    const { shown, secret: fields } = divided(issuer, config);
    const place = { id: newId(), organizationId: organizationOf(tx), projectId };
    const credentials = await sealExternalCredentials(tx, place, { fields, keys });
    await tx.sql(INSERT, [
      ...[place.id, place.organizationId, projectId, name, type, input.status, input.enableDirectIssuance],
      ...[connectionId, JSON.stringify(shown), credentials, tx.now()],
    ]);
    await requireFewAuthorities(tx, projectId);
    const row = await lockExternalAuthority(tx, place.id);
    record(tx, externalAuthorityCreated, { ...eventDataOf(row), connectionId }, { projectId });
    return toExternalAuthority(row);
  });
}

/**
 * Updates the given fields. Another configuration has to be accepted by the authority.
 *
 * @throws DomainError 404, 403 also for the new name and the connection; 400 as for creation,
 * `external_authority.credential_needed`, `external_authority.changed`, and `external_authority.certificates` for what would be another
 * authority while certificates of this one are valid; `external_authority.orders` for another place of DNS while orders are unfinished.
 */
export async function updateExternalAuthority(
  ctx: Context,
  type: string,
  { id, name, status, enableDirectIssuance, configuration: given }: UpdateExternalAuthority,
): Promise<ExternalAuthority> {
  const found = await requireExternalAuthority(ctx, { type, id }, authorityPermissions.edit);
  const { projectId } = found;
  const next = await configuredAnew(ctx, found, given);
  return inTransaction(ctx, async (tx) => {
    const row = await lockExternalAuthority(tx, found.id);
    const [before, after] = [{ name: row.name }, { name: name ?? row.name }];
    await authorizeChange(tx, authorityPermissions, { projectId, before, after });
    if (row.updatedAt !== found.updatedAt)
      throw badRequest('external_authority.changed', 'The authority was changed meanwhile: ask again');
    if (next) await holdConnection(tx, next.used, next.connection);
    if (next && !next.isSame) await requireSameAuthority(tx, row);
    if (next?.isElsewhere) await requireNoOrders(tx, row.id);
    const changed = Object.entries({ name, status, enableDirectIssuance, configuration: given }).flatMap(
      ([field, value]) => (value === undefined ? [] : [field]),
    );
    const connectionId = next?.used.connectionId ?? row.connectionId;
    await tx.sql(UPDATE, [
      ...[row.organizationId, row.id, after.name, status ?? row.status],
      ...[enableDirectIssuance ?? row.enableDirectIssuance, connectionId],
      JSON.stringify(next?.shown ?? row.configuration),
      next ? await sealExternalCredentials(tx, row, next.credentials) : row.credentials,
      tx.now(),
    ]);
    const updated = await lockExternalAuthority(tx, row.id);
    record(tx, externalAuthorityUpdated, { ...eventDataOf(updated), connectionId, changed }, { projectId });
    return toExternalAuthority(updated);
  });
}

/** Another configuration of an authority, which accepts it. */
async function configuredAnew(ctx: Context, row: ExternalAuthorityRow, given: Config | undefined) {
  if (!given) return undefined;
  const issuer = issuers.require(row.type);
  const { fields, keys } = await openExternalCredentials(ctx, row);
  const before = { ...row.configuration, ...fields };
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const code = 'external_authority.credential_needed';
  const merged = mergeConfiguration<Config>(sealedFieldsOf(issuer.config.shape), before, changes, code);
  const config = readFields(issuer.config, merged, { title: issuer.title, code: 'external_authority.configuration' });
  const { connector, id: connectionId } = issuer.connectionOf(config);
  const used = { app: connector.app, connectionId, projectId: row.projectId };
  const connection = await requireUsable(ctx, used);
  const isUnchanged = (name: string) => isDeepStrictEqual(before[name], config[name]);
  const hasSameFields = issuer.identity.every(isUnchanged);
  if (!hasSameFields) await requireSameAuthority(ctx, row);
  const kept = await prepareKeys(ctx, { ...row, issuer, config, before: hasSameFields ? keys : undefined });
  // An app connection gets no credentials of another account while it is used.
  const isSameAccount = connectionId === row.connectionId || issuer.isSameAccount?.(keys, kept) !== false;
  const isSame = hasSameFields && isSameAccount;
  const { shown, secret } = divided(issuer, config);
  const isElsewhere = issuer.places?.every(isUnchanged) === false;
  return { used, connection, shown, credentials: { fields: secret, keys: kept }, isSame, isElsewhere };
}

/** What is kept for the former authority, such as the key of its account, is lost with another identity. */
async function requireSameAuthority(ctx: Context, { id }: ExternalAuthorityRow): Promise<void> {
  await requireNoOrders(ctx, id);
  await requireNoValidCertificates(ctx, id, ', or create another authority beside it');
}

/** @throws DomainError 400 `external_authority.orders` */
async function requireNoOrders(ctx: Context, id: string): Promise<undefined> {
  const [unfinished] = await ctx.sql<{ orders: number }>(UNFINISHED, [id]);
  if (unfinished && unfinished.orders > 0)
    throw conflict('external_authority.orders', 'Orders of the authority are not finished: cancel them, and wait', {
      orders: unfinished.orders,
    });
  return undefined;
}

/** What is left of orders that have ended and are not finished. @throws DomainError 400 `external_authority.orders` if some are pending. */
async function endedOrdersOf(tx: Transaction, row: ExternalAuthorityRow) {
  type Order = { id: string; status: string; progress: Progress };
  const orders = await tx.sql<Order>(ORDERS, [row.id]);
  if (orders.some(({ status }) => status === 'pending')) await requireNoOrders(tx, row.id);
  if (orders.length === 0) return undefined;
  const records = orders.flatMap(({ progress }) => issuers.require(row.type).recordsIn?.(progress) ?? []);
  return { leftOrders: orders.map(({ id }) => id), ...(records.length > 0 && { records }) };
}

/**
 * Deletes an authority, whose row is locked, with its profiles. Its certificates stay, as imported ones. By force also valid ones do,
 * which nobody can revoke then, and what orders that have ended have made elsewhere: the event names them. The right to delete it is
 * not checked.
 *
 * @throws DomainError 400 `external_authority.orders` while orders are not finished, by force while some are pending, `external_authority.certificates`
 * while certificates are valid.
 */
export async function removeExternalAuthority(
  tx: Transaction,
  row: ExternalAuthorityRow,
  isForced: boolean | undefined,
): Promise<ExternalAuthority> {
  const orders = isForced ? await endedOrdersOf(tx, row) : await requireNoOrders(tx, row.id);
  if (!isForced) await requireNoValidCertificates(tx, row.id, '. If it is gone for good, delete it with isForced');
  const left = await validCertificatesOf(tx, row.id);
  await tx.sql(DELETE, [row.organizationId, row.id]);
  const event = { ...eventDataOf(row), isForced, ...(left.length > 0 && { left }), ...orders };
  record(tx, externalAuthorityDeleted, event, { projectId: row.projectId });
  return toExternalAuthority(row);
}
