import {
  abilityIn,
  denied,
  eachInTurns,
  filterInTurns,
  grant,
  organizationOf,
  unlessHidden,
} from '../../access/index.ts';
import { isId, notFound, statement, type Context } from '../../kernel/index.ts';
import { folderAt, rangeBelow, type FolderPlace } from './find.ts';
import { ancestorsOf, folderPermissions, type FolderWithPlace, type ListedFolder, type ListFolders } from './folder.ts';
import { folderVisibility, requireVisible } from './place-rules.ts';
import { FOLDER_COLUMNS, toFolder, type FolderRow } from './row.ts';

const CHILDREN = statement(
  'folder.children',
  `select ${FOLDER_COLUMNS} from folders f where f.parent_id = $1 and not f.is_reserved order by f.path`,
);
const DESCENDANTS = statement(
  'folder.descendants',
  `select ${FOLDER_COLUMNS} from folders f where f.environment_id = $1 and f.path >= $2 and f.path < $3 and f.path <> $4 and not f.is_reserved order by f.path`,
);
const PATHS_BELOW = statement(
  'folder.paths_below',
  `select f.path from environments e join folders f on f.environment_id = e.id
   where e.organization_id = $1 and e.project_id = $2 and e.slug = $3 and not f.is_reserved and f.path >= $4 and f.path < $5`,
);

/**
 * The folders in a folder, or at any depth below it: visible ones, and the parents of visible ones.
 * `lastSecretModified` selects those in which a secret was written or deleted since.
 *
 * @throws DomainError 403 if the caller sees nothing there, 404 if there is no such folder.
 */
export async function listFolders(ctx: Context, input: ListFolders): Promise<ListedFolder[]> {
  const { recursive, lastSecretModified, ...place } = input;
  const { environment, path } = place;
  const ability = await abilityIn(ctx, place.projectId);
  grant(ctx, folderPermissions.read);
  const sees = folderVisibility(ability);
  const isSeen = (secretPath: string) => sees({ environment, secretPath });
  const isSeenHere = isSeen(path);
  const seenBelow = isSeenHere ? undefined : await pathsSeenBelow(ctx, place, isSeen);
  if (seenBelow?.length === 0) requireVisible(ability, { environment, secretPath: path });

  const folder = await folderAt(ctx, place);
  const rows = recursive
    ? await ctx.sql<FolderRow>(DESCENDANTS, [folder.environmentId, ...rangeBelow(folder.path), folder.path])
    : await ctx.sql<FolderRow>(CHILDREN, [folder.id]);
  const seen = new Set(await filterInTurns(rows, (row) => isSeen(row.path)));
  const ways =
    seen.size < rows.length ? ancestorsOf(seenBelow ?? (await pathsSeenBelow(ctx, place, isSeen))) : new Set();
  const listed: ListedFolder[] = [];
  await eachInTurns(rows, (row) => {
    if (!seen.has(row) && !ways.has(row.path)) return;
    const shown = toFolder(row);
    const { lastSecretModified: modified } = shown;
    if (lastSecretModified && (modified === null || modified < lastSecretModified)) return;
    const relativePath = path === '/' ? row.path : row.path.slice(path.length);
    listed.push({ ...shown, ...(recursive && { relativePath }) });
  });
  return listed;
}

export async function pathsSeenBelow(
  ctx: Context,
  place: FolderPlace,
  isSeen: (path: string) => boolean,
): Promise<string[]> {
  const { projectId, environment, path } = place;
  if (!isId(projectId)) return [];
  const rows = await ctx.sql<{ path: string }>(PATHS_BELOW, [
    organizationOf(ctx),
    projectId,
    environment,
    ...rangeBelow(path),
  ]);
  return filterInTurns(
    rows.map((row) => row.path),
    isSeen,
  );
}

interface PlacedRow extends FolderRow {
  environmentName: string;
  environmentSlug: string;
}

const PLACED = `select ${FOLDER_COLUMNS}, e.name as "environmentName", e.slug as "environmentSlug"
  from folders f join environments e on e.id = f.environment_id where f.organization_id = $1 and f.id = $2 and not f.is_reserved`;
const WITH_PLACE = statement('folder.with_place', PLACED);

/**
 * A folder by its ID.
 *
 * @throws DomainError 404 also in a project of which the caller is not a member, 403 if it may not see the folder.
 */
export async function getFolder(ctx: Context, { folderId }: { folderId: string }): Promise<FolderWithPlace> {
  const [row] = isId(folderId) ? await ctx.sql<PlacedRow>(WITH_PLACE, [organizationOf(ctx), folderId]) : [];
  if (!row) throw notFound('folder');
  const ability = await unlessHidden('folder', abilityIn(ctx, row.projectId));
  grant(ctx, folderPermissions.read);
  const place = { environment: row.environmentSlug, secretPath: row.path };
  // It was named by its ID: the error does not disclose its location.
  if (!folderVisibility(ability)(place)) throw denied(ability, folderPermissions.read);
  return {
    ...toFolder(row),
    environment: { envId: row.environmentId, envName: row.environmentName, envSlug: row.environmentSlug },
    path: row.path,
    projectId: row.projectId,
  };
}

/** A folder by its place; see `getFolder`. */
export async function getFolderAt(ctx: Context, place: FolderPlace): Promise<FolderWithPlace> {
  const ability = await abilityIn(ctx, place.projectId);
  grant(ctx, folderPermissions.read);
  requireVisible(ability, { environment: place.environment, secretPath: place.path });
  return getFolder(ctx, { folderId: (await folderAt(ctx, place)).id });
}
