/** No character of a name: what matches it in the place of an asterisk does not mean wildcards, but any character. */
const ANY_CHARACTER = '~';
/** Labels of which a pattern for some labels leaves one out. */
const LABELS = [...'abcdefghijklmnopqrstuvwxyz0123456789'.split(''), 'x-1', 'x'.repeat(63)];

/** No name: what matches this means any character where the wildcard has its asterisk. */
export const withAnyCharacter = (wildcard: string): string => ANY_CHARACTER + wildcard.slice(1);

/** Some of the names that a wildcard covers. */
export const coveredBy = (wildcard: string): string[] => LABELS.map((label) => label + wildcard.slice(1));

/**
 * Whether a pattern that matches a wildcard means it: it has the asterisk itself, or matches all names that are covered. `?` and
 * `[^.]{1,8}` match an asterisk as any other character.
 */
export const meansWildcard = (wildcard: string, matches: (name: string) => boolean): boolean =>
  !matches(withAnyCharacter(wildcard)) || coveredBy(wildcard).every(matches);
