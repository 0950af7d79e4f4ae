import {
  badRequest,
  conflict,
  mapInTurns,
  MAX_ANSWER,
  portionsOf,
  statement,
  type Context,
  type KeySet,
} from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import type { PastFolder } from '../folder/index.ts';
import { differingFields, type Changed } from './difference.ts';
import { contentColumns, turnCost, type FieldRow } from './row.ts';

/** Maximum number of secrets of one environment in a response about the past, or a restoration of a folder. */
const MAX_PAST = 100_000;

/**
 * A shared secret at a revision, with its location at that time. Its tags have their current slugs. Its value is read
 * separately (`pastValues`), once it is known that it is needed and how large all of them are.
 */
export interface PastSecretRow extends FieldRow {
  /** Of the version that it then had. */
  versionId: string;
  valueBytes: number;
}

type Stored = Omit<PastSecretRow, 'environment' | 'path'>;

const COLUMNS = contentColumns('octet_length(s.value) as "valueBytes"');
const CURRENT = `select s.id, s.version_id as "versionId", s.organization_id as "organizationId", s.project_id as "projectId",
     s.folder_id as "folderId", s.user_id as "userId", ${COLUMNS}, s.created_at as "createdAt",
     s.updated_at as "updatedAt", s.commit_id as "commitId", null::uuid as "replacedCommitId", false as "isReplaced"
   from secrets s`;
const REPLACED = `select s.secret_id as id, s.id as "versionId", s.organization_id as "organizationId", s.project_id as "projectId",
     s.folder_id as "folderId", s.user_id as "userId", ${COLUMNS}, s.secret_created_at as "createdAt",
     s.created_at as "updatedAt", s.commit_id as "commitId", s.replaced_commit_id as "replacedCommitId", true as "isReplaced"
   from secret_versions s`;
const AT = statement(
  'secrets.at_revision',
  `select v.* from (
     ${CURRENT} where s.folder_id = any($2::uuid[]) and s.user_id is null
     union all
     ${REPLACED} where s.folder_id = any($2::uuid[]) and s.user_id is null
   ) v
   left join commits w on w.id = v."commitId" left join commits r on r.id = v."replacedCommitId"
   where v."projectId" = $1 and coalesce(w.revision, 0) <= $3::bigint
     and (not v."isReplaced" or coalesce(r.revision, 0) > $3::bigint)
     and ($4::uuid is null or v."commitId" = $4 or v."replacedCommitId" = $4)
   order by v.key limit $5`,
);

/** The folders of a question about the past, with the slug of their environment. */
export interface PastFolders {
  readonly environment: string;
  readonly folders: readonly PastFolder[];
}

/**
 * The shared secrets in some folders at a revision, ordered by folder and name; for a commit, only those that it wrote
 * or replaced.
 *
 * @throws DomainError 400 `history.too_many` if there are more than `most`.
 */
export async function secretsAt(
  ctx: Context,
  { projectId }: Pick<Scope, 'projectId'>,
  where: PastFolders,
  { revision, commitId = null, most = MAX_PAST }: { revision: number; commitId?: string | null; most?: number },
): Promise<PastSecretRow[]> {
  if (where.folders.length === 0) return [];
  const ids = where.folders.map((folder) => folder.id);
  const rows = await ctx.sql<Stored>(AT, [projectId, ids, revision, commitId, most + 1]);
  if (rows.length > most)
    throw badRequest('history.too_many', `There are more than ${most} secrets: select a folder at a deeper level`);
  return placed(rows, where);
}

function placed(rows: readonly Stored[], { environment, folders }: PastFolders): Promise<PastSecretRow[]> {
  const inFolder = Map.groupBy(rows, (row) => row.folderId);
  const pathOf = new Map(folders.map(({ id, path }) => [id, path]));
  const inOrder = folders.flatMap(({ id }) => inFolder.get(id) ?? []);
  return mapInTurns(inOrder, 1, (row) => ({ ...row, environment, path: pathOf.get(row.folderId)! }));
}

/** How many secrets of a deleted environment are restored at a time. */
export const RESTORED_AT_ONCE = 2_000;

/** All versions that were current at a revision in folders that have been deleted since, in portions. */
const LAST = statement(
  'secrets.last_in_folders',
  `select array_agg(v.id) as ids, array_agg(v.version) as versions from (
     select s.secret_id as id, s.version, (row_number() over (order by s.folder_id, s.key) - 1) / ${RESTORED_AT_ONCE} as portion
     from secret_versions s left join commits w on w.id = s.commit_id left join commits r on r.id = s.replaced_commit_id
     where s.project_id = $1 and s.folder_id = any($2::uuid[]) and s.user_id is null
       and coalesce(w.revision, 0) <= $3::bigint and coalesce(r.revision, 0) > $3::bigint
   ) v group by v.portion order by v.portion`,
);
const OF_VERSIONS = statement(
  'secrets.past_of_versions',
  `${REPLACED} join unnest($2::uuid[], $3::integer[]) as n (id, version) on n.id = s.secret_id and n.version = s.version
   where s.project_id = $1 order by s.key`,
);

/** The same for folders that were deleted after a revision, however many secrets there are: some at a time. */
export async function* deletedSecretsAt(
  ctx: Context,
  { projectId }: Pick<Scope, 'projectId'>,
  where: PastFolders,
  revision: number,
): AsyncGenerator<PastSecretRow[]> {
  yield* versionsOf(ctx, projectId, where, await ctx.sql<Portion>(LAST, [projectId, idsOf(where), revision]));
}

