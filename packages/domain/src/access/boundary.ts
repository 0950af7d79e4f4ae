import { DomainError, forbidden, type Context, type Rule } from '../kernel/index.ts';
import { actionsOf, allowsAll, allowsEverything } from './ability.ts';
import { passByRules } from './access.ts';
import { organizationPermissions, projectPermissions } from './catalogue.ts';
import type { Place } from './grants.ts';
import { heldUntil, type Piece, type Until } from './period.ts';
import {
  canonicalJson,
  EVERYTHING,
  literalsOf,
  split,
  ComparisonBudget,
  TooComplicated,
  type Literal,
  type Region,
} from './region.ts';
import { Turns } from './in-turns.ts';
import { endOfRole, roleRules, type AssignedRole } from './role/rules.ts';
import { widestRule } from './template.ts';

/** A right that the caller tried to grant without holding it. */
export interface MissingPermission {
  readonly action: string;
  readonly subject: string;
  readonly conditions?: Record<string, unknown>;
}

/** A rule that is given only where further conditions hold, too. */
export interface NarrowedRule extends Rule {
  readonly where?: Rule['conditions'];
}

/** The cost of reading one rule, in steps of the budget. */
const COST_OF_RULE = 10;

interface PreparedRule {
  /** Its place in its list. */
  readonly position: number;
  readonly isInverted: boolean;
  readonly literals: readonly Literal[];
  /** Equal for rules with the same conditions. */
  readonly key: string;
}

/**
 * The rights that `given` contains and `held` lacks, by rule and action; empty if `held` allows everything that `given`
 * allows.
 * Computed by subtraction: the resources that a granted rule allows (its conditions, minus the conditions of later
 * forbidding rules of `given`) are split by the rules of `held` from the last to the first, because the last matching
 * rule decides. What meets a forbidding rule is missing, what meets an allowing rule is covered, what meets no rule is
 * missing. The result is exact for conditions on texts and tags. `$elemMatch` is covered only by the same `$elemMatch`.
 * What is not compared before `budget` is used up counts as missing.
 * Templates in `given` can have any value: an allowing rule counts with any text for them, a forbidding rule does not
 * count. Those in `held` already have their values (see `template.ts`).
 * Every permission is compared. In particular, the right to read folders counts, because it can be conditional and is
 * enforced; and the legacy `secrets: read` is not composed of `describeSecret` and `readValue`.
 */
export const missingPermissions = (
  given: readonly NarrowedRule[],
  held: readonly Rule[],
  budget: ComparisonBudget,
): MissingPermission[] => finish(missingOf(given, held, budget));

/** The same, yielding to other turns of the event loop. */
export const missingInTurns = (
  given: readonly Rule[],
  held: readonly Rule[],
  budget: ComparisonBudget,
): Promise<MissingPermission[]> => finishInTurns(missingOf(given, held, budget));

function* missingOf(
  given: readonly NarrowedRule[],
  held: readonly Rule[],
  budget: ComparisonBudget,
): Steps<MissingPermission[]> {
  const missing = new Map<string, MissingPermission>();
  const known = positionsByPair(held);
  const [prepareGiven, prepareHeld] = [preparing(given, budget, widestRule), preparing(held, budget)];
  // Pairs with the same matching rules have the same result.
  const answers = new Map<string, readonly number[]>();
  for (const [pair, positions] of positionsByPair(given)) {
    const speaking = known.get(pair) ?? [];
    if (allowsEverything(speaking.map((position) => held[position]!))) continue;
    const key = `${positions.join()}:${speaking.join()}`;
    let uncovered = answers.get(key);
    if (!uncovered) {
      const all = positions.filter((position) => !given[position]!.inverted);
      const found = withinBudget(function* () {
        return yield* uncoveredOf(yield* prepareGiven(positions), yield* prepareHeld(speaking), budget);
      });
      answers.set(key, (uncovered = (yield* found) ?? all));
    }
    const [subject, action] = JSON.parse(pair) as [string, string];
    for (const position of uncovered) {
      const { conditions } = given[position]!;
      const permission = { action, subject, ...(conditions && { conditions }) };
      missing.set(JSON.stringify(permission), permission);
    }
  }
  return [...missing.values()];
}

