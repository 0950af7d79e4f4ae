import { eachPortion, statement, textArray, type Context, type Transaction } from '../../kernel/index.ts';
import type { CapturedChange, Spot } from '../coverage/index.ts';
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

const DEEPEST = statement(
  'secret_approval_changes.deepest_folders',
  `select distinct on (n.environment, n.path) n.environment, n.path, f.id as "folderId", f.path as "folderPath"
   from unnest($2::text[], $3::text[], $4::text[]) as n (environment, path, above)
   join environments e on e.project_id = $1 and e.slug = n.environment
   join folders f on f.environment_id = e.id and f.path = n.above
   order by n.environment, n.path, length(f.path) desc`,
);

interface DeepestFolder extends Spot {
  readonly folderId: string;
  readonly folderPath: string;
}

const keyOf = ({ environment, path }: Spot): string => `${environment} ${path}`;

/** A path and all paths above it. */
function pathsAbove(path: string): string[] {
  const parts = path.split('/').filter(Boolean);
  return [...parts.keys(), parts.length].map((length) => `/${parts.slice(0, length).join('/')}`);
}

/** What the names in some changes stand for now. A value in a request is shown under these, too: see `ChangeReader`. */
export async function namedIn(
  ctx: Context,
  projectId: string,
  changes: readonly CapturedChange[],
): Promise<(change: CapturedChange) => Named> {
  const spots = [...new Map(changes.map(({ spot }) => [keyOf(spot), spot])).values()];
  const deepest = new Map<string, DeepestFolder>();
  await eachPortion(spots, async (portion) => {
    const asked = portion.flatMap((spot) => pathsAbove(spot.path).map((above) => ({ ...spot, above })));
    const columns = [
      asked.map(({ environment }) => environment),
      asked.map(({ path }) => path),
      asked.map(({ above }) => above),
    ];
    for (const row of await ctx.sql<DeepestFolder>(DEEPEST, [projectId, ...columns])) deepest.set(keyOf(row), row);
  });
  const slugs = await slugsOf(ctx, projectId, { ids: changes.flatMap(({ tagIds }) => tagIds) });
  return ({ spot, createdId, tagIds }) => {
    const folder = deepest.get(keyOf(spot));
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
