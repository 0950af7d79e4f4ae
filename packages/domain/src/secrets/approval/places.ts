import { statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { CapturedChange, Spot } from '../coverage/index.ts';
import { referencesIn } from '../secret/index.ts';

/** A place that a change names, and the environment and folder that had this name; null where there was none. */
interface NamedPlace extends Spot {
  readonly environmentId: string | null;
  readonly folderId: string | null;
}

/** Every place that a change names: where it happens, what it imports from, and what its value refers to. */
function spotsOf({ spot, content }: CapturedChange): Spot[] {
  const spots = [spot];
  for (const side of [content.before, content.after]) {
    if (side === null || typeof side === 'string') continue;
    if ('path' in side) spots.push(side);
    if ('value' in side) spots.push(...referencesIn(side.value, spot));
  }
  return spots;
}

const RESOLVE = statement(
  'secret_approvals.resolve_places',
  `select n.environment, n.path, e.id as "environmentId", f.id as "folderId"
   from unnest($2::text[], $3::text[]) as n (environment, path)
   left join environments e on e.project_id = $1 and e.slug = n.environment
   left join folders f on f.environment_id = e.id and f.path = n.path`,
);

async function resolve(ctx: Context, projectId: string, changes: readonly CapturedChange[]): Promise<NamedPlace[]> {
  const spots = new Map(changes.flatMap(spotsOf).map((spot) => [`${spot.environment} ${spot.path}`, spot]));
  const unique = [...spots.values()];
  return ctx.sql<NamedPlace>(RESOLVE, [
    projectId,
    unique.map(({ environment }) => environment),
    unique.map(({ path }) => path),
  ]);
}

const TAGS = statement(
  'secret_approvals.tags',
  'select id, slug from tags where project_id = $1 and id = any($2::uuid[])',
);

/** The slugs of the tags that changes put on secrets: rules go by them. */
async function slugsOf(ctx: Context, projectId: string, changes: readonly CapturedChange[]) {
  const ids = [...new Set(changes.flatMap(({ tagIds }) => tagIds))];
  const rows = ids.length === 0 ? [] : await ctx.sql<{ id: string; slug: string }>(TAGS, [projectId, ids]);
  return Object.fromEntries(rows.map(({ id, slug }) => [id, slug]));
}

/** What the names in a request stand for. */
interface Meaning {
  readonly places: readonly NamedPlace[];
  /** By id. */
  readonly tags: Readonly<Record<string, string>>;
}

const KEEP = statement('secret_approvals.keep_places', 'update secret_approval_requests set places = $2 where id = $1');
const KEPT = statement('secret_approvals.kept_places', 'select places from secret_approval_requests where id = $1');

/** Notes what the places and tags stand for that the changes of a request name: who approves them means these. */
export async function keepPlaces(
  tx: Transaction,
  { id, projectId }: { id: string; projectId: string },
  changes: readonly CapturedChange[],
): Promise<void> {
  const meaning: Meaning = {
    places: await resolve(tx, projectId, changes),
    tags: await slugsOf(tx, projectId, changes),
  };
  await tx.sql(KEEP, [id, JSON.stringify(meaning)]);
}

/**
 * Whether the names in a request still stand for the same environments and folders, and its tags have the same slugs. A name may have been given to another
 * one since, in a place that no policy covers. What was not there when the request was made may be there now.
 */
export async function areSamePlaces(
  tx: Transaction,
  { id, projectId }: { id: string; projectId: string },
  changes: readonly CapturedChange[],
): Promise<boolean> {
  const [kept] = await tx.sql<{ places: Meaning | null }>(KEPT, [id]);
  if (!kept?.places) return true;
  const { places, tags } = kept.places;
  const slugs = await slugsOf(tx, projectId, changes);
  if (Object.entries(tags).some(([tagId, slug]) => slugs[tagId] !== undefined && slugs[tagId] !== slug)) return false;
  const now = new Map((await resolve(tx, projectId, changes)).map((one) => [`${one.environment} ${one.path}`, one]));
  return places.every(({ environment, path, environmentId, folderId }) => {
    const present = now.get(`${environment} ${path}`);
    return (
      (environmentId === null || environmentId === present?.environmentId) &&
      (folderId === null || folderId === present?.folderId)
    );
  });
}
