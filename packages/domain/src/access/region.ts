import { testsOf, type Test } from './condition.ts';
import { isEmpty, type Glob, type States } from './glob.ts';

/**
 * Sets of resources, as far as rules can distinguish them. A region is a conjunction of literals about the fields of a
 * resource; a set is a list of regions. Rules are compared exactly and not by the form of their operators: a glob
 * contains another one if no text matches only the inner one, which is decided by walking both automata. A comparison
 * that would take too long counts as «not empty», so that errors are on the side of refusing.
 */
export interface Region {
  readonly fields: ReadonlyMap<string, readonly Literal[]>;
}

/**
 * - `present`, `absent`: whether the resource has the field.
 * - `some`: the field is present, and its text, or one element of its list, is in the set.
 * - `none`: the negation of `some`, so it holds for an absent field, too.
 */
export interface Literal {
  readonly field: string;
  readonly is: 'present' | 'absent' | 'some' | 'none';
  readonly set: TextSet | undefined;
}

/** A set of texts; an `opaque` one is compared only by its key. */
type TextSet =
  | { readonly kind: 'texts'; readonly key: string; readonly texts: ReadonlySet<string> }
  | { readonly kind: 'glob'; readonly key: string; readonly glob: Glob }
  | { readonly kind: 'opaque'; readonly key: string };

export const EVERYTHING: Region = { fields: new Map() };

/** The comparison costs more than it may. */
export class TooComplicated extends Error {}

/**
 * The budget of all comparisons of one call, which yield regularly: about half a second of the process, in steps of
 * some ten millionths.
 */
const LIMIT = 1_500_000;
/** The budget of comparisons in one turn of the event loop. */
export const COMPARED_AT_ONCE = 200_000;
/** How many steps of an evaluation (see `evaluation-cost.ts`) are one of these. */
const EVALUATED = 30;

/**
 * The remaining cost for comparisons of rules: callers control the number of rules, and the length of their texts and
 * globs. All comparisons of one call share one budget (`comparisonBudgetOf`). Once it is used up, nothing is compared
 * any more.
 */
export class ComparisonBudget {
  readonly #limit: number;
  readonly #used: { spent: number };

  /** `used` counts the steps of several budgets together. */
  constructor(limit = LIMIT, used = { spent: 0 }) {
    this.#limit = limit;
    this.#used = used;
  }

  get isExhausted(): boolean {
    return this.#used.spent > this.#limit;
  }

  /** @throws TooComplicated if less than this is left. */
  spend(steps: number): void {
    this.#used.spent += steps;
    if (this.isExhausted) throw new TooComplicated();
  }

  /** Pays for globs that are compiled, and for texts that are looked up in them. */
  readonly evaluation = { spend: (steps: number): void => this.spend(steps / EVALUATED) };
}

/**
 * Fields with one text. Every other field may be a list (`secretTags`, `metadata`), for which two statements may hold
 * for two different elements.
 */
const TEXT_FIELDS = new Set([
  'environment',
  'secretPath',
  'secretName',
  'identityId',
  'connectionId',
  'hostname',
  'name',
  'slug',
  'commonName',
  'serialNumber',
  'friendlyName',
  'status',
]);

/** The literals of a rule's conditions; `undefined` if nothing can satisfy them. */
export function literalsOf(
  conditions: Readonly<Record<string, unknown>> | undefined,
  budget: ComparisonBudget,
): Literal[] | undefined {
  return testsOf(conditions ?? {}, budget.evaluation)?.flatMap(([field, test]): Literal[] => [
    { field, is: 'present', set: undefined },
    ...setsOf(test, budget).map((set): Literal => ({ field, is: test.operator === '$ne' ? 'none' : 'some', set })),
  ]);
}

function setsOf(test: Test, budget: ComparisonBudget): TextSet[] {
  switch (test.operator) {
    case '$in':
      return [textsOf(test.texts, budget)];
    case '$ne':
      return [textsOf([test.text], budget)];
    case '$exists':
      return [];
    case '$all':
      return test.texts.map((text) => textsOf([text], budget));
    case '$glob':
      return [{ kind: 'glob', key: `glob ${test.pattern}`, glob: test.glob }];
    case '$elemMatch':
      return [opaqueOf(test.conditions, budget)];
  }
}

/** JSON with the keys of objects in order: equal for equal values. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

function textsOf(texts: readonly string[], budget: ComparisonBudget): TextSet {
  budget.spend(texts.reduce((sum, text) => sum + COST_OF_TEXT + text.length / CHARACTERS, 0));
  const unique = [...new Set(texts)].toSorted();
  return { kind: 'texts', key: `texts ${JSON.stringify(unique)}`, texts: new Set(unique) };
}

function opaqueOf(conditions: unknown, budget: ComparisonBudget): TextSet {
  const key = canonicalJson(conditions);
  budget.spend(COST_OF_TEXT + key.length / CHARACTERS);
  return { kind: 'opaque', key: `match ${key}` };
}

/** The cost of reading one text; so many characters cost one more. */
const COST_OF_TEXT = 2;
const CHARACTERS = 4;
/** The cost of checking one literal. */
const COST_OF_LITERAL = 8;

const OPPOSITE = { present: 'absent', absent: 'present', some: 'none', none: 'some' } as const;
const opposite = (literal: Literal): Literal => ({ ...literal, is: OPPOSITE[literal.is] });

