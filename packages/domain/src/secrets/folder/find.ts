import { abilityIn, organizationOf } from '../../access/index.ts';
import { isId, notFound, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { folderVisibility } from './place-rules.ts';

/** What names a folder: the canonical path in an environment of a project. */
export interface FolderPlace {
  readonly projectId: string;
  /** The environment's slug. */
  readonly environment: string;
  readonly path: string;
}

/** A folder that was found. */
export interface FoundFolder {
  readonly id: string;
  readonly path: string;
  readonly environmentId: string;
  readonly environmentSlug: string;
  readonly projectId: string;
  readonly organizationId: string;
}

const COLUMNS = `f.id, f.path, f.environment_id as "environmentId", e.slug as "environmentSlug",
  f.project_id as "projectId", f.organization_id as "organizationId"`;

const AT = statement(
  'folder.at',
  `select ${COLUMNS} from environments e join folders f on f.environment_id = e.id and f.path = $4 and not f.is_reserved
   where e.organization_id = $1 and e.project_id = $2 and e.slug = $3`,
);

/**
 * The folder at a location. The rights of the caller are not checked.
 *
 * @throws DomainError 404 `folder.not_found` if there is none, also for a missing environment or project.
 */
export async function folderAt(ctx: Context, place: FolderPlace): Promise<FoundFolder> {
  const folder = await findFolder(ctx, place);
  const { environment, path } = place;
  if (!folder) throw notFound('folder', { environment, path });
  return folder;
}

/**
 * The same for a list of what is in the folder: `undefined` where there is none and the caller would not see it, since it
 * gets the same empty list for existing and missing ones.
 *
 * @throws DomainError 404 as `folderAt`, for a caller that would see the folder.
 */
export async function folderToList(ctx: Context, place: FolderPlace): Promise<FoundFolder | undefined> {
  const { projectId, environment, path } = place;
  const sees = folderVisibility(await abilityIn(ctx, projectId));
  return sees({ environment, secretPath: path }) ? folderAt(ctx, place) : findFolder(ctx, place);
}

/** Locks the environment before the folder, like renames of folders and environments. */
const HOLD = statement('folder.hold_at', `${AT.text} for key share of e, f`);

/**
 * The same for creations in the folder: until the transaction ends, the folder keeps its path and environment. A
 * concurrent rename waits, and then sees what was created.
 */
export async function holdFolderAt(tx: Transaction, place: FolderPlace): Promise<FoundFolder> {
  const folder = await holdFolder(tx, place);
  const { environment, path } = place;
  if (!folder) throw notFound('folder', { environment, path });
  return folder;
}

/** The same for a folder that may not exist. */
export const holdFolder = (tx: Transaction, place: FolderPlace): Promise<FoundFolder | undefined> =>
  findFolder(tx, place, HOLD);

/** The folder at a location, if there is one. */
export async function findFolder(
  ctx: Context,
  { projectId, environment, path }: FolderPlace,
  found = AT,
): Promise<FoundFolder | undefined> {
  if (!isId(projectId)) return undefined;
  return (await ctx.sql<FoundFolder>(found, [organizationOf(ctx), projectId, environment, path]))[0];
}

const BELOW = statement(
  'folder.below',
  `select ${COLUMNS} from folders f join environments e on e.id = f.environment_id
   where f.environment_id = $1 and not f.is_reserved and (f.path = $2 or (f.path >= $3 and f.path < $4)) order by f.path`,
);

/** A folder and all folders below it, ordered by path. */
export const foldersBelow = (
  ctx: Context,
  { environmentId, path }: Pick<FoundFolder, 'environmentId' | 'path'>,
): Promise<FoundFolder[]> => ctx.sql<FoundFolder>(BELOW, [environmentId, path, ...rangeBelow(path)]);

/** The bounds of the paths below a path, without the upper one: `0` follows `/` in byte order. */
export const rangeBelow = (path: string): [from: string, to: string] =>
  path === '/' ? ['/', '0'] : [`${path}/`, `${path}0`];
