import { statement, type Ability, type Context } from '../../kernel/index.ts';
import type { PastFolder } from './past.ts';
import { folderVisibility, type RulePlace } from './place-rules.ts';
import { placesAt } from './places-at.ts';

const PRESENT = statement(
  'folder.present_places',
  `select f.id, e.slug as environment, f.path as "secretPath" from folders f join environments e on e.id = f.environment_id
   where f.id = any($1::uuid[])`,
);
/** Roots have no versions: they are where their environment was last. */
const LAST = statement(
  'folder.last_revisions',
  `(select distinct on (g.folder_id) g.folder_id as "folderId", (d.revision - 1)::text as revision
    from folder_versions g join commits d on d.id = g.replaced_commit_id
    where g.folder_id = any($1::uuid[]) and g.is_replaced order by g.folder_id, g.version desc)
   union all
   select root_folder_id, '${2n ** 63n - 1n}' from deleted_environments where root_folder_id = any($1::uuid[])`,
);

/** Where some folders are now, or were last before they were deleted. */
export async function presentPlaces(ctx: Context, ids: readonly string[]): Promise<Map<string, RulePlace>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.sql<RulePlace & { id: string }>(PRESENT, [ids]);
  const places = new Map<string, RulePlace>(
    rows.map(({ id, environment, secretPath }) => [id, { environment, secretPath }]),
  );
  const gone = ids.filter((id) => !places.has(id));
  if (gone.length === 0) return places;
  const last = await ctx.sql<{ folderId: string; revision: string }>(LAST, [gone]);
  const asked = last.map(({ folderId, revision }) => ({ folderId, revision: BigInt(revision) }));
  const placeOf = await placesAt(ctx, asked);
  for (const { folderId, revision } of asked) {
    const place = placeOf(folderId, revision);
    if (place) places.set(folderId, { environment: place.environmentThen, secretPath: place.path });
  }
  return places;
}

const SLUGS = statement(
  'folder.environments_then',
  `select r.revision::text as revision, coalesce(former_slug(e.id, r.revision), e.slug) as slug
   from environments e, unnest($2::bigint[]) as r (revision) where e.id = $1`,
);

/**
 * Whether the caller may see a former folder: under its former path and environment slug, and under the current or last
 * ones. Both are required.
 */
export async function pastFolderVisibility(
  ctx: Context,
  ability: Ability,
  environment: { readonly id: string; readonly slug: string },
  folders: readonly PastFolder[],
): Promise<(folder: PastFolder) => boolean> {
  const sees = folderVisibility(ability);
  const present = await presentPlaces(ctx, [...new Set(folders.map(({ id }) => id))]);
  const revisions = [...new Set(folders.map(({ revision }) => revision))];
  const slugs = await ctx.sql<{ revision: string; slug: string }>(SLUGS, [environment.id, revisions]);
  const slugOf = new Map(slugs.map(({ revision, slug }) => [Number(revision), slug]));
  return ({ id, path: secretPath, revision }) => {
    const now = present.get(id);
    const then = slugOf.get(revision) ?? environment.slug;
    return (
      now !== undefined &&
      sees({ environment: environment.slug, secretPath }) &&
      sees(now) &&
      (then === environment.slug || sees({ environment: then, secretPath }))
    );
  };
}
