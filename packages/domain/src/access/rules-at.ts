import type { Ability, Rule } from '../kernel/index.ts';
import { denialByOtherName } from './catalogue.ts';
import { MAX_RULES, withinLimit, type GivenSource } from './rule-limit.ts';
import { sizeOf } from './rule-size.ts';
import { filledRule, NO_FACTS, type Facts } from './template.ts';

/** What is read of a grant to know its rules at an instant: see `Grant`. */
export interface Windowed extends GivenSource {
  readonly rules: readonly Rule[];
  readonly start: number;
  readonly end: number;
}

/**
 * The rules of an actor at an instant, with the grant of each, and until when they are constant; milliseconds.
 * Templates are filled in with the facts of the actor. Not all count of an actor with too many: see `withinLimit`.
 */
export function rulesAt<Source extends Windowed>(
  grants: readonly Source[],
  now: number,
  facts: Facts = NO_FACTS,
): { rules: Rule[]; sources: Source[]; until: number } {
  const active = grants.filter(({ start, end }) => start <= now && end > now);
  const found = filled(active, facts);
  const until = grants.reduce(
    (next, { start, end }) => Math.min(next, start > now ? start : end > now ? end : next),
    Infinity,
  );
  return { ...withinLimitOfAll(active, found), until };
}

/** `withinLimit`, where rules that several grants have count as given by the first of these. */
function withinLimitOfAll<Source extends Windowed>(
  active: readonly Source[],
  { rules, sources, stored }: Filled<Source>,
): { rules: Rule[]; sources: Source[] } {
  if (sizeOf(stored) <= MAX_RULES) return { rules, sources };
  const first = new Map<readonly Rule[], number>();
  for (const { rules: its, given = 0 } of active) first.set(its, Math.min(first.get(its) ?? given, given));
  const given = sources.map((source) => ({ source, given: first.get(source.rules) }));
  const within = withinLimit(rules, given, MAX_RULES, stored);
  return { rules: within.rules, sources: within.sources.map(({ source }) => source) };
}

/**
 * The rules that allow during a complete period, and those that forbid at some time in it. None where the actor has too
 * many to count at once: which of them count may then be different at each instant.
 */
export function rulesThroughout<Source extends Windowed>(
  grants: readonly Source[],
  from: number,
  until: number,
  facts: Facts = NO_FACTS,
): { rules: Rule[]; sources: Source[] } {
  const active = grants.filter(({ start, end }) => start < until && end > from);
  if (sizeOf(filled(active, facts).stored) > MAX_RULES) return { rules: [], sources: [] };
  const { rules, sources } = filled(
    active,
    facts,
    ({ start, end }, { inverted = false }) => inverted || (start <= from && end >= until),
  );
  return { rules, sources };
}

/** See `Ability.windows`: equal for grants that last equally long from an instant on. */
export function windowsOf(grants: readonly Windowed[], now: number): Ability['windows'] {
  const remaining = grants.filter(({ end }) => end > now);
  if (remaining.every(({ start, end }) => start <= now && end === Infinity)) return [];
  // A list that several grants share is there once.
  const known = new Map<readonly Rule[], number>();
  return remaining.map(({ rules, start, end }) => {
    const before = known.get(rules);
    if (before === undefined) known.set(rules, known.size);
    return [before ?? rules, start > now ? start : null, end];
  });
}

interface Filled<Source> {
  readonly rules: Rule[];
  readonly sources: Source[];
  readonly stored: Rule[];
}

/**
 * The rules of some grants that count, with their templates filled in and as they are stored. Of a rule that several
 * grants have, by the same role, only the last counts, which overrides the others: however often a role is assigned, it
 * costs no more.
 */
function filled<Source extends Windowed>(
  grants: readonly Source[],
  facts: Facts,
  counts: (grant: Source, rule: Rule) => boolean = () => true,
): Filled<Source> {
  const [rules, sources, stored]: [Rule[], Source[], Rule[]] = [[], [], []];
  const later = new Set<Rule>();
  for (const grant of grants.toReversed())
    for (let index = grant.rules.length; index-- > 0;) {
      const one = grant.rules[index]!;
      if (later.has(one) || !counts(grant, one)) continue;
      later.add(one);
      const rule = filledRule(one, facts);
      if (!rule) continue;
      for (const each of [rule, denialByOtherName(rule) ?? []].flat()) {
        rules.push(each);
        stored.push(one);
        sources.push(grant);
      }
    }
  return { rules: rules.toReversed(), sources: sources.toReversed(), stored: stored.toReversed() };
}
