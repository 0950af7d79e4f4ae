import { authorize, organizationOf } from '../../access/index.ts';
import {
  inTransaction,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import {
  childPath,
  folderCreated,
  folderPermissions,
  nameOf,
  parentPath,
  RESERVED,
  type CreateFolder,
  type Folder,
} from './folder.ts';
import { folderByPath, lockTree, toFolder, type FolderRow, type LockedEnvironment } from './row.ts';
import { keepVersion } from './version.ts';

const INSERT = `insert into folders (id, organization_id, project_id, environment_id, parent_id, name, path, description, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`;
const CREATE = statement('folder.create', INSERT);
const CREATE_UNLESS_THERE = statement(
  'folder.create_unless_there',
  `${INSERT} on conflict on constraint folders_path_unique do nothing returning id, path`,
);

/**
 * Creates a folder, and missing parents: each needs the permission to create folders at its location.
 *
 * @throws DomainError 400 `folders_path_unique` if it exists, 404 without the environment.
 */
export async function createFolder(ctx: Context, input: CreateFolder): Promise<Folder> {
  const { projectId, environment, path, name, description } = input;
  const mayCreate = (at: Context, secretPath: string) =>
    authorize(at, folderPermissions.create, { projectId, environment, secretPath });
  await mayCreate(ctx, path);
  return inTransaction(ctx, async (tx) => {
    const tree = await lockTree(tx, 'shared', { organizationId: organizationOf(ctx), projectId, environment });
    const parent = await reach(tx, tree, path, (secretPath) => mayCreate(tx, secretPath));
    const created = childPath(path, name);
    await tx.sql(CREATE, columns(tx, tree, parent.id, created, description ?? null));
    const folder = (await folderByPath(tx, tree, created))!;
    await noteCreation(tx, tree, parent, folder);
    return toFolder(folder);
  });
}

const CREATE_AGAIN = statement(
  'folder.create_again',
  `insert into folders (id, organization_id, project_id, environment_id, parent_id, name, path, description, created_at,
     updated_at, version)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9,
     coalesce((select max(version) from folder_versions where folder_id = $1), 0) + 1)`,
);

/** Creates a folder with an ID that may have been its own before: its versions continue. Permissions were checked. */
export async function createAgain(
  tx: Transaction,
  tree: LockedEnvironment,
  parent: { id: string },
  { id, path, description }: { id: string; path: string; description: string | null },
): Promise<void> {
  const [, ...others] = columns(tx, tree, parent.id, path, description);
  await tx.sql(CREATE_AGAIN, [id, ...others]);
  await noteCreation(tx, tree, parent, { id, path });
}

type Reached = Pick<FolderRow, 'id' | 'path'>;

const NEAREST = statement(
  'folder.nearest',
  'select id, path from folders where environment_id = $1 and path = any($2::text[]) and not is_reserved order by length(path) desc limit 1',
);

/** The folder at a path; missing parents are created from the top. */
async function reach(
  tx: Transaction,
  tree: LockedEnvironment,
  path: string,
  mayCreateIn: (path: string) => Promise<void>,
): Promise<Reached> {
  const way = [path];
  while (way[0] !== '/') way.unshift(parentPath(way[0]!));
  const [nearest] = await tx.sql<Reached>(NEAREST, [tree.id, way]);
  let parent = nearest!;
  for (const wanted of way.slice(way.indexOf(parent.path) + 1))
    parent = await createBetween(tx, tree, parent, wanted, mayCreateIn);
  return parent;
}

/** Creates a folder that may be created concurrently; then the other one is used. */
async function createBetween(
  tx: Transaction,
  tree: LockedEnvironment,
  parent: Reached,
  path: string,
  mayCreateIn: (path: string) => Promise<void>,
): Promise<Reached> {
  if (nameOf(path).startsWith(RESERVED)) throw notFound('folder', { environment: tree.slug, path });
  await mayCreateIn(parent.path);
  const [created] = await tx.sql<Reached>(CREATE_UNLESS_THERE, columns(tx, tree, parent.id, path, null));
  if (!created) return (await folderByPath(tx, tree, path))!;
  await noteCreation(tx, tree, parent, created);
  return created;
}

const columns = (
  tx: Transaction,
  tree: LockedEnvironment,
  parentId: string,
  path: string,
  description: string | null,
) =>
  [newId(), tree.organizationId, tree.projectId, tree.id, parentId, nameOf(path), path, description, tx.now()] as const;

async function noteCreation(
  tx: Transaction,
  tree: LockedEnvironment,
  parent: { id: string },
  { id, path }: Reached,
): Promise<void> {
  await keepVersion(tx, tree, { id, parentId: parent.id });
  record(tx, folderCreated, { environment: tree.slug, folderId: id, path }, { projectId: tree.projectId });
}
