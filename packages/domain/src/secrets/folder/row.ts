import { at, atOrNull, explainConstraint, isId, notFound, statement, type Transaction } from '../../kernel/index.ts';
import { MAX_PATH, type Folder } from './folder.ts';

explainConstraint('folders_path_unique', 'A folder with this name already exists here');
explainConstraint('folders_path_length', `The path of a folder can have at most ${MAX_PATH} characters`);

/** A stored folder. */
export interface FolderRow {
  id: string;
  organizationId: string;
  projectId: string;
  environmentId: string;
  parentId: string | null;
  name: string;
  path: string;
  version: number;
  description: string | null;
  isReserved: boolean;
  createdAt: string;
  updatedAt: string;
  lastSecretModified: string | null;
}

/** The columns of a `FolderRow` from `folders f`. */
export const FOLDER_COLUMNS = `f.id, f.organization_id as "organizationId", f.project_id as "projectId",
  f.environment_id as "environmentId", f.parent_id as "parentId", f.name, f.path, f.version,
  f.description, f.is_reserved as "isReserved", f.created_at as "createdAt", f.updated_at as "updatedAt", greatest(
    (select max(s.updated_at) from secrets s where s.folder_id = f.id),
    (select max(v.replaced_at) from secret_versions v where v.folder_id = f.id and v.is_deleted)) as "lastSecretModified"`;

export const toFolder = (row: FolderRow): Folder => ({
  id: row.id,
  name: row.name,
  version: row.version,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
  envId: row.environmentId,
  parentId: row.parentId,
  isReserved: row.isReserved,
  description: row.description,
  lastSecretModified: atOrNull(row.lastSecretModified),
});

/** An environment whose tree is being changed. */
export interface LockedEnvironment {
  readonly id: string;
  readonly slug: string;
  readonly projectId: string;
  readonly organizationId: string;
}

const ENVIRONMENT = `select id, slug, project_id as "projectId", organization_id as "organizationId" from environments
  where organization_id = $1 and project_id = $2 and slug = $3`;
const LOCK_TREE = {
  shared: statement('folder.lock_tree_shared', `${ENVIRONMENT} for key share`),
  exclusive: statement('folder.lock_tree', `${ENVIRONMENT} for update`),
};

/**
 * Locks an environment's tree for the rest of the transaction: `shared` to add folders, concurrently, `exclusive` to
 * rename or delete some. The tree does not change after that.
 *
 * @throws DomainError 404 if there is no such environment.
 */
export async function lockTree(
  tx: Transaction,
  how: keyof typeof LOCK_TREE,
  place: { organizationId: string; projectId: string; environment: string },
): Promise<LockedEnvironment> {
  const { organizationId, projectId, environment } = place;
  const [found] = isId(projectId)
    ? await tx.sql<LockedEnvironment>(LOCK_TREE[how], [organizationId, projectId, environment])
    : [];
  if (!found) throw notFound('environment', { environment });
  return found;
}

const LOCK_TREES = statement(
  'folder.lock_trees',
  `select id, slug, project_id as "projectId", organization_id as "organizationId" from environments
   where organization_id = $1 and project_id = $2 order by slug for update`,
);

/** Locks the trees of all environments of a project exclusively. */
export async function lockTrees(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId: string },
): Promise<LockedEnvironment[]> {
  return isId(projectId) ? tx.sql<LockedEnvironment>(LOCK_TREES, [organizationId, projectId]) : [];
}

const BY_ID = statement(
  'folder.by_id',
  `select ${FOLDER_COLUMNS} from folders f where f.environment_id = $1 and f.id = $2 and not f.is_reserved`,
);
const BY_PATH = statement(
  'folder.by_path',
  `select ${FOLDER_COLUMNS} from folders f where f.environment_id = $1 and f.path = $2 and not f.is_reserved`,
);

export async function folderById(
  tx: Transaction,
  environment: LockedEnvironment,
  id: string,
): Promise<FolderRow | undefined> {
  return isId(id) ? (await tx.sql<FolderRow>(BY_ID, [environment.id, id]))[0] : undefined;
}

export async function folderByPath(
  tx: Transaction,
  environment: LockedEnvironment,
  path: string,
): Promise<FolderRow | undefined> {
  return (await tx.sql<FolderRow>(BY_PATH, [environment.id, path]))[0];
}
