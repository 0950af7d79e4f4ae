import {
  eachPortion,
  statement,
  type Ability,
  type Context,
  type Fields,
  type Permission,
} from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { coveredPath } from '../coverage/index.ts';
import { placesAt, type PlaceAt } from '../folder/index.ts';
import {
  lastPlaces,
  NAMED_COLUMNS,
  NAMED_TABLES,
  namesOf,
  presentNames,
  type NamedRow,
  type PresentNames,
} from './present-names.ts';
import type { SecretFields } from './row.ts';
import { secretPermissions } from './secret.ts';

/** One version of a secret, current or deleted. */
export interface VersionRef {
  readonly id: string;
  readonly version: number;
}

/** The slugs of the tags of a version, as they were when it was written. */
const tagsThen = (ids: string, revision: string) =>
  `array_remove(array(select coalesce(former_slug(g.id, ${revision}), (select slug from tags where tags.id = g.id))
     from unnest(${ids}) as g (id)), null)`;

/** The same for the columns of `secrets` and `secret_versions`. */
export const TAGS_THEN = tagsThen('tag_ids', 'coalesce((select c.revision from commits c where c.id = commit_id), 0)');

const STORED = statement(
  'secrets.stored_versions',
  `with w as (select * from unnest($2::uuid[], $3::integer[]) as w (id, version)), v as (
     select s.id, s.version, s.user_id, s.folder_id, s.key, s.tag_ids, s.commit_id, false as is_past
     from w join secrets s on s.id = w.id and s.version = w.version where s.project_id = $1
     union all
     select s.secret_id, s.version, s.user_id, s.folder_id, s.key, s.tag_ids, s.commit_id, true
     from w join secret_versions s on s.secret_id = w.id and s.version = w.version where s.project_id = $1
   )
   select v.id, v.version, v.is_past as "isPast", v.user_id is not null as "isPersonal",
     coalesce(c.revision, 0)::text as revision, ${tagsThen('v.tag_ids', 'coalesce(c.revision, 0)')} as "tagsThen",
     ${NAMED_COLUMNS}
   from v left join commits c on c.id = v.commit_id ${NAMED_TABLES}`,
);

interface StoredRow extends VersionRef, NamedRow {
  isPast: boolean;
  isPersonal: boolean;
  /** In which it was written. */
  revision: string;
  tagsThen: string[];
}

/** The fields of a stored version for rules; all of them count. */
interface Stored {
  readonly fields: readonly SecretFields[];
  /** Of a version that has been replaced or deleted: what of it is by the names of today. */
  readonly present: readonly PresentNames[];
  /** Its former location is unknown. */
  readonly isPlaceLost: boolean;
  readonly isPersonal: boolean;
}

/**
 * Authorizes stored versions of secrets: everything that returns one uses this. A replaced or deleted version needs the
 * permission for
 * - its name, location and tags when it was written, by the names of that time;
 * - the same by the current names of its folder, environment and tags;
 * - its secret as it is now.
 *
 * A deleted resource keeps its last state (see `namesOf`), so a deletion discloses no version. A version is refused if
 * any of these is refused. The current version is authorized by its secret.
 *
 * A version of a personal value needs `describeSecret` on the shared secret that it overrides, as it is now, and by the
 * version's name in the current folder.
 */
export class StoredVersions {
  readonly #ability: Ability;
  readonly #stored: ReadonlyMap<string, Stored>;

  private constructor(ability: Ability, stored: ReadonlyMap<string, Stored>) {
    this.#ability = ability;
    this.#stored = stored;
  }

  static async of(
    ctx: Context,
    { projectId }: Pick<Scope, 'projectId'>,
    ability: Ability,
    refs: readonly VersionRef[],
  ): Promise<StoredVersions> {
    const stored = new Map<string, Stored>();
    await eachPortion(refs, (portion) => addStored(ctx, projectId, portion, stored));
    return new StoredVersions(ability, stored);
  }