/** The part of the region where the literal holds; `undefined` if it is empty. */
function narrow(region: Region, literal: Literal, budget: ComparisonBudget): Region | undefined {
  const known = region.fields.get(literal.field) ?? [];
  const isSame = (other: Literal, is: Literal['is']) => other.is === is && other.set?.key === literal.set?.key;
  budget.spend(COST_OF_LITERAL + known.length);
  if (known.some((other) => isSame(other, literal.is))) return region;
  if (known.some((other) => isSame(other, OPPOSITE[literal.is]))) return undefined;
  const literals = [...known, literal];
  if (!isSatisfiable(literal.field, literals, budget)) return undefined;
  return { fields: new Map(region.fields).set(literal.field, literals) };
}

/** Splits a set: what satisfies all of the literals, and the rest. */
export function split(
  regions: readonly Region[],
  literals: readonly Literal[],
  budget: ComparisonBudget,
): { inside: Region[]; outside: Region[] } {
  const inside: Region[] = [];
  const outside: Region[] = [];
  for (const region of regions) {
    const without: Region[] = [];
    let rest: Region | undefined = region;
    for (const literal of literals) {
      const narrowed = narrow(rest, literal, budget);
      if (narrowed === rest) continue;
      if (!narrowed) {
        rest = undefined;
        break;
      }
      const other = narrow(rest, opposite(literal), budget);
      if (other) without.push(other);
      rest = narrowed;
    }
    // What the literals do not affect is not split.
    outside.push(...(rest ? without : [region]));
    if (rest) inside.push(rest);
  }
  return { inside, outside };
}

/** Whether a field can be such that all of the literals hold. */
function isSatisfiable(field: string, literals: readonly Literal[], budget: ComparisonBudget): boolean {
  const setsThat = (is: Literal['is']) =>
    literals.flatMap((literal) => (literal.is === is && literal.set ? [literal.set] : []));
  const some = setsThat('some');
  const isPresent = some.length > 0 || literals.some(({ is }) => is === 'present');
  if (!isPresent) return true;
  if (literals.some(({ is }) => is === 'absent')) return false;
  const none = setsThat('none');
  // An empty list, or a value that is no text, is in no set.
  if (some.length === 0) return true;
  return TEXT_FIELDS.has(field)
    ? isInhabited(some, none, budget)
    : some.every((one) => isInhabited([one], none, budget));
}

/** Whether some element is in all of these sets and in none of those. */
function isInhabited(all: readonly TextSet[], none: readonly TextSet[], budget: ComparisonBudget): boolean {
  if (all.some(({ kind }) => kind === 'opaque')) return !all.some(({ key }) => none.some((other) => other.key === key));
  const finite = all.flatMap((set) => (set.kind === 'texts' ? [set.texts] : [])).toSorted((a, b) => a.size - b.size)[0];
  if (finite) {
    for (const text of finite) {
      budget.spend(1 + all.length + none.length);
      const isIn = (set: TextSet) => contains(set, text, budget);
      if (all.every(isIn) && !none.some(isIn)) return true;
    }
    return false;
  }
  const globs = (sets: readonly TextSet[]) => sets.flatMap((set) => (set.kind === 'glob' ? [set.glob] : []));
  const texts = new Set(none.flatMap((set) => (set.kind === 'texts' ? [...set.texts] : [])));
  return matchesSomething(globs(all), globs(none), texts, budget);
}

const contains = (set: TextSet, text: string, budget: ComparisonBudget): boolean =>
  set.kind === 'texts' ? set.texts.has(text) : set.kind === 'glob' && set.glob.matches(text, budget.evaluation);

/**
 * Whether some text matches all of the first globs, none of the second, and is none of the texts. Walks all globs at
 * once and visits each combination of their states once. Of characters that all globs treat alike, one is tried. The
 * texts are walked as a trie.
 */
function matchesSomething(
  all: readonly Glob[],
  none: readonly Glob[],
  texts: ReadonlySet<string>,
  budget: ComparisonBudget,
): boolean {
  const globs = [...all, ...none];
  const beginnings = new Set<string>();
  const characters = new Set(globs.flatMap((glob) => glob.cuts));
  for (const text of texts) {
    let beginning = '';
    beginnings.add(beginning);
    budget.spend(2 * text.length);
    for (const character of text) {
      beginnings.add((beginning += character));
      characters.add(character.codePointAt(0)!).add(character.codePointAt(0)! + 1);
    }
  }
  const codes = [...characters].filter((code) => code <= 0x10ffff);
  const visited = new Set<string>();
  const open: { states: States[]; beginning: string | undefined }[] = [];
  const visit = (states: States[], beginning: string | undefined): void => {
    budget.spend(states.reduce((sum, { length }) => sum + STEP + length, 0));
    if (states.some((one, index) => index < all.length && isEmpty(one))) return;
    const key = `${states.join('|')}|${beginning ?? ''}|${beginning === undefined}`;
    if (visited.has(key)) return;
    visited.add(key);
    open.push({ states, beginning });
  };
  visit(
    globs.map((glob) => glob.start),
    beginnings.has('') ? '' : undefined,
  );
  for (let here = open.pop(); here; here = open.pop()) {
    const { states, beginning } = here;
    const isText = beginning !== undefined && texts.has(beginning);
    if (!isText && globs.every((glob, index) => glob.accepts(states[index]!) === index < all.length)) return true;
    for (const code of codes) {
      const longer = beginning === undefined ? undefined : beginning + String.fromCodePoint(code);
      visit(
        states.map((from, index) => globs[index]!.step(from, code)),
        longer !== undefined && beginnings.has(longer) ? longer : undefined,
      );
    }
  }
  return false;
}

/** A step of one automaton. */
const STEP = 4;
