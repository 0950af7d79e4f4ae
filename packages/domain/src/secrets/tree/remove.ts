import { abilityIn, authorizeAnywhereById, authorizeById, organizationOf } from '../../access/index.ts';
import {
  badRequest,
  inLongTransaction,
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
  deleteFolders,
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
import { watchFolderRemoval } from '../coverage/index.ts';
import { archiveSecrets } from '../secret/index.ts';

const LOCK_ALL = statement(
  'folder.lock_all',
  `select id, path from folders where environment_id = $1 and not is_reserved
     and (path = $2 or (path >= $3 and path < $4)) order by path for update`,
);

/**
 * Deletes a folder with its subtree. Its secrets stay in the history.
 *
 * @throws DomainError 403 also if a rule forbids the deletion of something below it, 404 if there is none, 400 for the
 * root folder.
 */
export async function deleteFolder(ctx: Context, input: DeleteFolder): Promise<Folder> {
  const { projectId, environment } = input;
  await abilityIn(ctx, projectId);
  return inLongTransaction(ctx, async (tx) => {
    const mayDeleteIn = (secretPath: string) =>
      authorizeById(tx, folderPermissions.delete, { projectId, environment, secretPath });
    // Before a lock for which others would wait.
    await authorizeAnywhereById(tx, folderPermissions.delete, { projectId });
    const tree = await lockTree(tx, 'exclusive', { organizationId: organizationOf(ctx), projectId, environment });
    const folder = await namedFolder(tx, tree, input);
    // Names can be guessed: whether a folder exists is disclosed only to callers who may delete it.
    if (!isId(input.folderId)) await mayDeleteIn(folder ? parentPath(folder.path) : (input.path ?? '/'));
    if (!folder) throw notFound('folder');
    if (folder.parentId === null)
      throw badRequest('folder.root', 'The root folder is deleted only with its environment');
    await mayDeleteIn(parentPath(folder.path));
    await removeFolder(tx, tree, folder);
    return toFolder(folder);
  });
}

/**
 * Deletes a folder with its subtree, whose tree is locked and permission checked.
 *
 * @throws DomainError 403 if a rule forbids the deletion of something in it.
 */
export async function removeFolder(
  tx: Transaction,
  tree: LockedEnvironment,
  { id, path }: { id: string; path: string },
): Promise<void> {
  await watchFolderRemoval(tx, tree, { id, path });
  const all = await emptyFolders(tx, tree, path);
  await deleteFolders(tx, id);
  const { slug: environment, projectId } = tree;
  record(tx, folderDeleted, { environment, folderId: id, path, folders: all.length }, { projectId });
}

/**
 * By its ID, which must be at the path if one is given, or by its name at that path. Without a path, a text in the form of an ID
 * is one: a repeated deletion would find another folder, which somebody has named by the ID of the deleted one.
 */
async function namedFolder(
  tx: Transaction,
  tree: LockedEnvironment,
  { folderId, path }: DeleteFolder,
): Promise<FolderRow | undefined> {
  const byId = await folderById(tx, tree, folderId);
  if (byId && (path === undefined || path === parentPath(byId.path))) return byId;
  if (path === undefined && isId(folderId)) return undefined;
  return isFolderName(folderId) ? folderByPath(tx, tree, childPath(path ?? '/', folderId)) : undefined;
}

/** Archives the secrets of a folder and its subtree, which are locked against additions. Returns those folders. */
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
