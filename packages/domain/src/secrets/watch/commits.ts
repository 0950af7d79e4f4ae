import { statement, type Context } from '../../kernel/index.ts';
import type { Scope, SecretActor } from '../commit/index.ts';
import { foldersAt, placesAt, type PlaceAt } from '../folder/index.ts';
import { TAGS_THEN } from '../secret/index.ts';

/** A shared secret on one side of a commit: its location and the fields for rules. */
export interface Side extends PlaceAt {
  readonly key: string;
  /** By their slugs of today. */
  readonly tags: readonly string[];
  /** By the slugs that they had when this was written. */
  readonly tagsThen: readonly string[];
}

/** The change of one secret by a commit: created if there is nothing before, deleted if there is nothing after. */
export interface Change {
  readonly before: Side | undefined;
  readonly after: Side | undefined;
}

export interface Commit {
  readonly revision: bigint;
  readonly actor: SecretActor;
  readonly changes: readonly Change[];
}

/** The next commits. */
export interface Commits {
  readonly commits: readonly Commit[];
  /** Whether there may be others behind them. */
  readonly isMore: boolean;
}

/** Maximum number of changes read at once: they stay in memory until they are sent. */
const PLENTY = 10_000;

interface CommitRow {
  id: string;
  revision: string;
  actor: SecretActor;
  found: number;
}
/** The next ones, limited also by the number of their versions. */
const AFTER = statement(
  'commits.after',
  `with next as (
     select id, revision, actor from commits where project_id = $1 and revision > $2::bigint
     order by commits.revision limit $3
   ), sized as (
     select next.*, (select count(*) from secrets s where s.commit_id = next.id)
       + (select count(*) from secret_versions v where v.commit_id = next.id or v.replaced_commit_id = next.id) as size
     from next
   ), summed as (
     select sized.*, sum(size) over (order by revision) - size as earlier from sized
   )
   select id, revision::text as revision, actor, (select count(*)::integer from next) as found
   from summed where earlier < $4 order by summed.revision`,
);

interface VersionRow {
  secretId: string;
  commitId: string;
  isAfter: boolean;
  folderId: string;
  key: string;
  tags: string[];
  tagsThen: string[];
}
const VERSION = `folder_id as "folderId", key, array(select slug from tags where tags.id = any(tag_ids)) as tags,
  ${TAGS_THEN} as "tagsThen"`;
/** A version that the same commit wrote and replaced is on neither side. */
const VERSIONS = statement(
  'commits.versions',
  `select id as "secretId", commit_id as "commitId", true as "isAfter", ${VERSION}
   from secrets where commit_id = any($1::uuid[]) and user_id is null
   union all
   select secret_id, commit_id, true, ${VERSION} from secret_versions
   where commit_id = any($1::uuid[]) and user_id is null and replaced_commit_id is distinct from commit_id
   union all
   select secret_id, replaced_commit_id, false, ${VERSION} from secret_versions
   where replaced_commit_id = any($1::uuid[]) and user_id is null and commit_id is distinct from replaced_commit_id`,
);

interface MoveRow {
  commitId: string;
  environmentId: string;
  folderId: string;
}
/** The folders that were renamed or moved, with their contents. */
const MOVES = statement(
  'commits.folder_moves',
  `select a.commit_id as "commitId", a.environment_id as "environmentId", a.folder_id as "folderId"
   from folder_versions a join folder_versions b
     on b.folder_id = a.folder_id and b.replaced_commit_id = a.commit_id and b.commit_id is distinct from a.commit_id
   where a.commit_id = any($1::uuid[]) and a.replaced_commit_id is distinct from a.commit_id
     and (a.name <> b.name or a.parent_id <> b.parent_id)`,
);

