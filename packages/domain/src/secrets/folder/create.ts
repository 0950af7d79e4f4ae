import { authorize, organizationOf } from '../../access/index.ts';
import { inTransaction, newId, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { childPath, folderCreated, folderPermissions, type CreateFolder, type Folder } from './folder.ts';
import { folderByPath, lockTree, toFolder, type FolderRow, type LockedEnvironment } from './row.ts';

const INSERT = `insert into folders (id, organization_id, project_id, environment_id, parent_id, name, path, description, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`;
const CREATE = statement('folder.create', INSERT);
const CREATE_UNLESS_THERE = statement('folder.create_unless_there', `${INSERT} on conflict on constraint folders_path_unique do nothing`);

/**
 * Makes a folder, and on the way those above it that are missing: each needs the right to create folders where it is
 * made.
 *
 * @throws DomainError 400 `folders_path_unique` where it exists already, 404 without the environment.
 */
export async function createFolder(ctx: Context, input: CreateFolder): Promise<Folder> {
  const { projectId, environment, path, name, description } = input;
  const mayCreateIn = (secretPath: string) => authorize(ctx, folderPermissions.create, { projectId, environment, secretPath });
  await mayCreateIn(path);
  return inTransaction(ctx, async (tx) => {
    const tree = await lockTree(tx, 'shared', { organizationId: organizationOf(ctx), projectId, environment });
    const parent = await reach(tx, tree, path, mayCreateIn);
    const created = childPath(path, name);
    await tx.sql(CREATE, columns(tx, tree, parent.id, created, description ?? null));
    const folder = (await folderByPath(tx, tree, created))!;
    recordCreation(tx, tree, folder);
    return toFolder(folder);
  });
}

/** The folder at a path; those that are missing on the way are made, from the top. */
async function reach(tx: Transaction, tree: LockedEnvironment, path: string, mayCreateIn: (path: string) => Promise<void>): Promise<FolderRow> {
  const found = await folderByPath(tx, tree, path);
  if (found) return found;
  let parent = (await folderByPath(tx, tree, '/'))!;
  for (const name of path.slice(1).split('/')) {
    const wanted = childPath(parent.path, name);
    parent = (await folderByPath(tx, tree, wanted)) ?? (await createBetween(tx, tree, parent, wanted, mayCreateIn));
  }
  return parent;
}

/** Makes a folder that somebody else may be making at the same time; then theirs is as good. */
async function createBetween(tx: Transaction, tree: LockedEnvironment, parent: FolderRow, path: string, mayCreateIn: (path: string) => Promise<void>) {
  await mayCreateIn(parent.path);
  const values = columns(tx, tree, parent.id, path, null);
  await tx.sql(CREATE_UNLESS_THERE, values);
  const folder = (await folderByPath(tx, tree, path))!;
  if (folder.id === values[0]) recordCreation(tx, tree, folder);
  return folder;
}

const columns = (tx: Transaction, tree: LockedEnvironment, parentId: string, path: string, description: string | null) =>
  [newId(), tree.organizationId, tree.projectId, tree.id, parentId, path.slice(path.lastIndexOf('/') + 1), path, description, tx.now()] as const;

function recordCreation(tx: Transaction, tree: LockedEnvironment, { id, path }: FolderRow): void {
  record(tx, folderCreated, { environment: tree.slug, folderId: id, path }, { projectId: tree.projectId });
}
