import { authorizeById, organizationOf, permittedNow, unlessHidden } from '../../access/index.ts';
import { columnSeal, sealedRowOf } from '../../crypto/index.ts';
import { at, isId, notFound, statement, type Context, type Permission, type Transaction } from '../../kernel/index.ts';
import { authorityPermissions, holdAuthority, requireAuthority } from '../authority/index.ts';
import type { ExternalAuthority } from './external-authority.ts';
import type { Config } from './issuer.ts';
import { issuers } from './registry.ts';

const EXTERNAL_AUTHORITY = 'certificate authority';

export interface ExternalAuthorityRow {
  id: string;
  organizationId: string;
  projectId: string;
  name: string;
  type: string;
  status: 'active' | 'disabled';
  enableDirectIssuance: boolean;
  connectionId: string;
  configuration: Config;
  credentials: Buffer;
  createdAt: string;
  updatedAt: string;
}

export const SELECT = `select a.id, a.organization_id as "organizationId", a.project_id as "projectId", a.name, a.type,
  a.status, a.enable_direct_issuance as "enableDirectIssuance", a.connection_id as "connectionId", a.configuration,
  a.credentials, a.created_at as "createdAt", a.updated_at as "updatedAt" from external_authorities a`;
const BY_ID = statement('external_authorities.by_id', `${SELECT} where a.organization_id = $1 and a.id = $2`);
const LOCK = statement('external_authorities.lock', `${SELECT} where a.organization_id = $1 and a.id = $2 for update`);
const HOLD = statement(
  'external_authorities.hold',
  'select 1 from external_authorities where organization_id = $1 and project_id = $2 and id = $3 for share',
);

/** The authority with this ID. The rights of the caller are not checked. */
export async function externalAuthorityById(ctx: Context, id: string): Promise<ExternalAuthorityRow | undefined> {
  const [row] = isId(id) ? await ctx.sql<ExternalAuthorityRow>(BY_ID, [organizationOf(ctx), id]) : [];
  return row;
}

/**
 * The same, if the caller has the permission on it.
 *
 * @throws DomainError 404 if there is none of this type, or none that the caller may see; 403.
 */
export async function requireExternalAuthority(
  ctx: Context,
  { type, id }: { type: string; id: string },
  permission: Permission,
): Promise<ExternalAuthorityRow> {
  const row = await externalAuthorityById(ctx, id);
  if (row?.type !== type) throw notFound(EXTERNAL_AUTHORITY);
  const place = { projectId: row.projectId, name: row.name };
  await unlessHidden(EXTERNAL_AUTHORITY, authorizeById(ctx, permission, place));
  return row;
}

/** @throws DomainError 404 if it was deleted meanwhile. */
export async function lockExternalAuthority(tx: Transaction, id: string): Promise<ExternalAuthorityRow> {
  const [row] = await tx.sql<ExternalAuthorityRow>(LOCK, [organizationOf(tx), id]);
  if (!row) throw notFound(EXTERNAL_AUTHORITY);
  return row;
}

/** The same for a caller with this permission on its present name. @throws DomainError 404, 403 */
export const lockPermittedExternalAuthority = (
  tx: Transaction,
  id: string,
  permission: Permission,
): Promise<ExternalAuthorityRow> =>
  permittedNow(tx, permission, lockExternalAuthority(tx, id), ({ name }) => ({ name }));

/** Which authority something is bound to. */
export interface Bound {
  readonly caId: string | null;
  readonly externalCaId: string | null;
}

/**
 * Locks an authority of a project, here or elsewhere, against deletion until the transaction ends.
 *
 * @throws DomainError 404
 */
export async function holdAnyAuthority(tx: Transaction, projectId: string, id: string): Promise<Bound> {
  const found = isId(id) ? await tx.sql(HOLD, [organizationOf(tx), projectId, id]) : [];
  if (found.length > 0) return { caId: null, externalCaId: id };
  await holdAuthority(tx, projectId, id);
  return { caId: id, externalCaId: null };
}

/**
 * Checks that the caller may bind something to an authority of the project, here or elsewhere, which is held: the answers to what is
 * bound tell of it, and its certificates are issued by whoever may use what is bound.
 *
 * @throws DomainError 404, 403, as for reading it.
 */
export async function requireMayBind(tx: Transaction, { caId, externalCaId }: Bound): Promise<void> {
  const { read } = authorityPermissions;
  const external = externalCaId === null ? undefined : await externalAuthorityById(tx, externalCaId);
  if (!external) return void (await requireAuthority(tx, caId ?? '', read));
  const { projectId, name } = external;
  await unlessHidden(EXTERNAL_AUTHORITY, authorizeById(tx, read, { projectId, name }));
}

/** What is sealed of an authority: fields of its configuration, and what was made for it. */
export interface ExternalCredentials {
  readonly fields: Config;
  readonly keys: object;
}

const column = columnSeal('external_authorities.credentials');
type Place = Pick<ExternalAuthorityRow, 'id' | 'organizationId' | 'projectId'>;

export const sealExternalCredentials = (ctx: Context, row: Place, credentials: ExternalCredentials): Promise<Buffer> =>
  column.sealJson(ctx, sealedRowOf(row), credentials);

export const openExternalCredentials = (ctx: Context, row: ExternalAuthorityRow): Promise<ExternalCredentials> =>
  column.openJson<ExternalCredentials>(ctx, sealedRowOf(row), row.credentials);

/** The published form. */
export const toExternalAuthority = (row: ExternalAuthorityRow): ExternalAuthority => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  type: row.type,
  status: row.status,
  enableDirectIssuance: row.enableDirectIssuance,
  configuration: row.configuration,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});

/** For events. */
export const eventDataOf = ({ id, name, type }: ExternalAuthorityRow) => ({ caId: id, name, type });

/** The type of an authority. */
export const issuerOf = ({ type }: Pick<ExternalAuthorityRow, 'type'>) => issuers.require(type);
