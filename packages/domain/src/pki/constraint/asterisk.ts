/**
 * Characters that no name has: a pattern that matches one of them in place of the asterisk matches any character, or a range
 * around the asterisk, not the asterisk.
 */
const OTHER_CHARACTERS = ['~', ')', '+', '\u0001'];
/** A pattern that matches only some labels fails for at least one of these, or for the longest. */
const LABELS = [...'abcdefghijklmnopqrstuvwxyz0123456789'.split(''), 'x-1'];
const LONGEST_LABEL = 63;

/** The maximum length of a common name (RFC 5280, appendix A.1). */
export const LONGEST_COMMON_NAME = 64;
/** The maximum length of a host name. */
export const LONGEST_HOST = 253;

/** The wildcard with other characters in place of the asterisk. */
export const withOtherCharacters = (wildcard: string): string[] =>
  OTHER_CHARACTERS.map((character) => character + wildcard.slice(1));

/** Some of the names that a wildcard covers, up to a maximum length. */
export function coveredBy(wildcard: string, longest: number): string[] {
  const room = Math.max(1, Math.min(LONGEST_LABEL, longest - wildcard.length + 1));
  const labels = [...LABELS.filter(({ length }) => length <= room), 'x'.repeat(room)];
  return labels.map((label) => label + wildcard.slice(1));
}

/**
 * Whether a pattern that matches a wildcard allows it: it contains the asterisk, or matches all names that the wildcard covers.
 * `?` and `[^.]{1,8}` match an asterisk only as a character.
 */
export const meansWildcard = (wildcard: string, longest: number, matches: (name: string) => boolean): boolean =>
  !withOtherCharacters(wildcard).some(matches) || coveredBy(wildcard, longest).every(matches);
