import { DomainError, forbidden, type Context, type Rule } from '../kernel/index.ts';
import { actionsOf } from './ability.ts';
import type { Place } from './grants.ts';
import { heldUntil, type Piece, type Until } from './period.ts';
import {
  canonicalJson,
  EVERYTHING,
  literalsOf,
  split,
  TooComplicated,
  type Budget,
  type Literal,
  type Region,
} from './region.ts';
import { endOfRole, roleRules, type AssignedRole } from './role/rules.ts';
import { widestRule } from './template.ts';

/** A right that was to be given away by somebody who does not hold it. */
export interface MissingPermission {
  readonly action: string;
  readonly subject: string;
  readonly conditions?: Record<string, unknown>;
}

/** About a tenth of a second of work. */
const BUDGET = 600_000;

interface PreparedRule {
  readonly rule: Rule;
  readonly literals: readonly Literal[];
  /** Equal for rules with the same conditions. */
  readonly key: string;
}

/** The key of a rule that speaks of everything: whatever is given, that covers it. */
const UNCONDITIONAL = '[]';

/**
 * The rights that `given` contains and `held` does not, by rule and action; empty where everything that `given` allows,
 * on whatever thing, is allowed by `held`, too.
 *
 * Proved by taking things away: what a giving rule allows (its conditions, less the conditions of the later rules of
 * `given` that forbid) is cut by the rules of `held` from the last to the first, as each thing is decided by the last
 * rule that speaks of it. What meets a forbidding rule is missing, what meets an allowing one is covered, what meets
 * none is missing. The answer is exact for conditions on texts and tags; `$elemMatch` is covered only by the same
 * `$elemMatch`; and a comparison that costs more than its share is answered with «missing».
 *
 * Templates in `given` may come to stand for anything: a rule that allows counts with any text for them, one that forbids
 * does not count. Those in `held` have their values already (see `template.ts`).
 *
 * Nothing is left out of the comparison. In particular the right to read folders counts, since here it can be
 * conditional and is enforced; and the older `secrets: read` is not made up of `describeSecret` and `readValue`.
 */
export function missingPermissions(given: readonly Rule[], held: readonly Rule[]): MissingPermission[] {
  return compare(given, index(held), { left: BUDGET });
}

function compare(
  given: readonly Rule[],
  held: ReadonlyMap<string, PreparedRule[]>,
  budget: Budget,
): MissingPermission[] {
  const missing = new Map<string, MissingPermission>();
  for (const [pair, rules] of index(given, widestRule)) {
    const { action, subject } = JSON.parse(pair) as { action: string; subject: string };
    const known = held.get(pair) ?? [];
    const asTheyAre = new Set(known.slice(known.findLastIndex(({ rule }) => rule.inverted) + 1).map(({ key }) => key));
    for (const [position, { rule, literals, key }] of rules.entries()) {
      if (rule.inverted || asTheyAre.has(key) || asTheyAre.has(UNCONDITIONAL)) continue;
      if (isCovered(literals, rules.slice(position + 1), known, budget)) continue;
      const permission = { action, subject, ...(rule.conditions && { conditions: rule.conditions }) };
      missing.set(JSON.stringify(permission), permission);
    }
  }
  return [...missing.values()];
}

const asItIs = (rule: Rule): Rule | undefined => rule;

/** The rules that speak of each subject and action, in order. Rules that nothing can satisfy are left out. */
function index(rules: readonly Rule[], read = asItIs): Map<string, PreparedRule[]> {
  const pairs = new Map<string, PreparedRule[]>();
  for (const rule of rules) {
    const counting = read(rule);
    const literals = counting && literalsOf(counting.conditions);
    if (!literals) continue;
    const prepared = {
      rule,
      literals,
      key: JSON.stringify(literals.map(({ field, is, set }) => [field, is, set?.key])),
    };
    for (const action of new Set(actionsOf(rule))) {
      const pair = JSON.stringify({ action, subject: rule.subject });
      const known = pairs.get(pair);
      if (known) known.push(prepared);
      else pairs.set(pair, [prepared]);
    }
  }
  return pairs;
}

function isCovered(
  literals: readonly Literal[],
  later: readonly PreparedRule[],
  held: readonly PreparedRule[],
  budget: Budget,
): boolean {
  try {
    let open: Region[] = split([EVERYTHING], literals, budget).inside;
    for (const { rule, literals: taken } of later) if (rule.inverted) open = split(open, taken, budget).outside;
    for (const { rule, literals: known } of held.toReversed()) {
      if (open.length === 0) return true;
      const { inside, outside } = split(open, known, budget);
      if (rule.inverted && inside.length > 0) return false;
      open = outside;
    }
    return open.length === 0;
  } catch (error) {
    if (error instanceof TooComplicated) return false;
    throw error;
  }
}

/** Rules that are given for a time of their own. */
export interface GivenRules {
  readonly rules: readonly Rule[];
  readonly until: Until;
}

