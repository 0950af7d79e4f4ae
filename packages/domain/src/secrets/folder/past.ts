import { statement, type Context } from '../../kernel/index.ts';
import { childPath, isAtOrBelow } from './folder.ts';

/** A folder with all that its versions keep. */
export interface FolderState {
  readonly id: string;
  /** `null` for the root folder. */
  readonly parentId: string | null;
  readonly name: string;
  readonly path: string;
  readonly description: string | null;
}

/** The same, with the revision of its project at which it was so. */
export interface PastFolder extends FolderState {
  readonly revision: number;
}

const AT = statement(
  'folder.at_revision',
  `select id, null as "parentId", name, description from folders where environment_id = $1 and parent_id is null
   union all
   select v.folder_id, v.parent_id, v.name, v.description from folder_versions v
   left join commits w on w.id = v.commit_id left join commits r on r.id = v.replaced_commit_id
   where v.environment_id = $1 and coalesce(w.revision, 0) <= $2::bigint
     and (not v.is_replaced or coalesce(r.revision, 0) > $2::bigint)`,
);

const PRESENT = statement(
  'folder.present',
  'select id, parent_id as "parentId", name, description from folders where environment_id = $1 and not is_reserved',
);

type Row = Omit<FolderState, 'path'>;

/** The folders of an environment at a revision of its project, parents first. */
export const foldersAt = async (ctx: Context, environmentId: string, revision: number): Promise<PastFolder[]> =>
  withPaths(await ctx.sql<Row>(AT, [environmentId, revision])).map((folder) => ({ ...folder, revision }));

/** The same for the current folders. */
export const presentFolders = async (ctx: Context, environmentId: string): Promise<FolderState[]> =>
  withPaths(await ctx.sql<Row>(PRESENT, [environmentId]));

function withPaths(rows: readonly Row[]): FolderState[] {
  const childrenOf = Map.groupBy(rows, (row) => row.parentId);
  const found: FolderState[] = (childrenOf.get(null) ?? []).map((root) => ({ ...root, path: '/' }));
  for (const { id, path } of found)
    found.push(...(childrenOf.get(id) ?? []).map((child) => ({ ...child, path: childPath(path, child.name) })));
  return found;
}

/** A folder and all below it. */
export const withAllBelow = <Folder extends { readonly path: string }>(
  folders: readonly Folder[],
  path: string,
): Folder[] => folders.filter((folder) => isAtOrBelow(folder.path, path));
