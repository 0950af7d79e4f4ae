import { useQueries } from '@tanstack/react-query';
import type { Drafts } from './drafts.ts';
import { keysNamed, type Overview } from './pages.ts';
import type { Place } from './place.ts';

/** Names of one request: they are in its address. */
const PORTION = 50;

/** The keys of the folder that are drafts only, in order: new ones, and those that others have deleted meanwhile. */
export function useDraftedKeys(drafts: Drafts, place: Place, { secrets }: Overview): string[] {
  const known = new Set(secrets.map(({ secretKey }) => secretKey));
  const here = [...drafts.values()].filter(
    ({ secretPath, secretKey }) => secretPath === place.path && !known.has(secretKey),
  );
  const asked = [...new Set(here.map(({ secretKey }) => secretKey))].toSorted();
  const portions = Array.from({ length: Math.ceil(asked.length / PORTION) }, (_, i) =>
    asked.slice(i * PORTION, (i + 1) * PORTION),
  );
  const answers = useQueries({ queries: portions.map((keys) => keysNamed(place, keys)) });
  const there = new Set(answers.flatMap(({ data }) => data?.secrets.map(({ secretKey }) => secretKey) ?? []));
  // Names with a comma cannot be asked for: of these nobody knows.
  const answered = new Set(
    portions
      .filter((_, i) => answers[i]?.data)
      .flat()
      .filter((key) => !key.includes(',')),
  );
  // What is new is shown at once.
  const fresh = new Set(here.filter(({ kind }) => kind === 'create').map(({ secretKey }) => secretKey));
  const words = place.search.toLowerCase();
  return asked.filter(
    (key) => !there.has(key) && (answered.has(key) || fresh.has(key)) && key.toLowerCase().includes(words),
  );
}
