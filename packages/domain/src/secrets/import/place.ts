import { authorize, organizationOf } from '../../access/index.ts';
import { isId, notFound, type Context, type Transaction } from '../../kernel/index.ts';
import { EnvironmentEntity } from '../environment/index.ts';
import { folderAt, RESERVED, type FoundFolder } from '../folder/index.ts';
import { lockNames } from '../meaning/index.ts';
import { copiedFrom, secretPermissions } from '../secret/index.ts';
import { requireLastingSource, type SourcePlace } from './replication/index.ts';
import { SecretImportEntity } from './import.entity.ts';
import type { ImportPlace, importPermissions } from './import.ts';

type ImportPermission = (typeof importPermissions)[keyof typeof importPermissions];

/**
 * The importing folder.
 *
 * @throws DomainError 403 without the permission there, 404 if there is none.
 */
export async function findPlace(
  ctx: Context,
  { projectId, environment, path }: ImportPlace,
  permission: ImportPermission,
): Promise<FoundFolder> {
  await authorize(ctx, permission, { projectId, environment, secretPath: path });
  return folderAt(ctx, { projectId, environment, path });
}

/**
 * The same for a change of its imports: the folder keeps its path until the transaction ends, and secrets that are moved at the
 * same time are judged before or after. The right is asked before the lock, for which others wait, and under it.
 */
export async function lockPlace(
  tx: Transaction,
  place: ImportPlace,
  permission: ImportPermission,
): Promise<FoundFolder> {
  await lockNames(tx, 'shared', await findPlace(tx, place, permission));
  return findPlace(tx, place, permission);
}

/** The right by which an import of a folder is made or changed. */
export const rightIn = (
  { projectId, environmentSlug: environment, path: secretPath }: FoundFolder,
  permission: (typeof importPermissions)['create' | 'edit'],
) => ({ permission, fields: { projectId, environment, secretPath } });

/**
 * The source environment; the caller must be allowed to see which secrets are there. The folder need not exist.
 *
 * @throws DomainError 403 without `describeSecret`, 404 without the environment and for a folder of copies.
 */
export async function findSource(
  tx: Transaction,
  projectId: string,
  { environment, path }: { environment: string; path: string },
): Promise<EnvironmentEntity> {
  const where = { projectId, organizationId: organizationOf(tx), slug: environment };
  const source = await tx.em.findOne(EnvironmentEntity, where);
  if (!source) throw notFound('environment', { slug: environment });
  const fields = { projectId, environment, secretPath: path, secretName: '*', secretTags: [] };
  await authorize(tx, secretPermissions.describeSecret, fields);
  if (path.includes(`/${RESERVED}`)) throw notFound('folder', { environment, path });
  return source;
}

/** One of a folder's imports; 404 for any other. */
export async function findImport(tx: Transaction, folder: FoundFolder, id: string): Promise<SecretImportEntity> {
  const row = isId(id) ? await tx.em.findOne(SecretImportEntity, { id, folderId: folder.id, isReserved: false }) : null;
  if (!row) throw notFound('secret import');
  return row;
}

/**
 * What is imported into a replicated folder is copied with it, with the rights of another actor.
 *
 * @throws DomainError 403 without the right to read all of it, without an end.
 */
export async function requireReadableWhereCopied(
  tx: Transaction,
  { projectId, environmentSlug, path }: FoundFolder,
  source: SourcePlace,
): Promise<void> {
  const [copies] = await copiedFrom(tx, projectId, [{ environment: environmentSlug, path }]);
  if (copies!.length > 0) await requireLastingSource(tx, source);
}
