import {
  abilityIn,
  authorizeAnywhereById,
  authorizeById,
  organizationOf,
  projectIdBySlug,
} from '../../access/index.ts';
import {
  givenFields,
  badRequest,
  inTransaction,
  notFound,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import {
  childPath,
  endVersions,
  type Folder,
  folderById,
  folderPermissions,
  type FolderRow,
  foldersBelow,
  folderUpdated,
  keepVersion,
  type LockedEnvironment,
  lockTree,
  moveFolders,
  parentPath,
  storeFolder,
  toFolder,
  type UpdateFolder,
  type UpdateFolders,
} from '../folder/index.ts';
import { watchFolderMove } from '../coverage/index.ts';
import { lockImports, moveImportSources, requireNoCycle } from '../import/index.ts';
import { lockNames } from '../meaning/index.ts';
import { folderMoved, requireMayRename, requireNoCopiesByRename, requireNotPublished } from '../secret/index.ts';

/**
 * Updates the name or description of a folder. A new name changes the paths of its subtree, and the imports and
 * references to them.
 *
 * @throws DomainError 400 if the name exists, the folder is the root, or a folder would import itself; 403 also if the
 * caller could do more under the new name than under the old one, or could not create the contents there; 404 if the
 * folder is not at the given path.
 */
export async function updateFolder(ctx: Context, input: UpdateFolder): Promise<Folder> {
  await abilityIn(ctx, input.projectId);
  return inTransaction(ctx, async (tx) => (await change(tx, input.projectId, [input]))[0]!);
}

/** Updates some folders of a project, in one or more environments: all or none. */
export async function updateFolders(ctx: Context, { projectSlug, folders }: UpdateFolders): Promise<Folder[]> {
  const projectId = await projectIdBySlug(ctx, projectSlug);
  await abilityIn(ctx, projectId);
  if (new Set(folders.map(({ id }) => id.toLowerCase())).size < folders.length) {
    throw badRequest('folder.twice', 'A request can change each folder only once');
  }
  return inTransaction(ctx, (tx) =>
    change(
      tx,
      projectId,
      folders.map(({ id, ...rest }) => ({ folderId: id, ...rest })),
    ),
  );
}

type Change = Omit<UpdateFolder, 'projectId'>;

async function change(tx: Transaction, projectId: string, changes: readonly Change[]): Promise<Folder[]> {
  // Before a lock of the project, for which others would wait; each folder is checked under it.
  await authorizeAnywhereById(tx, folderPermissions.edit, { projectId });
  await lockNames(tx, 'exclusive', { projectId });
  await lockImports(tx, { projectId });
  const trees = new Map<string, LockedEnvironment>();
  for (const environment of changes.map((one) => one.environment).toSorted()) {
    if (!trees.has(environment))
      trees.set(
        environment,
        await lockTree(tx, 'exclusive', { organizationId: organizationOf(tx), projectId, environment }),
      );
  }
  // All are found and checked as they are now, before anything is changed.
  const found: { tree: LockedEnvironment; folder: FolderRow; wanted: Change }[] = [];
  for (const wanted of changes) {
    const tree = trees.get(wanted.environment)!;
    const folder = await folderById(tx, tree, wanted.folderId);
    if (!folder) throw notFound('folder');
    if (folder.parentId === null) throw badRequest('folder.root', 'The root folder cannot be changed');
    if (wanted.path !== undefined && wanted.path !== parentPath(folder.path)) throw notFound('folder');
    await authorizeById(tx, folderPermissions.edit, {
      projectId,
      environment: tree.slug,
      secretPath: parentPath(folder.path),
    });
    found.push({ tree, folder, wanted });
  }
  return requireNotPublished(tx, projectId, async () => {
    const changed: Folder[] = [];
    for (const { tree, folder, wanted } of found) changed.push(await changeFolder(tx, tree, folder.id, wanted));
    return changed;
  });
}

/**
 * Sets the name and description of a folder; the tree is locked and permissions were checked. In the folders to
 * `leave`, references of shared secrets do not follow a new name.
 */
export async function changeFolder(
  tx: Transaction,
  tree: LockedEnvironment,
  id: string,
  wanted: Pick<Change, 'name' | 'description'>,
  leave?: ReadonlySet<string>,
): Promise<Folder> {
  // Read again: an earlier change of the same request may have moved it.
  const folder = (await folderById(tx, tree, id))!;
  const path = childPath(parentPath(folder.path), wanted.name);
  if (path !== folder.path) {
    await watchFolderMove(tx, tree, { id, from: folder.path, to: path });
    await move(tx, tree, folder.path, path, leave);
  }
  await endVersions(tx, tree, [id]);
  const { name, description = folder.description } = wanted;
  await storeFolder(tx, { id, name, description });
  await keepVersion(tx, tree, { id, parentId: folder.parentId! });
  record(
    tx,
    folderUpdated,
    {
      environment: tree.slug,
      folderId: id,
      path,
      previousPath: folder.path,
      changed: givenFields({ name, description: wanted.description }),
    },
    { projectId: tree.projectId },
  );
  return toFolder((await folderById(tx, tree, id))!);
}

async function move(
  tx: Transaction,
  tree: LockedEnvironment,
  from: string,
  to: string,
  leave: ReadonlySet<string> | undefined,
): Promise<void> {
  const place = (secretPath: string) => ({ environment: tree.slug, secretPath });
  const below = await foldersBelow(tx, { environmentId: tree.id, path: from });
  const renamed = below.map(({ id, path }) => ({ id, from: place(path), to: place(to + path.slice(from.length)) }));
  await requireMayRename(tx, tree.projectId, renamed);
  await requireNoCopiesByRename(tx, tree.projectId, renamed);
  await moveFolders(tx, tree, from, to);
  await moveImportSources(tx, tree, { environment: tree.slug, from, to });
  await folderMoved(tx, tree, { environment: tree.slug, from, to }, leave);
  // Imports that led nowhere may lead to them now.
  await requireNoCycle(tx, tree, below);
}
