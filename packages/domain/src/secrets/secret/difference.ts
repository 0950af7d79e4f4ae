import { isDeepStrictEqual } from 'node:util';
import type { KeySet } from '../../kernel/index.ts';
import { openText, type SecretRow } from './row.ts';

/** One resource on two sides; at least one of them exists. */
export interface Pair<Thing> {
  readonly before: Thing | undefined;
  readonly after: Thing | undefined;
}

/** Matches two sides: by ID, then the rest by location, because a resource may be recreated with its name. */
export function pairs<Thing extends { readonly id: string }>(
  before: readonly Thing[],
  after: readonly Thing[],
  locationOf: (thing: Thing) => string,
): Pair<Thing>[] {
  const ids = new Set(before.map((one) => one.id));
  const byId = new Map(after.filter((one) => ids.has(one.id)).map((one) => [one.id, one]));
  const byPlace = new Map(after.filter((one) => !ids.has(one.id)).map((one) => [locationOf(one), one]));
  const found = before.map((one) => {
    const same = byId.get(one.id);
    if (same) return { before: one, after: same };
    const place = locationOf(one);
    const successor = byPlace.get(place);
    byPlace.delete(place);
    return { before: one, after: successor };
  });
  return [...found, ...[...byPlace.values()].map((one) => ({ before: undefined, after: one }))];
}

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
export function differingFields(keys: KeySet, before: SecretRow, after: SecretRow): string[] {
  if (before.id === after.id && before.version === after.version) return [];
  const [was, is] = [contentOf(keys, before), contentOf(keys, after)];
  return Object.keys(was)
    .filter((field) => !isDeepStrictEqual(was[field as keyof typeof was], is[field as keyof typeof is]))
    .map((field) => (field === 'folderId' ? 'secretPath' : field));
}

/** The location of a secret, unique in a project. */
export const secretPlace = (row: SecretRow): string => `${row.folderId}/${row.key}`;