/**
 * Whether some rules allow anything under these conditions. What is not compared before `budget` is used up counts as
 * allowed.
 */
export async function allowAnythingWhere(
  rules: readonly Rule[],
  conditions: Readonly<Record<string, unknown>>,
  budget: ComparisonBudget,
): Promise<boolean> {
  const prepare = preparing(rules, budget, widestRule);
  const lists = new Map([...positionsByPair(rules).values()].map((positions) => [positions.join(), positions]));
  const found = withinBudget(function* () {
    const places = literalsOf(conditions, budget);
    if (!places) return false;
    const there = split([EVERYTHING], places, budget).inside;
    for (const positions of lists.values()) {
      const prepared = yield* prepare(positions);
      for (const rule of prepared)
        if (!rule.isInverted && (yield* allowedBy(rule, there, prepared, budget)).length > 0) return true;
    }
    return false;
  });
  return (await finishInTurns(found)) ?? true;
}

/** Work that can pause where it yields. */
type Steps<T> = Generator<undefined, T>;

function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

async function finishInTurns<T>(steps: Steps<T>): Promise<T> {
  const turns = new Turns();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (turns.isOver) await turns.rest();
  }
}

/** The result, unless the budget is used up first. */
function* withinBudget<T>(find: () => Steps<T>): Steps<T | undefined> {
  try {
    return yield* find();
  } catch (error) {
    if (error instanceof TooComplicated) return undefined;
    throw error;
  }
}

/** The indexes of matching rules by subject and action, in order. */
function positionsByPair(rules: readonly Rule[]): Map<string, number[]> {
  const pairs = new Map<string, number[]>();
  for (const [position, rule] of rules.entries())
    for (const action of new Set(actionsOf(rule))) {
      const pair = JSON.stringify([rule.subject, action]);
      const known = pairs.get(pair);
      if (known) known.push(position);
      else pairs.set(pair, [position]);
    }
  return pairs;
}

const asItIs = (rule: Rule): Rule | undefined => rule;

/** Prepares the rules at some places of a list, each once. Rules that nothing can satisfy are left out. */
function preparing(rules: readonly NarrowedRule[], budget: ComparisonBudget, read = asItIs) {
  const done = new Map<number, PreparedRule[]>();
  const literalsIn = (rule: Rule) => {
    const counting = read(rule);
    return counting && literalsOf(counting.conditions, budget);
  };
  const prepare = (position: number): PreparedRule[] => {
    budget.spend(COST_OF_RULE);
    const { where, ...rule } = rules[position]!;
    const [own, further] = [literalsIn(rule), where ? literalsIn({ ...rule, conditions: where }) : []];
    if (!own || !further) return [];
    const literals = [...own, ...further];
    const key = JSON.stringify(literals.map(({ field, is, set }) => [field, is, set?.key]));
    return [{ position, isInverted: rule.inverted === true, literals, key }];
  };
  return function* (positions: readonly number[]): Steps<PreparedRule[]> {
    const found: PreparedRule[] = [];
    for (const position of positions) {
      let prepared = done.get(position);
      if (!prepared) done.set(position, (prepared = prepare(position)));
      found.push(...prepared);
      yield;
    }
    return found;
  };
}

/** The indexes of the granted rules that allow what the held ones do not. */
function* uncoveredOf(
  given: readonly PreparedRule[],
  held: readonly PreparedRule[],
  budget: ComparisonBudget,
): Steps<readonly number[]> {
  const asTheyAre = new Set(held.slice(held.findLastIndex(({ isInverted }) => isInverted) + 1).map(({ key }) => key));
  const latestFirst = held.toReversed();
  const uncovered: number[] = [];
  for (const rule of given) {
    if (rule.isInverted || asTheyAre.has(rule.key)) continue;
    const isHeld = withinBudget(function* () {
      return yield* isCovered(yield* allowedBy(rule, [EVERYTHING], given, budget), latestFirst, budget);
    });
    if (budget.isExhausted || !(yield* isHeld)) uncovered.push(rule.position);
    yield;
  }
  return uncovered;
}

