import { COST_OF_MATCH, glob, isTooCostly, Substring, type MatchingCost } from '../constraint/index.ts';
import type { AlertFilter } from './alert.ts';

/** The fields that filters use. */
export interface Filtered {
  readonly commonName: string;
  readonly names: readonly { readonly value: string }[];
  readonly profileName: string | null;
}

type Comparison = (text: string, cost: MatchingCost) => boolean;

/** Constant cost, whatever the texts are. */
const cheap =
  (compare: (text: string, value: string) => boolean) =>
  (value: string): Comparison =>
  (text, cost) => {
    cost.spend(COST_OF_MATCH);
    return compare(text, value);
  };

const COMPARE: Readonly<Record<AlertFilter['operator'], (value: string) => Comparison>> = {
  equals: cheap((text, value) => text === value),
  starts_with: cheap((text, value) => text.startsWith(value)),
  ends_with: cheap((text, value) => text.endsWith(value)),
  matches: (value) => glob(value).matches,
  contains: (value) => {
    const part = new Substring(value);
    return (text, cost) => {
      cost.spend(COST_OF_MATCH + value.length + 2 * text.length);
      return part.indexIn(text, 0) >= 0;
    };
  },
};

/** A compiled filter: one of its comparisons must match. */
interface FilterComparisons {
  readonly field: AlertFilter['field'];
  readonly comparisons: readonly Comparison[];
}

/** Compared without regard to case, as names of hosts are. */
export const comparisonsOf = (filters: readonly AlertFilter[]): FilterComparisons[] =>
  filters
    .filter(({ field }) => field !== 'include_cas')
    .map(({ field, operator, value }) => ({
      field,
      comparisons: [value].flat().map((one) => COMPARE[operator](String(one).toLowerCase())),
    }));

/**
 * Whether a certificate matches all filters. One that takes too long to compare matches: an extra notification does
 * less harm than a missing one.
 */
export async function passes(
  filters: readonly FilterComparisons[],
  thing: Filtered,
  cost: MatchingCost,
): Promise<boolean> {
  await cost.rest();
  try {
    for (const filter of filters) if (!(await isPassed(filter, thing, cost))) return false;
    return true;
  } catch (error) {
    if (isTooCostly(error)) return true;
    throw error;
  }
}

async function isPassed(
  { field, comparisons }: FilterComparisons,
  thing: Filtered,
  cost: MatchingCost,
): Promise<boolean> {
  for (const text of textsOf(thing, field)) {
    const plain = text.toLowerCase();
    if (comparisons.some((compare) => compare(plain, cost))) return true;
    await cost.rest();
  }
  return false;
}

function textsOf({ commonName, names, profileName }: Filtered, field: AlertFilter['field']): string[] {
  switch (field) {
    case 'common_name':
      return [commonName];
    case 'profile_name':
      return profileName === null ? [] : [profileName];
    case 'san':
      return names.map(({ value }) => value);
    default:
      return [];
  }
}

/** Of several mentions a negative one has precedence. */
export const includesAuthorities = (filters: readonly AlertFilter[]): boolean => {
  const said = filters.filter(({ field }) => field === 'include_cas');
  return said.length > 0 && said.every(({ value }) => value === true);
};