/** What somebody is about to be given, where, and until when. */
export interface Giving {
  readonly organizationId: string;
  readonly projectId?: string | null | undefined;
  /** The end of whatever is given here and names no earlier end of its own. */
  readonly until: Until;
  /** Built-in roles of the place, or the slugs of its custom ones. One with a time window ends with that. */
  readonly roles?: readonly AssignedRole[] | undefined;
  /** Rules of a custom role or a privilege. */
  readonly rules?: readonly Rule[] | undefined;
  /** Sets of rules that are given together. */
  readonly ruleSets?: readonly (readonly Rule[] | GivenRules)[] | undefined;
  /** The rules that `rules` takes the place of: what they forbade and `rules` does not counts as given. */
  readonly replaced?: readonly Rule[] | undefined;
  /** When `replaced` would have ended by itself, where that differs from `until`. */
  readonly replacedUntil?: Until | undefined;
}

/** How many missing rights an error names. */
const NAMED = 100;

/**
 * Nobody gives away more than it holds, nor for longer: everything that these roles and rules allow at the place must be
 * allowed to the caller there now and at every instant until they end. A right that only begins later is not given on
 * before it has begun. Coffer itself (`platform`) may give anything.
 *
 * Each role is compared alone, not together with the others: whatever several allow together one of them allows alone,
 * and a role that forbids something may end before the one that it restricts.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with `details.missingPermissions`, and `details.heldUntil` where they
 * are held now but end too early; 404 for a role that the place does not have, and where the caller is no member of the
 * place.
 */
export async function requireNoEscalation(ctx: Context, giving: Giving): Promise<void> {
  const { organizationId, projectId } = giving;
  const place = projectId ? { organizationId, projectId } : { organizationId };
  const now = ctx.now().getTime();
  const given = (await givenSets(ctx, place, giving)).map(({ rules, until }) => ({
    rules,
    until: until === 'now' ? now : until,
  }));
  if (ctx.actor.type === 'platform') return;
  const pieces = await heldUntil(ctx, place, Math.max(now, ...given.map(({ until }) => until)));
  const found = missingThroughout(given, pieces);
  if (found) throw beyondBoundary(found.missing, found.from === pieces[0]?.from ? undefined : new Date(found.from));
}

/**
 * The first instant at which somebody does not hold all that is to be given, and what is missing then; `undefined` where
 * it holds everything until that ends. The first piece counts for all that is given, also for what gives nothing lasting.
 */
export function missingThroughout(
  given: readonly { readonly rules: readonly Rule[]; readonly until: number }[],
  held: readonly Piece[],
): { from: number; missing: MissingPermission[] } | undefined {
  const budget = { left: BUDGET };
  for (const [position, { from, rules }] of held.entries()) {
    const known = index(rules);
    const missing = given
      .filter(({ until }) => position === 0 || from < until)
      .flatMap((one) => compare(one.rules, known, budget));
    if (missing.length > 0) return { from, missing };
  }
  return undefined;
}

async function givenSets(
  ctx: Context,
  place: Place,
  { until, roles = [], rules = [], ruleSets = [], replaced = [], replacedUntil = until }: Giving,
): Promise<GivenRules[]> {
  const ofRoles = (await roleRules(ctx, place, roles)).map((its, position) => ({
    rules: its,
    until: earlier(until, endOfRole(roles[position]!)),
  }));
  const sets = ruleSets.map((set) =>
    'rules' in set ? { ...set, until: earlier(until, set.until) } : { rules: set, until },
  );
  return [...ofRoles, { rules, until }, ...sets, { rules: liftedBy(rules, replaced), until: replacedUntil }].filter(
    (set) => set.rules.length > 0,
  );
}

const earlier = (a: Until, b: Until): Until => (a === 'now' || b === 'now' ? 'now' : Math.min(a, b));

/** The rules that forbid of `replaced` which a change to `rules` takes away. */
export function liftedDenials(rules: readonly Rule[], replaced: readonly Rule[]): Rule[] {
  const key = ({ subject, action, conditions }: Rule) =>
    canonicalJson([subject, [action].flat().toSorted(), conditions ?? {}]);
  const kept = new Set(rules.filter(({ inverted }) => inverted).map(key));
  return replaced.filter((rule) => rule.inverted && !kept.has(key(rule)));
}

/** What the replaced rules forbade and the new ones do not, as if it were allowed. */
const liftedBy = (rules: readonly Rule[], replaced: readonly Rule[]): Rule[] =>
  liftedDenials(rules, replaced).map(({ inverted: _, ...rule }) => rule);

/** 403 `PermissionBoundaryError` that names what is missing; `endsAt` where it is held, but only until then. */
export const beyondBoundary = (missing: readonly MissingPermission[], endsAt?: Date): DomainError => {
  const [{ action, subject }] = missing as [MissingPermission];
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  const why = endsAt
    ? `You hold these rights only until ${endsAt.toISOString()}, and cannot give them for longer`
    : 'You cannot give rights that you do not hold yourself';
  return forbidden('permission.boundary', `${why}: ${action} ${subject}${more}`, {
    name: 'PermissionBoundaryError',
    details: { missingPermissions: missing.slice(0, NAMED), ...(endsAt && { heldUntil: endsAt }) },
  });
};
