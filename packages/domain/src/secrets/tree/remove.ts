import { abilityIn, authorizeById, organizationOf } from '../../access/index.ts';
import {
  badRequest,
  inTransaction,
  isId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import {
  childPath,
  type DeleteFolder,
  endVersions,
  type Folder,
  folderById,
  folderByPath,
  folderDeleted,
  folderPermissions,
  type FolderRow,
  isFolderName,
  type LockedEnvironment,
  lockTree,
  parentPath,
  rangeBelow,
  requireRemovable,
  toFolder,
} from '../folder/index.ts';
import { watchFolder } from '../coverage/index.ts';
import { archiveSecrets } from '../secret/index.ts';

const LOCK_ALL = statement(
  'folder.lock_all',
  `select id, path from folders where environment_id = $1 and not is_reserved
     and (path = $2 or (path >= $3 and path < $4)) order by path for update`,
);
const DELETE = statement('folder.delete', 'delete from folders where id = $1');

/**
 * Deletes a folder with everything below it. What its secrets held stays in their history.
 *
 * @throws DomainError 403 also where a rule forbids to delete something below it, 404 where there is none, 400 for the
 * root folder.
 */
export async function deleteFolder(ctx: Context, input: DeleteFolder): Promise<Folder> {
  const { projectId, environment } = input;
  await abilityIn(ctx, projectId);
  return inTransaction(ctx, async (tx) => {
    const mayDeleteIn = (secretPath: string) =>
      authorizeById(tx, folderPermissions.delete, { projectId, environment, secretPath });
    const tree = await lockTree(tx, 'exclusive', { organizationId: organizationOf(ctx), projectId, environment });
    const folder = await namedFolder(tx, tree, input);
    // A name can be tried out: whether there is a folder of that name is told to those who may delete it alone.
    if (!isId(input.folderId)) await mayDeleteIn(folder ? parentPath(folder.path) : (input.path ?? '/'));
    if (!folder) throw notFound('folder');
    if (folder.parent_id === null)
      throw badRequest('folder.root', 'The root folder is deleted only with its environment');
    await mayDeleteIn(parentPath(folder.path));
    await removeFolder(tx, tree, folder);
    return toFolder(folder);
  });
}

/**
 * Deletes a folder and all below it, of which the tree is held and the right was asked.
 *
 * @throws DomainError 403 where a rule forbids to delete something in it.
 */
export async function removeFolder(
  tx: Transaction,
  tree: LockedEnvironment,
  { id, path }: { id: string; path: string },
): Promise<void> {
  await watchFolder(tx, tree, { id, from: path });
  const all = await emptyFolders(tx, tree, path);
  await tx.sql(DELETE, [id]);
  const { slug: environment, projectId } = tree;
  record(tx, folderDeleted, { environment, folderId: id, path, folders: all.length }, { projectId });
}

/** By its id, which must be at the path where one is given, or by its name at that path. */
async function namedFolder(
  tx: Transaction,
  tree: LockedEnvironment,
  { folderId, path }: DeleteFolder,
): Promise<FolderRow | undefined> {
  const byId = await folderById(tx, tree, folderId);
  if (byId && (path === undefined || path === parentPath(byId.path))) return byId;
  return isFolderName(folderId) ? folderByPath(tx, tree, childPath(path ?? '/', folderId)) : undefined;
}

/** Archives the secrets of a folder and of all below it, which are locked against new ones. Answers those folders. */
async function emptyFolders(
  tx: Transaction,
  tree: LockedEnvironment,
  path: string,
): Promise<{ id: string; path: string }[]> {
  const all = await tx.sql<{ id: string; path: string }>(LOCK_ALL, [tree.id, path, ...rangeBelow(path)]);
  await requireRemovable(
    await abilityIn(tx, tree.projectId),
    all.map((one) => ({ environment: tree.slug, secretPath: one.path })),
  );
  await endVersions(
    tx,
    tree,
    all.map(({ id }) => id),
  );
  await archiveSecrets(tx, tree, { folderIds: all.map(({ id }) => id) });
  return all;
}
