import { badRequest, statement, type Context } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import type { PastFolder } from '../folder/index.ts';
import { CONTENT_COLUMNS, type SecretRow } from './row.ts';

/** Maximum number of secrets of one environment in a response about the past, or a restoration. */
const MAX_PAST = 100_000;

/** A shared secret at a revision, with its location at that time. Its tags have their current slugs. */
export interface PastSecretRow extends SecretRow {
  /** Of the version that it then had. */
  versionId: string;
}

const AT = statement(
  'secrets.at_revision',
  `select v.* from (
     select s.id, s.version_id as "versionId", s.organization_id as "organizationId", s.project_id as "projectId",
       s.folder_id as "folderId", s.user_id as "userId", ${CONTENT_COLUMNS}, s.created_at as "createdAt",
       s.updated_at as "updatedAt", s.commit_id as "commitId", null::uuid as "replacedCommitId", false as "isReplaced"
     from secrets s where s.folder_id = any($2::uuid[]) and s.user_id is null
     union all
     select s.secret_id, s.id, s.organization_id, s.project_id, s.folder_id, s.user_id, ${CONTENT_COLUMNS}, s.secret_created_at,
       s.created_at, s.commit_id, s.replaced_commit_id, true
     from secret_versions s where s.folder_id = any($2::uuid[]) and s.user_id is null
   ) v
   left join commits w on w.id = v."commitId" left join commits r on r.id = v."replacedCommitId"
   where v."projectId" = $1 and coalesce(w.revision, 0) <= $3::bigint
     and (not v."isReplaced" or coalesce(r.revision, 0) > $3::bigint)
     and ($4::uuid is null or v."commitId" = $4 or v."replacedCommitId" = $4)
   order by v.key limit $5`,
);

/**
 * The shared secrets in some folders at a revision, ordered by folder and name; for a commit, only those that it wrote
 * or replaced.
 *
 * @throws DomainError 400 `history.too_many` if there are more than `most`.
 */
export async function secretsAt(
  ctx: Context,
  { projectId }: Pick<Scope, 'projectId'>,
  { environment, folders }: { environment: string; folders: readonly PastFolder[] },
  { revision, commitId = null, most = MAX_PAST }: { revision: number; commitId?: string | null; most?: number },
): Promise<PastSecretRow[]> {
  if (folders.length === 0) return [];
  const ids = folders.map((folder) => folder.id);
  const asked = [projectId, ids, revision, commitId, most + 1];
  const rows = await ctx.sql<Omit<PastSecretRow, 'environment' | 'path'>>(AT, asked);
  if (rows.length > most)
    throw badRequest('history.too_many', `There are more than ${most} secrets: select a folder at a deeper level`);
  const inFolder = Map.groupBy(rows, (row) => row.folderId);
  return folders.flatMap(({ id, path }) => (inFolder.get(id) ?? []).map((row) => ({ ...row, environment, path })));
}
