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

const KEEP = statement('secret_approvals.keep_places', 'update secret_approval_requests set places = $2 where id = $1');
const KEPT = statement('secret_approvals.kept_places', 'select places from secret_approval_requests where id = $1');

/** Notes what the places stand for that the changes of a request name: who approves them means these. */
export async function keepPlaces(
  tx: Transaction,
  { id, projectId }: { id: string; projectId: string },
  changes: readonly CapturedChange[],
): Promise<void> {
  await tx.sql(KEEP, [id, JSON.stringify(await resolve(tx, projectId, changes))]);
}

/**
 * Whether the names in a request still stand for the same environments and folders. A name may have been given to another
 * one since, in a place that no policy covers. What was not there when the request was made may be there now.
 */
export async function areSamePlaces(
  tx: Transaction,
  { id, projectId }: { id: string; projectId: string },
  changes: readonly CapturedChange[],
): Promise<boolean> {
  const [kept] = await tx.sql<{ places: NamedPlace[] | null }>(KEPT, [id]);
  const now = new Map((await resolve(tx, projectId, changes)).map((one) => [`${one.environment} ${one.path}`, one]));
  return (kept?.places ?? []).every(({ environment, path, environmentId, folderId }) => {
    const present = now.get(`${environment} ${path}`);
    return (
      (environmentId === null || environmentId === present?.environmentId) &&
      (folderId === null || folderId === present?.folderId)
    );
  });
}
