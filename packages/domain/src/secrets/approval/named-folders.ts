import {
  eachPortion,
  portionsOf,
  statement,
  textArray,
  WorkBudget,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import type { CapturedChange } from '../coverage/index.ts';
import { ancestorsOf, parentPath } from '../folder/index.ts';
import { slugsOf } from '../meaning/index.ts';
import type { StoredChange } from './row.ts';

/** What the names in a change stand for. */
interface Named {
  /** The secret that a creation writes. */
  readonly createdId: string | null;
  /** The deepest existing folder on its path, and the path of that; `null` without the environment. */
  readonly folderId: string | null;
  readonly folderPath: string | null;
  readonly tagSlugs: readonly string[];
}

const TYPES = { created_id: 'uuid', folder_id: 'uuid', folder_path: 'text', tag_slugs: 'text[]' };
const COLUMNS = Object.keys(TYPES);

/** The columns of `Named`, */
export const NAMED_COLUMNS = COLUMNS.join(', ');
/** with their types in a `json_to_recordset`, */
export const NAMED_TYPES = Object.entries(TYPES)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');
/** and the values. */
export const namedValues = ({ createdId, folderId, folderPath, tagSlugs }: Named) => ({
  created_id: createdId,
  folder_id: folderId,
  folder_path: folderPath,
  tag_slugs: textArray(tagSlugs),
});

const FOLDERS = statement(
  'secret_approval_changes.folders',
  `select n.path as "folderPath", f.id as "folderId" from unnest($3::text[]) as n (path)
   join environments e on e.project_id = $1 and e.slug = $2
   join folders f on f.environment_id = e.id and f.path = n.path`,
);

interface NamedFolder {
  readonly folderId: string;
  readonly folderPath: string;
}

/** The folders of an environment at some paths and above them. */
async function foldersAt(
  ctx: Context,
  projectId: string,
  environment: string,
  paths: readonly string[],
): Promise<Map<string, NamedFolder>> {
  const found = new Map<string, NamedFolder>();
  const pace = new WorkBudget();
  // Of nested folders, most are above one another.
  for (const portion of portionsOf(new Set([...paths, ...ancestorsOf(paths)]), ({ length }) => length)) {
    const rows = await ctx.sql<NamedFolder>(FOLDERS, [projectId, environment, portion]);
    for (const row of rows) found.set(row.folderPath, row);
    await pace.spendAndRest(portion.length);
  }
  return found;
}

/** Finds the deepest folder at or above a path; each path is looked at once. */
function deepestIn(folders: Map<string, NamedFolder>): (path: string) => NamedFolder | undefined {
  const known = new Map<string, NamedFolder | undefined>(folders);
  return (path) => {
    const below: string[] = [];
    let at = path;
    for (; !known.has(at) && at !== '/'; at = parentPath(at)) below.push(at);
    const folder = known.get(at);
    for (const one of below) known.set(one, folder);
    return folder;
  };
}

/** What the names in some changes stand for now. A value in a request is shown under these, too: see `ChangeReader`. */
export async function namedIn(
  ctx: Context,
  projectId: string,
  changes: readonly CapturedChange[],
): Promise<(change: CapturedChange) => Named> {
  const deepest = new Map<string, ReturnType<typeof deepestIn>>();
  const byEnvironment = Map.groupBy(changes, ({ spot }) => spot.environment);
  for (const [environment, its] of byEnvironment) {
    const paths = its.map(({ spot }) => spot.path);
    deepest.set(environment, deepestIn(await foldersAt(ctx, projectId, environment, paths)));
  }
  const slugs = await slugsOf(ctx, projectId, { ids: changes.flatMap(({ tagIds }) => tagIds) });
  return ({ spot, createdId, tagIds }) => {
    const folder = deepest.get(spot.environment)?.(spot.path);
    return {
      createdId,
      folderId: folder?.folderId ?? null,
      folderPath: folder?.folderPath ?? null,
      tagSlugs: tagIds.flatMap((id) => slugs[id] ?? []),
    };
  };
}

/** Whether the names in some stored changes stand for the same folders now. Earlier releases did not store these. */
export async function areSameFolders(
  ctx: Context,
  projectId: string,
  stored: readonly StoredChange[],
): Promise<boolean> {
  const known = stored.filter(({ folderId }) => folderId !== null);
  const changes = known.map(({ change }) => change);
  const namedBy = await namedIn(ctx, projectId, changes);
  return known.every(({ change, folderId }) => namedBy(change).folderId === folderId);
}

const KEEP = statement(
  'secret_approval_changes.keep_named',
  `update secret_approval_changes c set ${COLUMNS.map((name) => `${name} = n.${name}`).join(', ')}
   from json_to_recordset($2::json) as n (position integer, ${NAMED_TYPES})
   where c.request_id = $1 and c.position = n.position`,
);

/** Notes for the changes of a request, which were just made, which secrets they created, and where. */
export async function keepNamed(
  tx: Transaction,
  { id, projectId }: { readonly id: string; readonly projectId: string },
  done: readonly CapturedChange[],
): Promise<void> {
  const namedBy = await namedIn(tx, projectId, done);
  const rows = done.flatMap((change, position) =>
    change.op === 'delete' ? [] : { position, ...namedValues(namedBy(change)) },
  );
  await eachPortion(rows, (portion) => tx.sql(KEEP, [id, JSON.stringify(portion)]));
}
