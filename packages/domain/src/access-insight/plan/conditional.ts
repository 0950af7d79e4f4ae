import {
  EVERYTHING,
  literalsOf,
  splitRegion,
  TooComplicated,
  ComparisonBudget,
  type Region,
} from '../../access/index.ts';

/** A rule on resources without known fields. */
export interface OpenRule {
  readonly conditions: Readonly<Record<string, unknown>>;
  readonly isInverted: boolean;
}

/** The resources that one list of rules allows and another does not; no conditions: any. */
type Limits = Readonly<Record<string, unknown>> | null;

/** Steps of a comparison; some hundredths of a second. */
const BUDGET = 100_000;

/**
 * What `after` allows and `before` does not, expressed by the conditions of the rules that they do not share. Exact as
 * far as rules can be compared (see `missingPermissions`); if that takes too long, an upper bound.
 */
export function gainedBetween(before: readonly OpenRule[], after: readonly OpenRule[]): Limits[] {
  const keyOf = (rule: OpenRule) => JSON.stringify(rule);
  const [known, kept] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  const changed = [
    ...after.filter((rule) => !known.has(keyOf(rule))),
    ...before.filter((rule) => !kept.has(keyOf(rule))),
  ];
  const limits = new Map(changed.map(({ conditions }) => [JSON.stringify(conditions), conditions]));
  const budget = new ComparisonBudget(BUDGET);
  try {
    let open = notAllowed(allowed(after, budget), before, budget);
    const found: Limits[] = [];
    for (const conditions of limits.values()) {
      const literals = literalsOf(conditions, budget);
      if (!literals || open.length === 0) continue;
      const { inside, outside } = splitRegion(open, literals, budget);
      if (inside.length > 0) found.push(Object.keys(conditions).length > 0 ? conditions : null);
      open = outside;
    }
    return open.length > 0 ? [...found, null] : found;
  } catch (error) {
    if (error instanceof TooComplicated) return [...limits.values()];
    throw error;
  }
}

/** The resources that rules allow. */
function allowed(rules: readonly OpenRule[], budget: ComparisonBudget): Region[] {
  const found: Region[] = [];
  let open: Region[] = [EVERYTHING];
  for (const { conditions, isInverted } of rules.toReversed()) {
    const { inside, outside } = splitRegion(open, literalsOf(conditions, budget) ?? NOTHING, budget);
    if (!isInverted) found.push(...inside);
    open = outside;
  }
  return found;
}

/** The resources, of some, that rules do not allow. */
function notAllowed(things: readonly Region[], rules: readonly OpenRule[], budget: ComparisonBudget): Region[] {
  const found: Region[] = [];
  let open = [...things];
  for (const { conditions, isInverted } of rules.toReversed()) {
    const { inside, outside } = splitRegion(open, literalsOf(conditions, budget) ?? NOTHING, budget);
    if (isInverted) found.push(...inside);
    open = outside;
  }
  return [...found, ...open];
}

/** Of a rule that nothing can satisfy. */
const NOTHING = literalsOf({ never: { $in: [] } }, new ComparisonBudget())!;
