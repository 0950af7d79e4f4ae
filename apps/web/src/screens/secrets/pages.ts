import type { Outputs } from '@coffer/client';
import { keepPreviousData, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import type { Place } from './place.ts';

export type Overview = Outputs['secrets']['overview'];
export type KeyRow = Overview['secrets'][number];
/** A secret in one environment, without its value. */
export type Entry = KeyRow['environments'][number];
/** A secret that an environment imports. */
export type ImportedEntry = KeyRow['imported'][number];

/** Keys of one request. */
const PAGE = 100;

const pageAt = ({ projectId, path, search, tag }: Place, page: number) =>
  ask('secrets', 'overview', {
    projectId,
    secretPath: path,
    offset: page * PAGE,
    limit: PAGE,
    includeImports: true,
    ...(search && { search }),
    ...(tag && { tagSlugs: tag }),
  });

/** Those of some keys that are in the folder, whatever is searched for. Names with a comma cannot be asked for. */
export const keysNamed = ({ projectId, path }: Place, keys: readonly string[]) =>
  ask('secrets', 'overview', {
    ...{ projectId, secretPath: path, limit: keys.length },
    keys: keys.filter((key) => !key.includes(',')).join(','),
  });

/** The first page of a folder, with its environments and folders: one request, and the first screen is complete. */
export const useOverview = (place: Place): UseQueryResult<Overview, unknown> =>
  useQuery({ ...pageAt(place, 0), placeholderData: keepPreviousData });

/** The keys of those pages that are looked at, by their position in the folder. */
export function useKeys(
  place: Place,
  first: Overview,
  from: number,
  to: number,
): (index: number) => KeyRow | undefined {
  const pages = new Set<number>();
  for (let page = Math.floor(Math.max(0, from) / PAGE); page <= Math.floor(Math.max(0, to) / PAGE); page++)
    pages.add(page);
  pages.delete(0);
  const numbers = [...pages].filter((page) => page * PAGE < first.totalCount);
  const answers = useQueries({ queries: numbers.map((page) => pageAt(place, page)) });
  const known = new Map(numbers.map((page, i) => [page, answers[i]?.data?.secrets]));
  known.set(0, first.secrets);
  return (index) => known.get(Math.floor(index / PAGE))?.[index % PAGE];
}