/** What a rule allows of a set, minus what later rules forbid. */
function* allowedBy(
  { position, literals }: PreparedRule,
  things: Region[],
  rules: readonly PreparedRule[],
  budget: ComparisonBudget,
): Steps<Region[]> {
  let open = split(things, literals, budget).inside;
  for (const later of rules)
    if (later.isInverted && later.position > position) {
      open = split(open, later.literals, budget).outside;
      yield;
    }
  return open;
}

function* isCovered(things: Region[], latestFirst: readonly PreparedRule[], budget: ComparisonBudget): Steps<boolean> {
  let open = things;
  for (const { isInverted, literals } of latestFirst) {
    if (open.length === 0) return true;
    const { inside, outside } = split(open, literals, budget);
    if (isInverted && inside.length > 0) return false;
    open = outside;
    yield;
  }
  return open.length === 0;
}

/** Rules that are given for a time of their own. */
export interface GivenRules {
  readonly rules: readonly Rule[];
  readonly until: Until;
}

/** What an actor is about to be granted, where, and until when. */
export interface Giving {
  readonly organizationId: string;
  readonly projectId?: string | null | undefined;
  /** The end of grants without an earlier end of their own. */
  readonly until: Until;
  /** Built-in roles of the place, or the slugs of its custom ones. A role with a time window ends with it. */
  readonly roles?: readonly AssignedRole[] | undefined;
  /** Rules of a custom role or a privilege, which the caller sends, */
  readonly rules?: readonly Rule[] | undefined;
  /** or which are stored, as those of all other fields are. */
  readonly areStored?: boolean;
  /** Sets of rules that are given together. */
  readonly ruleSets?: readonly (readonly Rule[] | GivenRules)[] | undefined;
  /** The rules that `rules` replaces: what they forbade and `rules` does not counts as granted. */
  readonly replaced?: readonly Rule[] | undefined;
  /** The own end of `replaced`, if it differs from `until`. */
  readonly replacedUntil?: Until | undefined;
}

/** The budget of all comparisons of rules in one call, however many roles it names. */
export const comparisonBudgetOf = ({ comparisons }: Context): ComparisonBudget =>
  new ComparisonBudget(undefined, comparisons);

/** How many missing rights an error names. */
const NAMED = 100;

/**
 * Nobody grants more than they hold, nor for longer: everything that these roles and rules allow at the place must be
 * allowed to the caller now and at every instant until they end. A right that begins later cannot be granted before it
 * has begun. Coffer itself (`platform`) may grant anything.
 */
export async function requireNoEscalation(ctx: Context, giving: Giving): Promise<void> {
  const { organizationId, projectId } = giving;
  const place = projectId ? { organizationId, projectId } : { organizationId };
  const now = ctx.now().getTime();
  const given = (await givenSets(ctx, place, giving)).map(({ until, ...set }) => ({
    ...set,
    until: until === 'now' ? now : until,
  }));
  if (ctx.actor.type === 'platform') return;
  const pieces = await heldUntil(ctx, place, Math.max(now, ...given.map(({ until }) => until)));
  const found = await missingThroughout(given, pieces, comparisonBudgetOf(ctx));
  if (found)
    throw beyondBoundary(
      await shownOf(ctx, place, found.missing),
      found.from === pieces[0]?.from ? undefined : new Date(found.from),
    );
  passByRules(ctx, (again) => requireNoEscalation(again, giving));
}

/**
 * The first instant at which the actor lacks some of the granted rights, and what is missing then, of which set;
 * `undefined` if it holds everything until the grants end. The first period is compared with everything, also with grants
 * that have no duration.
 */