/** Versions that are read at a time. */
interface Portion {
  ids: string[];
  versions: number[];
}

const idsOf = ({ folders }: PastFolders): string[] => folders.map(({ id }) => id);

async function* versionsOf(
  ctx: Context,
  projectId: string,
  where: PastFolders,
  portions: readonly Portion[],
): AsyncGenerator<PastSecretRow[]> {
  for (const { ids, versions } of portions)
    yield await placed(await ctx.sql<Stored>(OF_VERSIONS, [projectId, ids, versions]), where);
}

/** The personal values that were deleted at this instant, with the folders that they were in, in portions. */
const PERSONAL = statement(
  'secrets.personal_in_folders',
  `select array_agg(v.id) as ids, array_agg(v.version) as versions from (
     select s.secret_id as id, s.version, (row_number() over (order by s.folder_id, s.key, s.user_id) - 1) / ${RESTORED_AT_ONCE} as portion
     from secret_versions s join users u on u.id = s.user_id
     where s.folder_id = any($2::uuid[]) and s.is_deleted and s.replaced_at = $3 and s.project_id = $1
   ) v group by v.portion order by v.portion`,
);

/** Everybody's personal values that were deleted with their folders at an instant, of users that are there: some at a time. */
export async function* deletedPersonalAt(
  ctx: Context,
  { projectId }: Pick<Scope, 'projectId'>,
  where: PastFolders,
  deletedAt: Date,
): AsyncGenerator<PastSecretRow[]> {
  yield* versionsOf(ctx, projectId, where, await ctx.sql<Portion>(PERSONAL, [projectId, idsOf(where), deletedAt]));
}

const VALUES = statement(
  'secrets.past_values',
  `select w.id, w.version, coalesce(s.value, v.value) as value
   from unnest($2::uuid[], $3::integer[]) as w (id, version)
   left join secrets s on s.id = w.id and s.version = w.version and s.project_id = $1
   left join secret_versions v on v.secret_id = w.id and v.version = w.version and v.project_id = $1`,
);

/** Values that are read and held at a time. */
const VALUES_AT_ONCE = { rows: 5_000, bytes: 8 * 1024 * 1024 };

type Version = Pick<PastSecretRow, 'id' | 'version' | 'valueBytes'>;

/** In portions whose values are read at a time. */
export const inReadablePortions = <T>(things: Iterable<T>, bytesOf: (thing: T) => number): Generator<T[]> =>
  portionsOf(things, bytesOf, VALUES_AT_ONCE);

/** Rows with their values, in the same order. */
export async function pastValues<Row extends FieldRow & Version>(
  ctx: Context,
  { projectId }: Pick<Scope, 'projectId'>,
  rows: readonly Row[],
): Promise<(Row & { value: Buffer })[]> {
  const valued: (Row & { value: Buffer })[] = [];
  for (const portion of inReadablePortions(rows, (row) => row.valueBytes)) {
    const found = await ctx.sql<{ id: string; version: number; value: Buffer | null }>(VALUES, [
      projectId,
      portion.map(({ id }) => id),
      portion.map(({ version }) => version),
    ]);
    const values = new Map(found.map((one) => [keyOf(one), one.value]));
    for (const row of portion) {
      const value = values.get(keyOf(row));
      if (!value) throw conflict('history.changed', 'The secrets were changed while they were read: try again');
      valued.push({ ...row, value });
    }
  }
  return valued;
}

const keyOf = ({ id, version }: { id: string; version: number }): string => `${id} ${version}`;

/** Reports each pair that differs in its contents; the values of some at a time are read, and dropped. */
export async function differing<Row extends FieldRow & Version>(
  ctx: Context,
  scope: Pick<Scope, 'projectId'>,
  keys: KeySet,
  all: readonly Changed<Row>[],
  report: (pair: Changed<Row>, fields: string[]) => void,
): Promise<void> {
  const bytesOf = ({ before, after }: Changed<Row>) => before.valueBytes + after.valueBytes;
  for (const portion of inReadablePortions(all, bytesOf)) {
    const before = await pastValues(
      ctx,
      scope,
      portion.map((pair) => pair.before),
    );
    const after = await pastValues(
      ctx,
      scope,
      portion.map((pair) => pair.after),
    );
    const found = await mapInTurns(
      portion.keys(),
      (index) => 2 * turnCost(bytesOf(portion[index]!)),
      (index) => differingFields(keys, { before: before[index]!, after: after[index]! }),
    );
    for (const [index, fields] of found.entries()) if (fields.length > 0) report(portion[index]!, fields);
  }
}

/** The maximum of the values that one comparison or restoration compares, of both sides together. */
const MAX_COMPARED = 2 * MAX_ANSWER;

/** Bounds the values that one call compares: their sizes are known before they are read. */
export class ComparedValues {
  readonly #todo: string;
  #bytes = 0;

  /** @param todo What to do if there are too many. */
  constructor(todo: string) {
    this.#todo = todo;
  }

  /** @throws DomainError 400 `history.too_large`. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_COMPARED)
      throw badRequest(
        'history.too_large',
        `The versions that differ have more than ${MAX_COMPARED / 1024 / 1024} MiB of values: ${this.#todo}`,
      );
  }
}