  /**
   * Whether the caller has the permission on a version and, if it is shown with other fields, on these; on a personal
   * one as its owner.
   */
  may(permission: Permission, ref: VersionRef, shownAs?: SecretFields): boolean {
    const stored = this.#stored.get(keyOf(ref));
    if (!stored) return false;
    const asked = stored.isPersonal ? secretPermissions.describeSecret : permission;
    if (stored.isPlaceLost && this.#asksForPlace(asked)) return false;
    const all = shownAs ? [shownAs, ...stored.fields] : stored.fields;
    return all.length > 0 && all.every((fields) => this.#ability.can(asked, fields));
  }

  /**
   * The authorization of a replaced or deleted version: its fields when it was written, without the location if that is
   * unknown; and the current ones. Absent for personal ones.
   */
  namesOf(ref: VersionRef): { readonly written: Fields; readonly present: readonly PresentNames[] } | undefined {
    const stored = this.#stored.get(keyOf(ref));
    const written = stored?.fields[0];
    if (!stored || !written || stored.present.length === 0) return undefined;
    const { secretName, secretTags } = written;
    return { written: stored.isPlaceLost ? { secretName, secretTags } : written, present: stored.present };
  }

  /** The fields of a version for rules; all of them count. */
  fieldsOf(ref: VersionRef): readonly SecretFields[] {
    return this.#stored.get(keyOf(ref))?.fields ?? [];
  }

  #asksForPlace(permission: Permission): boolean {
    return this.#ability
      .rulesFor(permission)
      .some(({ conditions }) => conditions && ('environment' in conditions || 'secretPath' in conditions));
  }
}

async function addStored(
  ctx: Context,
  projectId: string,
  refs: readonly VersionRef[],
  stored: Map<string, Stored>,
): Promise<void> {
  const ids = refs.map(({ id }) => id);
  const rows = await ctx.sql<StoredRow>(STORED, [projectId, ids, refs.map(({ version }) => version)]);
  const past = rows.filter((row) => row.isPast && !row.isPersonal);
  const placeOf = await placesAt(ctx, [
    ...past.map(({ folderId, revision }) => ({ folderId, revision: BigInt(revision) })),
    ...lastPlaces(rows),
  ]);
  const present = await presentNames(ctx, { projectId }, [...new Set(ids)]);
  for (const row of rows) stored.set(keyOf(row), storedOf(row, placeOf, present.get(row.id)));
}

const keyOf = ({ id, version }: VersionRef): string => `${id} ${version}`;

function storedOf(
  row: StoredRow,
  placeOf: (folderId: string, revision: bigint) => PlaceAt | undefined,
  now: PresentNames | undefined,
): Stored {
  const { isPersonal, key: secretName } = row;
  const renamed = namesOf(row, placeOf);
  if (isPersonal) return personalOf(row, renamed, now?.fields);
  if (!row.isPast) return { fields: now ? [now.fields] : [], present: [], isPlaceLost: false, isPersonal };
  const then = placeOf(row.folderId, BigInt(row.revision));
  const written = {
    environment: then?.environmentThen ?? '',
    secretPath: then ? coveredPath(then.path) : '',
    secretName,
    secretTags: row.tagsThen,
  };
  const present = [renamed, now].flatMap((names) => names ?? []);
  return { fields: [written, ...present.map(({ fields }) => fields)], present, isPlaceLost: !then, isPersonal };
}

/**
 * Commits do not record the location of personal values and the tags of their shared secrets: the current ones count.
 */
function personalOf(
  { isPast, key: secretName }: StoredRow,
  renamed: PresentNames | undefined,
  now: SecretFields | undefined,
): Stored {
  const isPlaceLost = renamed === undefined;
  if (!now) return { fields: [], present: [], isPlaceLost, isPersonal: true };
  const { environment, secretPath } = renamed?.fields ?? now;
  const written = isPast && !isPlaceLost ? [{ ...now, environment, secretPath, secretName }] : [];
  return { fields: [now, ...written], present: [], isPlaceLost, isPersonal: true };
}