export async function missingThroughout<Given extends { readonly rules: readonly Rule[]; readonly until: number }>(
  given: readonly Given[],
  held: readonly Piece[],
  budget: ComparisonBudget,
): Promise<{ from: number; missing: MissingOf<Given>[] } | undefined> {
  for (const [position, { from, rules }] of held.entries()) {
    const missing: MissingOf<Given>[] = [];
    for (const of of given)
      if (position === 0 || from < of.until)
        for (const permission of await missingInTurns(of.rules, rules, budget)) missing.push({ of, permission });
    if (missing.length > 0) return { from, missing };
  }
  return undefined;
}

interface MissingOf<Given> {
  readonly of: Given;
  readonly permission: MissingPermission;
}

/** What a place lets callers read who may know the rules of everybody there. */
const READERS_OF_RULES = {
  organization: [organizationPermissions('role').read],
  project: [projectPermissions('role').read, projectPermissions('member').read, projectPermissions('identity').read],
};

/**
 * What an error names. The conditions of stored rules, which contain names of folders, secrets and tags, are named to
 * callers who may read the roles and privileges of everybody there.
 */
async function shownOf(
  ctx: Context,
  place: Place,
  missing: readonly MissingOf<{ readonly isStored: boolean }>[],
): Promise<MissingPermission[]> {
  const ability = await ctx.ability(ctx, place);
  const mayRead = READERS_OF_RULES[place.projectId ? 'project' : 'organization'].every((permission) =>
    allowsAll(ability, permission),
  );
  const shown = missing.map(({ of: { isStored }, permission: { action, subject, ...where } }) =>
    isStored && !mayRead ? { action, subject } : { action, subject, ...where },
  );
  return [...new Map(shown.map((one) => [JSON.stringify(one), one])).values()];
}

async function givenSets(
  ctx: Context,
  place: Place,
  { until, roles = [], rules = [], areStored = false, ruleSets = [], replaced = [], replacedUntil = until }: Giving,
): Promise<(GivenRules & { readonly isStored: boolean })[]> {
  const ofRoles = (await roleRules(ctx, place, roles)).map((its, position) => ({
    rules: its,
    until: earlier(until, endOfRole(roles[position]!)),
  }));
  const sets = ruleSets.map((set) =>
    'rules' in set ? { ...set, until: earlier(until, set.until) } : { rules: set, until },
  );
  const lifted = { rules: liftedBy(rules, replaced), until: replacedUntil };
  const stored = (set: GivenRules) => ({ ...set, isStored: true });
  return [...ofRoles.map(stored), { rules, until, isStored: areStored }, ...[...sets, lifted].map(stored)].filter(
    (set) => set.rules.length > 0,
  );
}

const earlier = (a: Until, b: Until): Until => (a === 'now' || b === 'now' ? 'now' : Math.min(a, b));

/** The forbidding rules of `replaced` that a change to `rules` removes. */
export function liftedDenials(rules: readonly Rule[], replaced: readonly Rule[]): Rule[] {
  const key = ({ subject, action, conditions }: Rule) =>
    canonicalJson([subject, [action].flat().toSorted(), conditions ?? {}]);
  const kept = new Set(rules.filter(({ inverted }) => inverted).map(key));
  return replaced.filter((rule) => rule.inverted && !kept.has(key(rule)));
}

/** What the replaced rules forbid and the new ones do not, written as allowing rules. */
const liftedBy = (rules: readonly Rule[], replaced: readonly Rule[]): Rule[] =>
  liftedDenials(rules, replaced).map(({ inverted: _, ...rule }) => rule);

/** 403 `PermissionBoundaryError` with the missing rights; `endsAt` if they are held, but only until then. */
export const beyondBoundary = (missing: readonly MissingPermission[], endsAt?: Date): DomainError => {
  const [{ action, subject }] = missing as [MissingPermission];
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  const why = endsAt
    ? `You hold these rights only until ${endsAt.toISOString()} and cannot grant them for longer`
    : 'You cannot grant rights that you do not hold';
  return forbidden('permission.boundary', `${why}: ${action} ${subject}${more}`, {
    name: 'PermissionBoundaryError',
    details: { missingPermissions: missing.slice(0, NAMED), ...(endsAt && { heldUntil: endsAt }) },
  });
};
