import { filterInTurns } from '../../access/index.ts';
import {
  at,
  eventOf,
  isId,
  notFound,
  statement,
  type Ability,
  type Context,
  readInRoom,
  type AnswerRoom,
} from '../../kernel/index.ts';
import type { SecretActor } from '../commit/index.ts';
import { foldersAt, folderVisibility, presentPlaces, requireVisible } from '../folder/index.ts';
import { secretsAt } from '../secret/index.ts';
import {
  commitRead,
  commitsRead,
  type Commit,
  type ReadCommit,
  type CommitWithChanges,
  type ListCommits,
} from './history.ts';
import type { Past, PastPlace } from './past.ts';
import { environmentsOf } from './places.ts';
import { ask, Comparison, placesOf } from './read.ts';

interface CommitRow {
  id: string;
  projectId: string;
  revision: string;
  message: string | null;
  actor: SecretActor;
  createdAt: string;
}

const COLUMNS = `c.id, c.project_id as "projectId", c.revision::text as revision, c.message, c.actor, c.created_at as "createdAt"`;

/** Including former subfolders; those that were deleted belonged to it permanently. */
const FOLDERS = statement(
  'commits.folders',
  `with recursive t as (
     select unnest($1::uuid[]) as id
     union select v.folder_id from folder_versions v join t on v.parent_id = t.id where v.environment_id = $2
   ) select id from t`,
);

/** Deleted folders with this path: at each step, folders with that former name. */
const HAD_PATH = statement(
  'commits.had_path',
  `with recursive t as (
     select id, 0 as depth from folders where environment_id = $1 and parent_id is null
     union select v.folder_id, t.depth + 1 from t join folder_versions v on v.parent_id = t.id
       and v.environment_id = $1 and v.name = ($2::text[])[t.depth + 1]
   ) select id from t where depth = cardinality($2) and not exists (select from folders f where f.id = t.id)`,
);

const LIST = statement(
  'commits.list',
  `select ${COLUMNS}, count(*) over ()::integer as "totalCount" from commits c
   where c.project_id = $1 and c.revision in (select f.revision from commit_folders f where f.folder_id = any($2::uuid[]))
   order by c.revision desc limit $3 offset $4`,
);
const COUNT = statement(
  'commits.count',
  'select count(distinct revision)::integer as "totalCount" from commit_folders where folder_id = any($1::uuid[])',
);
const BY_ID = statement('commits.by_id', `select ${COLUMNS} from commits c where c.project_id = $1 and c.id = $2`);

const toCommit = ({ id, projectId, revision, message, actor, createdAt }: CommitRow): Commit => ({
  id,
  projectId,
  revision: Number(revision),
  message,
  actor,
  createdAt: at(createdAt),
});

/**
 * Those of some folders that the caller may see at their present or last path. A commit is shown to callers who see one of
 * its folders, because its message, actor and time concern all of them.
 */
async function visibleOf(ctx: Context, ability: Ability, ids: readonly string[]): Promise<string[]> {
  const places = await presentPlaces(ctx, ids);
  const sees = folderVisibility(ability);
  return filterInTurns(ids, (id) => {
    const place = places.get(id);
    return place !== undefined && sees(place);
  });
}

/** The folder that has a path now, otherwise those that had it, as far as the caller may see their last location. */
async function foldersOf(
  ctx: Context,
  ability: Ability,
  { environment, folderId, path }: PastPlace,
): Promise<string[]> {
  if (folderId !== undefined) return [folderId];
  const rows = await ctx.sql<{ id: string }>(HAD_PATH, [environment.id, path.slice(1).split('/')]);
  const found = await visibleOf(
    ctx,
    ability,
    rows.map(({ id }) => id),
  );
  if (found.length === 0) throw notFound('folder', { environment: environment.slug, path });
  return found;
}

/**
 * The commits to a folder, newest first; `recursive` with those to the folders below that the caller may see.
 *
 * @throws DomainError 403 if the caller may not see the folder, 404 if it does not exist and never did.
 */
export async function listCommits(
  ctx: Context,
  input: ListCommits,
): Promise<{ commits: Commit[]; totalCount: number }> {
  const { projectId, environment, secretPath, recursive, limit, offset } = input;
  const { ability } = await ask(ctx, projectId);
  requireVisible(ability, { environment, secretPath });
  const [place] = await placesOf(ctx, { projectId, environment, secretPath });
  const folders = await foldersOf(ctx, ability, place!);
  const ids = recursive ? await visibleBelow(ctx, ability, folders, place!.environment.id) : folders;
  const rows = await ctx.sql<CommitRow & { totalCount: number }>(LIST, [projectId, ids, limit, offset]);
  const totalCount = rows[0]?.totalCount ?? (await ctx.sql<{ totalCount: number }>(COUNT, [ids]))[0]!.totalCount;
  await ctx.commitRead(eventOf(commitsRead, { environment, secretPath }, { projectId }), ctx);
  return { commits: rows.map(toCommit), totalCount };
}

async function visibleBelow(
  ctx: Context,
  ability: Ability,
  folders: readonly string[],
  environmentId: string,
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }>(FOLDERS, [folders, environmentId]);
  return visibleOf(
    ctx,
    ability,
    rows.map(({ id }) => id),
  );
}

const COMMIT_FOLDERS = statement(
  'commits.folders_of',
  'select folder_id as id from commit_folders where commit_id = $1',
);

/**
 * A commit with its changes, as far as the caller may see them.
 *
 * @throws DomainError 403, 404 also for a commit to folders that the caller may not see.
 */
export function getCommit(ctx: Context, commit: ReadCommit): Promise<CommitWithChanges> {
  return readInRoom(ctx, (room) => getCommitIn(ctx, commit, commit.viewSecretValue ? room : undefined));
}

async function getCommitIn(
  ctx: Context,
  { projectId, commitId }: ReadCommit,
  room: AnswerRoom | undefined,
): Promise<CommitWithChanges> {
  const asked = await ask(ctx, projectId);
  const [row] = isId(commitId) ? await ctx.sql<CommitRow>(BY_ID, [projectId, commitId]) : [];
  if (!row) throw notFound('commit');
  const touched = new Set((await ctx.sql<{ id: string }>(COMMIT_FOLDERS, [commitId])).map((folder) => folder.id));
  if ((await visibleOf(ctx, asked.ability, [...touched])).length === 0) throw notFound('commit');
  const commit = toCommit(row);
  const comparison = new Comparison(room);
  for (const environment of await environmentsOf(ctx, { projectId })) {
    const sideAt = async (revision: number): Promise<Past> => {
      const all = await foldersAt(ctx, environment.id, revision);
      const own = all.filter((folder) => touched.has(folder.id));
      const secrets = await secretsAt(
        ctx,
        asked.scope,
        { environment: environment.slug, folders: own },
        { revision, commitId },
      );
      const folders = all.filter((folder) => folder.parentId !== null && touched.has(folder.parentId));
      return { environment, folders, secrets };
    };
    await comparison.add(ctx, asked, await sideAt(commit.revision - 1), await sideAt(commit.revision));
  }
  const data = { commitId, revision: commit.revision, ...comparison.read };
  await ctx.commitRead(eventOf(commitRead, data, { projectId }), ctx);
  return { ...commit, changes: comparison.changes };
}
