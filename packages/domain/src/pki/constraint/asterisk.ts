/**
 * No characters of a name. What matches one of them in the place of an asterisk does not mean wildcards, but any character, or a
 * range with the asterisk and its neighbours.
 */
const OTHERS = ['~', ')', '+', '\u0001'];
/** Labels of which a pattern for some labels leaves one out, besides the longest. */
const LABELS = [...'abcdefghijklmnopqrstuvwxyz0123456789'.split(''), 'x-1'];
const LONGEST_LABEL = 63;

/** The most characters of a common name (RFC 5280, appendix A.1), */
export const LONGEST_COMMON_NAME = 64;
/** and of a name of a host. */
export const LONGEST_HOST = 253;

/** No names: what matches one of them does not mean the asterisk of the wildcard, but any character. */
export const withOtherCharacters = (wildcard: string): string[] => OTHERS.map((one) => one + wildcard.slice(1));

/** Some of the names that a wildcard covers, with at most so many characters. */
export function coveredBy(wildcard: string, longest: number): string[] {
  const room = Math.min(LONGEST_LABEL, longest - wildcard.length + 1);
  const labels = [...LABELS, 'x'.repeat(Math.max(room, 1))].filter(({ length }) => length <= Math.max(room, 1));
  return labels.map((label) => label + wildcard.slice(1));
}

/**
 * Whether a pattern that matches a wildcard means it: it has the asterisk itself, or matches all names that are covered. `?` and
 * `[^.]{1,8}` match an asterisk as any other character.
 */
export const meansWildcard = (wildcard: string, longest: number, matches: (name: string) => boolean): boolean =>
  !withOtherCharacters(wildcard).some(matches) || coveredBy(wildcard, longest).every(matches);
