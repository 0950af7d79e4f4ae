import { glob } from '../constraint/index.ts';
import type { AlertFilter } from './alert.ts';

/** What filters look at. */
export interface Filtered {
  readonly commonName: string;
  readonly names: readonly { readonly value: string }[];
  readonly profileName: string | null;
}

const COMPARE: Readonly<Record<AlertFilter['operator'], (text: string, value: string) => boolean>> = {
  equals: (text, value) => text === value,
  matches: (text, value) => glob(value).matches(text),
  contains: (text, value) => text.includes(value),
  starts_with: (text, value) => text.startsWith(value),
  ends_with: (text, value) => text.endsWith(value),
};

/** Compared without regard to case, as names of hosts are. */
export function passes(filters: readonly AlertFilter[], thing: Filtered): boolean {
  return filters.every(({ field, operator, value }) => {
    if (field === 'include_cas') return true;
    const wanted = [value].flat().map((one) => String(one).toLowerCase());
    return textsOf(thing, field).some((text) => wanted.some((one) => COMPARE[operator](text.toLowerCase(), one)));
  });
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

/** Of several that say so, one that says no counts. */
export const includesAuthorities = (filters: readonly AlertFilter[]): boolean => {
  const said = filters.filter(({ field }) => field === 'include_cas');
  return said.length > 0 && said.every(({ value }) => value === true);
};
