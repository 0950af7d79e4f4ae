import { authorize, authorizeById, organizationOf, projectIdBySlug } from '../../access/index.ts';
import {
  at,
  notFound,
  statement,
  type Context,
  type Fields,
  type Metadata,
  type Permission,
} from '../../kernel/index.ts';
import type { DynamicSecret, DynamicSecretPlace, DynamicSecretRef } from './dynamic-secret.ts';

/** A stored dynamic secret with its location. */
export interface DynamicSecretRow {
  id: string;
  organizationId: string;
  projectId: string;
  folderId: string;
  name: string;
  type: string;
  version: number;
  defaultTtl: string;
  maxTtl: string | null;
  usernameTemplate: string | null;
  metadata: Metadata;
  inputs: Buffer;
  status: string | null;
  statusDetails: string | null;
  forcedAt: string | null;
  createdAt: string;
  updatedAt: string;
  environment: string;
  path: string;
}

/** A dynamic secret in a list, which needs no credentials. */
export type ListedDynamicSecret = Omit<DynamicSecretRow, 'inputs'>;

/** The columns of a `ListedDynamicSecret` and of a `DynamicSecretRow`, and the tables they are from. */
export const LISTED_COLUMNS = `d.id, d.organization_id as "organizationId", d.project_id as "projectId", d.folder_id as "folderId",
  d.name, d.type, d.version, d.default_ttl as "defaultTtl", d.max_ttl as "maxTtl",
  d.username_template as "usernameTemplate", d.metadata, d.status, d.status_details as "statusDetails",
  d.forced_at as "forcedAt", d.created_at as "createdAt", d.updated_at as "updatedAt", e.slug as environment, f.path`;
const COLUMNS = `${LISTED_COLUMNS}, d.inputs`;
export const TABLES = `dynamic_secrets d join folders f on f.id = d.folder_id and not f.is_reserved
  join environments e on e.id = f.environment_id`;

const AT = statement(
  'dynamic_secret.at',
  `select ${COLUMNS} from ${TABLES}
   where e.organization_id = $1 and e.project_id = $2 and e.slug = $3 and f.path = $4 and d.name = $5`,
);
const BY_ID = statement(
  'dynamic_secret.by_id',
  `select ${COLUMNS} from ${TABLES} where d.organization_id = $1 and d.id = $2`,
);
/** Against changes of it and leases on it, not against what only refers to it. */
const LOCK = statement(
  'dynamic_secret.lock',
  'select version, leases from dynamic_secrets where id = $1 for no key update',
);

/** The fields that rules use. */
export interface AskedFields extends Fields {
  readonly projectId: string;
  readonly environment: string;
  readonly secretPath: string;
  readonly metadata: Metadata;
}

export const fieldsOf = (row: ListedDynamicSecret): AskedFields => ({
  projectId: row.projectId,
  environment: row.environment,
  secretPath: row.path,
  metadata: row.metadata,
});

/** The location in a request, and the fields that rules use there. */
export async function locationOf(
  ctx: Context,
  { projectSlug, environmentSlug, path }: DynamicSecretPlace,
): Promise<AskedFields> {
  return {
    projectId: await projectIdBySlug(ctx, projectSlug),
    environment: environmentSlug,
    secretPath: path,
    metadata: [],
  };
}

/**
 * The dynamic secret of a name, once the caller is known to have the right to it.
 *
 * @throws DomainError 404, 403.
 */
export async function findDynamicSecret(
  ctx: Context,
  input: DynamicSecretRef,
  permission: Permission,
): Promise<DynamicSecretRow> {
  const found = await lookUp(ctx, input);
  await authorize(ctx, permission, found.fields);
  if (!found.row) throw notFound('dynamic secret');
  return found.row;
}

/**
 * The same for callers with the first of these permissions, or else the second; `may` tells whether it is the first.
 *
 * @throws DomainError 404, 403 as for the first.
 */
export async function findForEither(
  ctx: Context,
  input: DynamicSecretRef,
  [first, second]: readonly [Permission, Permission],
): Promise<{ row: DynamicSecretRow; may: boolean }> {
  const { fields, row } = await lookUp(ctx, input);
  const [one, other] = await Promise.allSettled([authorize(ctx, first, fields), authorize(ctx, second, fields)]);
  if (one.status === 'rejected' && other.status === 'rejected') throw one.reason;
  if (!row) throw notFound('dynamic secret');
  return { row, may: one.status === 'fulfilled' };
}

/** The fields that rules use at a requested location; an unknown name is checked without metadata. */
async function lookUp(
  ctx: Context,
  input: DynamicSecretRef,
): Promise<{ fields: AskedFields; row: DynamicSecretRow | undefined }> {
  const place = await locationOf(ctx, input);
  const { projectId, environment, secretPath } = place;
  const [row] = await ctx.sql<DynamicSecretRow>(AT, [
    organizationOf(ctx),
    projectId,
    environment,
    secretPath,
    input.name,
  ]);
  return { fields: row ? fieldsOf(row) : place, row };
}

/** The same for a lease; without a check. */
export async function dynamicSecretOf(ctx: Context, organizationId: string, id: string): Promise<DynamicSecretRow> {
  const [row] = await ctx.sql<DynamicSecretRow>(BY_ID, [organizationId, id]);
  if (!row) throw notFound('dynamic secret');
  return row;
}

/** Checks a permission on a dynamic secret that was named by an ID. */
export const authorizeOn = (ctx: Context, permission: Permission, row: DynamicSecretRow): Promise<void> =>
  authorizeById(ctx, permission, fieldsOf(row));

/**
 * Locks a dynamic secret for the rest of a transaction: its version and the number of its leases do not change. Call it
 * before changes of its leases. `undefined` if it was deleted.
 */
export async function lockDynamicSecret(
  ctx: Context,
  id: string,
): Promise<{ version: number; leases: number } | undefined> {
  const [row] = await ctx.sql<{ version: number; leases: number }>(LOCK, [id]);
  return row;
}

export const toDynamicSecret = (row: ListedDynamicSecret): DynamicSecret => ({
  id: row.id,
  name: row.name,
  version: row.version,
  type: row.type,
  defaultTTL: row.defaultTtl,
  maxTTL: row.maxTtl,
  folderId: row.folderId,
  status: row.status,
  statusDetails: row.statusDetails,
  usernameTemplate: row.usernameTemplate,
  projectGatewayId: null,
  metadata: row.metadata,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
});

/** Of the events about it. */
export const eventData = (row: DynamicSecretRow) => ({
  environment: row.environment,
  secretPath: row.path,
  dynamicSecretId: row.id,
  dynamicSecretName: row.name,
  dynamicSecretType: row.type,
});
