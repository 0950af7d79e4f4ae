import { isDeepStrictEqual } from 'node:util';
import { WorkBudget, type KeySet } from '../../kernel/index.ts';
import { openText, type SecretRow } from './row.ts';

/** One resource on two sides; at least one of them exists. */
export interface Pair<Thing> {
  readonly before: Thing | undefined;
  readonly after: Thing | undefined;
}

/**
 * Matches two sides: by ID, then the rest by location, because a resource may be recreated with its name. Other requests
 * are let through in between.
 */
export async function pairs<Thing extends { readonly id: string }>(
  before: readonly Thing[],
  after: readonly Thing[],
  locationOf: (thing: Thing) => string,
): Promise<Pair<Thing>[]> {
  const pace = new WorkBudget();
  const ids = new Set(before.map((one) => one.id));
  const byId = new Map<string, Thing>();
  const byPlace = new Map<string, Thing>();
  for (const one of after) {
    if (ids.has(one.id)) byId.set(one.id, one);
    else byPlace.set(locationOf(one), one);
    pace.spend(1);
    if (pace.shouldYield) await pace.rest();
  }
  const found: Pair<Thing>[] = [];
  for (const one of before) {
    const same = byId.get(one.id);
    const place = same ? undefined : locationOf(one);
    found.push({ before: one, after: same ?? byPlace.get(place!) });
    if (place !== undefined) byPlace.delete(place);
    pace.spend(1);
    if (pace.shouldYield) await pace.rest();
  }
  for (const one of byPlace.values()) found.push({ before: undefined, after: one });
  return found;
}

/** Two versions, one on each side. */
export interface Changed<Row> {
  readonly before: Row;
  readonly after: Row;
}

/** A pair of which both sides exist, and are not one and the same version. */
export const isOtherVersion = <Row extends { readonly id: string; readonly version: number }>(
  pair: Pair<Row>,
): pair is Changed<Row> =>
  pair.before !== undefined &&
  pair.after !== undefined &&
  (pair.before.id !== pair.after.id || pair.before.version !== pair.after.version);

/** The content of a version of a secret, compared by field. */
function contentOf(keys: KeySet, row: SecretRow) {
  const { value, comment, metadata } = openText(keys, row);
  return {
    secretKey: row.key,
    folderId: row.folderId,
    secretValue: value,
    secretComment: comment,
    secretMetadata: metadata,
    tags: (row.tags ?? []).map((tag) => tag.id).toSorted(),
    skipMultilineEncoding: row.skipMultilineEncoding,
    secretReminderNote: row.reminderNote,
    secretReminderRepeatDays: row.reminderRepeatDays,
    secretReminderRecipients: row.reminderRecipients,
    metadata: row.legacyMetadata,
  };
}

/** The names of the fields in which two versions differ. */
export function differingFields(keys: KeySet, { before, after }: Changed<SecretRow>): string[] {
  const [was, is] = [contentOf(keys, before), contentOf(keys, after)];
  return Object.keys(was)
    .filter((field) => !isDeepStrictEqual(was[field as keyof typeof was], is[field as keyof typeof is]))
    .map((field) => (field === 'folderId' ? 'secretPath' : field));
}

/** The location of a secret, unique in a project. */
export const secretPlace = (row: Pick<SecretRow, 'folderId' | 'key'>): string => `${row.folderId}/${row.key}`;
