import { authorizeById, organizationOf, readable, filterInTurns, unlessHidden, authorize } from '../../access/index.ts';
import { notFound, statement, type Context, type Permission } from '../../kernel/index.ts';
import {
  kmsPermissions,
  type KmsKey,
  type KmsKeyByName,
  type KmsKeyRef,
  type KmsKeys,
  type ListKmsKeys,
} from './key.ts';
import { findKey, KEY, KEY_COLUMNS, toKey, type KeyRow } from './stored.ts';

/** What rules look at. */
export const fieldsOf = ({ projectId, name }: Pick<KeyRow, 'projectId' | 'name'>) => ({ projectId, keyName: name });

/**
 * A key on which the caller has this permission.
 *
 * @throws DomainError 404 for an unknown or foreign one, 403.
 */
export async function requireKey(ctx: Context, keyId: string, permission: Permission): Promise<KeyRow> {
  const row = await findKey(ctx, keyId);
  await unlessHidden(KEY, authorizeById(ctx, permission, fieldsOf(row)));
  return row;
}

/** @throws DomainError 404, 403 */
export const getKmsKey = async (ctx: Context, { keyId }: KmsKeyRef): Promise<KmsKey> =>
  toKey(await requireKey(ctx, keyId, kmsPermissions.read));

const BY_NAME = statement(
  'kms_keys.by_name',
  `select ${KEY_COLUMNS} from kms_keys k
   where k.organization_id = $1 and k.project_id = $2 and k.name = $3 and k.deletion_at is null`,
);

/** A key that is not deleted, by its name. @throws DomainError 404, 403 */
export async function getKmsKeyByName(ctx: Context, { projectId, keyName }: KmsKeyByName): Promise<KmsKey> {
  await authorize(ctx, kmsPermissions.read, { projectId, keyName });
  const [row] = await ctx.sql<KeyRow>(BY_NAME, [organizationOf(ctx), projectId, keyName]);
  if (!row) throw notFound(KEY);
  return toKey(row);
}

const OF_PROJECT = statement(
  'kms_keys.of_project',
  `select ${KEY_COLUMNS} from kms_keys k
   where k.organization_id = $1 and k.project_id = $2 and case when $3 then k.deletion_at > $4 else k.deletion_at is null end
   order by k.name, k.id`,
);

/** The keys of a project that the caller may read, by name, and their total number. */
export async function listKmsKeys(ctx: Context, input: ListKmsKeys): Promise<KmsKeys> {
  const { projectId, search, offset, limit, state, orderDirection } = input;
  const isReadable = await readable(ctx, kmsPermissions.read, { projectId });
  const rows = await ctx.sql<KeyRow>(OF_PROJECT, [
    organizationOf(ctx),
    projectId,
    state === 'pending-deletion',
    ctx.now(),
  ]);
  const wanted = search?.toLowerCase();
  const found = await filterInTurns(
    orderDirection === 'asc' ? rows : rows.toReversed(),
    (row) => (wanted === undefined || row.name.includes(wanted)) && isReadable(fieldsOf(row)),
  );
  return { keys: found.slice(offset, offset + limit).map(toKey), totalCount: found.length };
}
