import { mapInTurns, statement, type Transaction } from '../../kernel/index.ts';
import { sizeOfChange, type CapturedChange, type Spot } from '../coverage/index.ts';
import { isSameMeaning, meaningOf, type Meaning, type Names } from '../meaning/index.ts';
import { referencesIn, turnCost } from '../secret/index.ts';
import { areSameFolders } from './named-folders.ts';
import type { StoredChange } from './row.ts';

/** Every location of a change: its own, the source of an import, and the targets of references. */
function spotsOf({ spot, content }: CapturedChange): Spot[] {
  const spots = [spot];
  for (const side of [content.before, content.after]) {
    if (side === null || typeof side === 'string') continue;
    if ('path' in side) spots.push(side);
    if ('value' in side) spots.push(...referencesIn(side.value, spot));
  }
  return spots;
}

const namesOf = async (changes: readonly CapturedChange[]): Promise<Names> => ({
  places: (await mapInTurns(changes, (change) => turnCost(sizeOfChange(change)), spotsOf)).flat(),
  tags: { ids: changes.flatMap(({ tagIds }) => tagIds) },
});

const KEEP = statement('secret_approvals.keep_places', 'update secret_approval_requests set places = $2 where id = $1');
const KEPT = statement('secret_approvals.kept_places', 'select places from secret_approval_requests where id = $1');

/** Records what the location names and tags in the changes of a request refer to: approvals are for these. */
export async function keepPlaces(
  tx: Transaction,
  { id, projectId }: { id: string; projectId: string },
  changes: readonly CapturedChange[],
): Promise<void> {
  await tx.sql(KEEP, [id, JSON.stringify(await meaningOf(tx, projectId, await namesOf(changes)))]);
}

/**
 * Whether the names in a request still refer to the same environments and folders, and its tags have the same slugs. A
 * name may have been given to another resource since, in a location without policies. Earlier releases did not store
 * what they referred to.
 */
export async function areSamePlaces(
  tx: Transaction,
  { id, projectId }: { id: string; projectId: string },
  stored: readonly StoredChange[],
): Promise<boolean> {
  if (!(await areSameFolders(tx, projectId, stored))) return false;
  const [kept] = await tx.sql<{ places: Meaning | null }>(KEPT, [id]);
  if (!kept?.places) return true;
  const changes = stored.map(({ change }) => change);
  return isSameMeaning(kept.places, await meaningOf(tx, projectId, await namesOf(changes)));
}
