import { expression, type Expression } from './expression.ts';
import type { Commit } from './finding.ts';

/** What is allowed, as configuration files have it. */
export interface AllowlistSource {
  readonly description: string;
  readonly condition: 'AND' | 'OR';
  readonly commits: readonly string[];
  readonly paths: readonly string[];
  readonly regexes: readonly string[];
  readonly regexTarget: 'secret' | 'match' | 'line';
  readonly stopwords: readonly string[];
  /** Rules to which one of the whole file is limited; all where it names none. */
  readonly targetRules: readonly string[];
}

export interface Allowlist {
  /** Whether everything at a place is allowed, whatever is found there. */
  allowsPlace(place: Place): boolean;
  allows(place: Place, found: Found): boolean;
}

interface Place {
  readonly path: string;
  readonly commit?: Commit | undefined;
}

interface Found {
  readonly secret: string;
  readonly match: string;
  readonly line: string;
}

type Test = (place: Place, found: Found | undefined) => boolean;

/** @param where For people: whose list it is. @throws CommandError for a wrong expression. */
export function allowlist(source: AllowlistSource, where: string, make = expression): Allowlist {
  const tests = testsOf(source, (one) => make(one, `The allow list of ${where}`));
  const allows: Test = (place, found) =>
    source.condition === 'AND' ? tests.every((test) => test(place, found)) : tests.some((test) => test(place, found));
  return { allowsPlace: (place) => allows(place, undefined), allows };
}

/** A test for each criterion that a list has; those about what is found fail where nothing is yet. */
function testsOf(
  { commits, paths, regexes, regexTarget, stopwords }: AllowlistSource,
  make: (source: string) => Expression,
): Test[] {
  const [pathTests, foundTests] = [paths.map(make), regexes.map(make)];
  const words = stopwords.map((word) => word.toLowerCase());
  const tests: Test[] = [];
  if (commits.length) tests.push(({ commit }) => commit !== undefined && commits.includes(commit.id));
  if (paths.length) tests.push(({ path }) => pathTests.some((one) => one.test(path)));
  if (regexes.length)
    tests.push((_, found) => found !== undefined && foundTests.some((one) => one.test(found[regexTarget])));
  if (words.length)
    tests.push((_, found) => found !== undefined && words.some((word) => found.secret.toLowerCase().includes(word)));
  return tests;
}
