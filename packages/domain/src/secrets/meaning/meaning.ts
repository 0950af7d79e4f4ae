import { statement, type Context } from '../../kernel/index.ts';

/** A place by its names. */
interface Place {
  readonly environment: string;
  readonly path: string;
}

/** The names in something that waits for a decision. */
export interface Names {
  readonly places: readonly Place[];
  /** Names of several folders of an environment: those whose path matches. */
  readonly patterns?: readonly { readonly environment: string; readonly matches: (path: string) => boolean }[];
  /** Tags by their names in rules. */
  readonly tags: { readonly ids: readonly string[] } | { readonly slugs: readonly string[] };
}

/** A location, and the environment and folder with its names; null if there is none. */
interface NamedPlace extends Place {
  readonly environmentId: string | null;
  readonly folderId: string | null;
}

/** What names refer to, stored with pending requests. */
export interface Meaning {
  readonly places: readonly NamedPlace[];
  /** Slugs by id. */
  readonly tags: Readonly<Record<string, string>>;
  /** Of each pattern the ids of its folders. */
  readonly folders?: readonly (readonly string[])[];
}

const PLACES = statement(
  'meaning.places',
  `select n.environment, n.path, e.id as "environmentId", f.id as "folderId"
   from unnest($2::text[], $3::text[]) as n (environment, path)
   left join environments e on e.project_id = $1 and e.slug = n.environment
   left join folders f on f.environment_id = e.id and f.path = n.path`,
);
const FOLDERS = statement(
  'meaning.folders',
  `select f.id, e.slug as environment, f.path from environments e join folders f on f.environment_id = e.id
   where e.project_id = $1 and e.slug = any($2::text[]) and not f.is_reserved order by f.path`,
);
const TAGS = statement(
  'meaning.tags',
  'select id, slug from tags where project_id = $1 and (id = any($2::uuid[]) or slug = any($3::text[]))',
);

const keyOf = ({ environment, path }: Place): string => `${environment} ${path}`;

/** What names refer to now; for comparisons, take the lock of the names (`lockNames`), as renames do. */
export async function meaningOf(
  ctx: Context,
  projectId: string,
  { places, patterns = [], tags }: Names,
): Promise<Meaning> {
  const unique = [...new Map(places.map((place) => [keyOf(place), place])).values()];
  const columns = [unique.map(({ environment }) => environment), unique.map(({ path }) => path)];
  const environments = [...new Set(patterns.map(({ environment }) => environment))];
  const folders = patterns.length === 0 ? [] : await foldersOf(ctx, projectId, environments);
  return {
    places: unique.length === 0 ? [] : await ctx.sql<NamedPlace>(PLACES, [projectId, ...columns]),
    tags: await slugsOf(ctx, projectId, tags),
    folders: patterns.map(({ environment, matches }) =>
      folders.filter((folder) => folder.environment === environment && matches(folder.path)).map(({ id }) => id),
    ),
  };
}

const foldersOf = (ctx: Context, projectId: string, environments: readonly string[]) =>
  ctx.sql<Place & { id: string }>(FOLDERS, [projectId, environments]);

/** The slugs of tags by id: rules go by them. */
export async function slugsOf(ctx: Context, projectId: string, tags: Names['tags']): Promise<Record<string, string>> {
  const [ids, slugs] = 'ids' in tags ? [[...new Set(tags.ids)], []] : [[], [...new Set(tags.slugs)]];
  if (ids.length + slugs.length === 0) return {};
  const rows = await ctx.sql<{ id: string; slug: string }>(TAGS, [projectId, ids, slugs]);
  return Object.fromEntries(rows.map(({ id, slug }) => [id, slug]));
}

/**
 * Whether names still refer to the same resources: a pending request was reviewed for these environments, folders and
 * tags, and a name may have been reassigned since. An unused name must stay unused; a pattern must not match additional
 * folders. The name of a deleted tag refers to nothing.
 */
export function isSameMeaning(kept: Meaning, now: Meaning): boolean {
  return (
    areSamePlaces(kept.places, now.places) &&
    areSameTags(kept.tags, now.tags) &&
    (now.folders ?? []).every((ids, index) => isWithin(ids, kept.folders?.[index] ?? []))
  );
}

function areSamePlaces(kept: Meaning['places'], now: Meaning['places']): boolean {
  const present = new Map(now.map((place) => [keyOf(place), place]));
  return (
    isWithin([...present.keys()], kept.map(keyOf)) &&
    kept.every((then) => {
      const place = present.get(keyOf(then));
      return place?.environmentId === then.environmentId && place.folderId === then.folderId;
    })
  );
}

const areSameTags = (kept: Meaning['tags'], now: Meaning['tags']): boolean =>
  Object.entries(now).every(([id, slug]) => kept[id] === slug);

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  const known = new Set(all);
  return some.every((one) => known.has(one));
}
