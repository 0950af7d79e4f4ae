import { foldName } from './difference.ts';
import { endsOf } from './naming.ts';
import type { ConfiguredSync } from './sync.ts';

/** A sync by a connection whose system has a base. */
export type PlacedSync = Pick<ConfiguredSync, 'sync' | 'layout' | 'options'> & {
  /** As in `Naming`: the slug when the sync was saved. */
  readonly environment: string;
  readonly base?: string | undefined;
};

/**
 * Whether two syncs, with a connection to the same system, may write or read the same item. Prefixes and suffixes keep
 * them apart; secrets in the source do not, because they change.
 */
export function mayOverlap(one: PlacedSync, other: PlacedSync): boolean {
  if (one.sync !== other.sync) return false;
  if (one.layout.as === other.layout.as) return isSamePlace(one, other) && mayShareNames(one, other);
  const [document, secrets] = one.layout.as === 'document' ? [one, other] : [other, one];
  const { item } = document.layout;
  return item !== undefined && item.location === secrets.layout.location && mayHave(secrets, item.name);
}

const textsOf = ({ layout, base = '' }: PlacedSync): readonly string[] => layout.placesIn?.(base) ?? [layout.location];

const isSamePlace = (one: PlacedSync, other: PlacedSync): boolean => {
  const texts = new Set(textsOf(one));
  return textsOf(other).some((text) => texts.has(text));
};

function mayShareNames(one: PlacedSync, other: PlacedSync): boolean {
  const [a, b] = [foldedEndsOf(one), foldedEndsOf(other)];
  return (
    (a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix)) &&
    (a.suffix.endsWith(b.suffix) || b.suffix.endsWith(a.suffix))
  );
}

function foldedEndsOf(placed: PlacedSync) {
  const { prefix, suffix } = endsOf(placed);
  return { prefix: foldName(prefix, placed.sync), suffix: foldName(suffix, placed.sync) };
}

function mayHave(secrets: PlacedSync, name: string): boolean {
  const { prefix, suffix } = endsOf(secrets);
  return name.startsWith(prefix) && name.endsWith(suffix);
}
