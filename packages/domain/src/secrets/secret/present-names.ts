import { eachPortion, statement, type Context } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { coveredPath } from '../coverage/index.ts';
import { placesAt, type PlaceAt } from '../folder/index.ts';
import { FIELD_COLUMNS, fieldsOf, SECRET_TABLES, type FieldRow, type SecretFields } from './row.ts';

/** What rules see of a secret by the names of today, and what these are the names of. */
export interface PresentNames {
  readonly fields: SecretFields;
  /** Its folder; for a copy the folder that it is copied for. */
  readonly folderId: string;
  readonly tagIds: readonly string[];
  /** Whether it is a current secret. */
  readonly isLiving: boolean;
}

/** The slugs of tags: current ones, or the last ones of deleted tags. */
export const slugsNow = (ids: string): string =>
  `array_remove(array(select coalesce((select slug from tags where tags.id = g.id),
       (select o.slug from former_slugs o where o.thing_id = g.id order by o.until_revision desc limit 1))
     from unnest(${ids}) as g (id)), null)`;

/** The columns of `NamedRow` from versions `v`, joined by `NAMED_TABLES`. */
export const NAMED_COLUMNS = `v.key, v.folder_id as "folderId",
  coalesce(case when f.is_reserved then f.parent_id end, v.folder_id) as "holderId",
   v.tag_ids as "tagIds", ${slugsNow('v.tag_ids')} as "tagsNow", e.slug as environment, f.path,
   case when f.id is null then coalesce(
     (select d.revision - 1 from folder_versions g join commits d on d.id = g.replaced_commit_id
      where g.folder_id = v.folder_id and g.is_replaced order by g.version desc limit 1), ${2n ** 63n - 1n})::text
   end as "lastRevision"`;
export const NAMED_TABLES = `left join folders f on f.id = v.folder_id left join environments e on e.id = f.environment_id`;

/** A version by the names that its folder and its tags have today. */
export interface NamedRow {
  key: string;
  folderId: string;
  holderId: string;
  tagIds: string[];
  tagsNow: string[];
  /** `null`, like the path, if the folder was deleted; */
  environment: string | null;
  path: string | null;
  /** then this is the last revision at which it was there. */
  lastRevision: string | null;
}

/** The places to look up by `placesAt` for `namesOf`. */
export const lastPlaces = (rows: readonly NamedRow[]): { folderId: string; revision: bigint }[] =>
  rows.flatMap(({ folderId, lastRevision }) =>
    lastRevision === null ? [] : { folderId, revision: BigInt(lastRevision) },
  );

/**
 * The fields of a version by current names. Deleted resources keep their last name: a folder its path and environment
 * at its deletion, a tag its last slug. So a deletion does not change the authorization of a version. `undefined` if
 * the folder was deleted and its last location is unknown.
 */
export function namesOf(
  row: NamedRow,
  placeOf: (folderId: string, revision: bigint) => PlaceAt | undefined,
): PresentNames | undefined {
  const { key: secretName, tagsNow: secretTags, holderId: folderId, tagIds, lastRevision } = row;
  const last = lastRevision === null ? undefined : placeOf(row.folderId, BigInt(lastRevision));
  const environment = row.environment ?? last?.environmentThen;
  const path = row.path ?? last?.path;
  if (environment === undefined || path === undefined) return undefined;
  return {
    fields: { environment, secretPath: coveredPath(path), secretName, secretTags },
    folderId,
    tagIds,
    isLiving: false,
  };
}

const PRESENT = statement(
  'secrets.present',
  `select ${FIELD_COLUMNS}, coalesce(case when f.is_reserved then f.parent_id end, f.id) as "holderId"
   from ${SECRET_TABLES} where s.project_id = $1 and s.id = any($2::uuid[])`,
);

async function presentRows(
  ctx: Context,
  { projectId }: Pick<Scope, 'projectId'>,
  ids: readonly string[],
): Promise<(FieldRow & { holderId: string })[]> {
  return ids.length === 0 ? [] : ctx.sql<FieldRow & { holderId: string }>(PRESENT, [projectId, ids]);
}

/** The current fields of those secrets that still exist, by ID. */
export async function presentFields(
  ctx: Context,
  scope: Pick<Scope, 'projectId'>,
  ids: readonly string[],
): Promise<Map<string, SecretFields>> {
  const fields = new Map<string, SecretFields>();
  await eachPortion(ids, async (portion) => {
    for (const row of await presentRows(ctx, scope, portion)) fields.set(row.id, fieldsOf(row));
  });
  return fields;
}

/** The last versions of shared secrets that are deleted. */
const LAST = statement(
  'secrets.last_names',
  `select distinct on (v.secret_id) v.secret_id as id, ${NAMED_COLUMNS} from secret_versions v ${NAMED_TABLES}
   where v.project_id = $1 and v.secret_id = any($2::uuid[]) and v.user_id is null order by v.secret_id, v.version desc`,
);

/**
 * The current fields of some secrets, by ID. A deleted shared secret keeps its last state, by current names; see
 * `namesOf`.
 */
export async function presentNames(
  ctx: Context,
  scope: Pick<Scope, 'projectId'>,
  ids: readonly string[],
): Promise<Map<string, PresentNames>> {
  const names = new Map<string, PresentNames>();
  for (const row of await presentRows(ctx, scope, ids))
    names.set(row.id, {
      fields: fieldsOf(row),
      folderId: row.holderId,
      tagIds: row.tags?.map((tag) => tag.id) ?? [],
      isLiving: true,
    });
  const gone = ids.filter((id) => !names.has(id));
  if (gone.length === 0) return names;
  const rows = await ctx.sql<NamedRow & { id: string }>(LAST, [scope.projectId, gone]);
  const placeOf = await placesAt(ctx, lastPlaces(rows));
  for (const row of rows) {
    const last = namesOf(row, placeOf);
    if (last) names.set(row.id, last);
  }
  return names;
}
