import type { Matcher } from './matcher.ts';
import { COST_OF_MATCH, type MatchingCost } from './matching-cost.ts';
import { Substring } from './substring.ts';

/** Text in which each `*` matches any characters, also none and dots. Case-insensitive. */
export const glob = (text: string): Required<Matcher> => globBy((given) => given.toLowerCase(), text);

/** The same, case-sensitive. */
export const exactGlob = (text: string): Required<Matcher> => globBy((given) => given, text);

function globBy(fold: (given: string) => string, text: string): Required<Matcher> {
  const pattern = fold(text);
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  const between = rest.map((part) => new Substring(part));
  let below: readonly Matcher[] | undefined;
  return {
    text,
    hasCharacters: false,
    matches(value, cost) {
      cost.spend(COST_OF_MATCH + value.length + first.length);
      return matchesGlob(fold(value), { first, between, last }, cost);
    },
    matchesBelow(name, cost) {
      if (!below) cost.spend(2 * pattern.length);
      below ??= afterLabel(pattern).map((after) => globBy(fold, after));
      return below.some((after) => after.matches(name, cost));
    },
  };
}

/** The possible rests of a pattern after a matched label: all after it, or beginning with a `*` that continues. */
function afterLabel(pattern: string): string[] {
  const dot = pattern.indexOf('.');
  const star = (dot < 0 ? pattern : pattern.slice(0, dot)).lastIndexOf('*');
  return [dot > 0 ? dot : -1, star].flatMap((at) => (at < 0 ? [] : [pattern.slice(at)]));
}

interface Parts {
  readonly first: string;
  readonly between: readonly Substring[];
  /** Absent: there is no `*`. */
  readonly last: string | undefined;
}

/** Each part is matched at its first position, which leaves the most for later ones. */
function matchesGlob(value: string, { first, between, last }: Parts, cost: MatchingCost): boolean {
  if (last === undefined) return value === first;
  if (!value.startsWith(first) || !value.endsWith(last)) return false;
  let at = first.length;
  for (const part of between) {
    const found = part.indexIn(value, at);
    const end = found < 0 ? value.length : found + part.text.length;
    // On first use, the part is compiled as well.
    cost.spend(2 * (end - at) + part.text.length + 1);
    if (found < 0) return false;
    at = end;
  }
  return value.length - last.length >= at;
}
