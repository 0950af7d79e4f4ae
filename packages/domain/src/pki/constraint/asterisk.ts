/** A character that no name has: a pattern that matches it in place of the asterisk matches any character, not the asterisk. */
const ANY_CHARACTER = '~';
/** A pattern that matches only some labels fails for at least one of these. */
const LABELS = [...'abcdefghijklmnopqrstuvwxyz0123456789'.split(''), 'x-1', 'x'.repeat(63)];

/** Some of the names that a wildcard covers. */
export const coveredBy = (wildcard: string): string[] => LABELS.map((label) => label + wildcard.slice(1));

/**
 * Whether a pattern that matches a wildcard allows it: it contains the asterisk, or matches all names that the wildcard covers.
 * `?` and `[^.]{1,8}` match an asterisk only as a character.
 */
export const meansWildcard = (wildcard: string, matches: (name: string) => boolean): boolean =>
  !matches(ANY_CHARACTER + wildcard.slice(1)) || coveredBy(wildcard).every(matches);