interface StillRow {
  secretId: string;
  folderId: string;
  key: string;
  tags: string[];
  tagsThen: string[];
}
/** What was in some folders at a revision. */
const WITHIN = statement(
  'commits.secrets_within',
  `select v."secretId", v."folderId", v.key, v.tags, v."tagsThen" from (
     select id as "secretId", commit_id, null::uuid as replaced_commit_id, false as is_replaced, ${VERSION}
     from secrets where folder_id = any($2::uuid[]) and user_id is null
     union all
     select secret_id, commit_id, replaced_commit_id, true, ${VERSION}
     from secret_versions where folder_id = any($2::uuid[]) and user_id is null
   ) v left join commits a on a.id = v.commit_id left join commits b on b.id = v.replaced_commit_id
   where coalesce(a.revision, 0) <= $1::bigint and (not v.is_replaced or coalesce(b.revision, 0) > $1::bigint)`,
);

/**
 * The commits to a project after a revision, in order, up to a limit and fewer if they are large, with their changes of
 * shared secrets. They are read from the history, so the result is always the same. No rights are checked.
 */
export async function commitsAfter(
  ctx: Context,
  { projectId }: Pick<Scope, 'projectId'>,
  revision: bigint,
  limit: number,
): Promise<Commits> {
  const commits = await ctx.sql<CommitRow>(AFTER, [projectId, revision.toString(), limit, PLENTY]);
  if (commits.length === 0) return { commits: [], isMore: false };
  const ids = [commits.map((commit) => commit.id)];
  const [versions, moves] = [await ctx.sql<VersionRow>(VERSIONS, ids), await ctx.sql<MoveRow>(MOVES, ids)];
  const revisions = new Map(commits.map((commit) => [commit.id, BigInt(commit.revision)]));
  const sideRevision = (row: VersionRow) => revisions.get(row.commitId)! - (row.isAfter ? 0n : 1n);
  const locationOf = await placesAt(
    ctx,
    versions.map((row) => ({ folderId: row.folderId, revision: sideRevision(row) })),
  );
  const versionsOf = Map.groupBy(versions, (row) => row.commitId);
  const movesOf = Map.groupBy(moves, (row) => row.commitId);
  const found: Commit[] = [];
  let size = 0;
  for (const { id, actor } of commits) {
    if (size >= PLENTY) break;
    const at = revisions.get(id)!;
    const changes = new Map<string, { before?: Side; after?: Side }>();
    for (const row of versionsOf.get(id) ?? []) {
      const place = locationOf(row.folderId, sideRevision(row));
      const change = changes.get(row.secretId) ?? {};
      changes.set(row.secretId, change);
      if (place)
        change[row.isAfter ? 'after' : 'before'] = { ...place, key: row.key, tags: row.tags, tagsThen: row.tagsThen };
    }
    for (const move of movesOf.get(id) ?? []) await addMoved(ctx, changes, at, move);
    size += changes.size;
    found.push({
      revision: at,
      actor,
      changes: Array.from(changes.values(), ({ before, after }) => ({ before, after })),
    });
  }
  return { commits: found, isMore: commits[0]!.found === limit || found.length < commits[0]!.found };
}

/** Adds those that only moved with their folder. */
async function addMoved(
  ctx: Context,
  changes: Map<string, { before?: Side; after?: Side }>,
  revision: bigint,
  { environmentId, folderId }: MoveRow,
): Promise<void> {
  const after = await foldersAt(ctx, environmentId, Number(revision));
  const top = after.find((folder) => folder.id === folderId);
  if (!top) return;
  const inside = after.filter(({ id, path }) => id === folderId || path.startsWith(`${top.path}/`)).map(({ id }) => id);
  const secrets = await ctx.sql<StillRow>(WITHIN, [revision.toString(), inside]);
  const locationOf = await placesAt(
    ctx,
    inside.flatMap((id) => [
      { folderId: id, revision: revision - 1n },
      { folderId: id, revision },
    ]),
  );
  for (const { secretId, folderId: id, ...secret } of secrets) {
    const [from, to] = [locationOf(id, revision - 1n), locationOf(id, revision)];
    if (changes.has(secretId) || !from || !to) continue;
    changes.set(secretId, { before: { ...from, ...secret }, after: { ...to, ...secret } });
  }
}
