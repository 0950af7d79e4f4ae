import { isDeepStrictEqual } from 'node:util';
import {
  statement,
  type Ability,
  type Context,
  type DomainError,
  type Fields,
  type Permission,
  type Rule,
  isId,
} from '../kernel/index.ts';
import { actionsOf } from './ability.ts';
import { organizationOf } from './access.ts';
import { beyondBoundary } from './boundary.ts';
import { builtInRole } from './built-in-roles.ts';
import { matchConditions } from './condition.ts';
import { EvaluationCost } from './evaluation-cost.ts';
import { COST_OF_TEST } from './evaluation-step.ts';
import type { Place } from './grants.ts';
import { heldForever, type HeldAbility } from './held-forever.ts';
import { eachInTurns, filterInTurns } from './in-turns.ts';
import { serviceRules } from './service-rules.ts';
import { factsIn, widestRule } from './template.ts';

/**
 * The roles and privileges that actors have in a project ($2), or will have after $3, grouped by equal sources: those
 * with a rule that uses names. Inactive ones count, because they can become active again.
 */
const HOLDERS = statement(
  'access.holders_of_rules_on_names',
  `with held as materialized (
     select m.actor_id, m.id from memberships m
     where m.organization_id = $1 and m.project_id = $2 and m.actor_id is not null
     union all
     select g.actor_id, m.id from memberships m join group_members g on g.group_id = m.group_id
     where m.organization_id = $1 and m.project_id = $2
   ), given as (
     select h.actor_id, coalesce(c.id::text, r.role) as key, jsonb_path_exists(c.permissions, '$[*].conditions') as is_naming
     from held h join membership_roles r on r.membership_id = h.id left join roles c on c.id = r.custom_role_id
     where not r.is_temporary or r.temporary_access_end_time > $3
     union all
     select h.actor_id, p.id::text, jsonb_path_exists(p.permissions, '$[*].conditions')
     from held h join additional_privileges p on p.membership_id = h.id
     where not p.is_temporary or p.temporary_access_end_time > $3
   )
   select distinct array_agg(distinct key order by key) as keys from given group by actor_id having bool_or(is_naming)`,
);
const RULES = statement(
  'access.rules_of_holders',
  `select id::text as key, permissions from roles where organization_id = $1 and id = any($2::uuid[])
   union all
   select p.id::text, p.permissions from additional_privileges p join memberships m on m.id = p.membership_id
   where m.organization_id = $1 and p.id = any($2::uuid[])`,
);
const TOKENS = statement(
  'access.scopes_of_service_tokens',
  `select distinct scopes, permissions from service_tokens
   where organization_id = $1 and project_id = $2 and coalesce(expires_at > $3, true)`,
);

/** One field of a condition. */
interface Test {
  readonly field: string;
  readonly matches: (fields: Fields) => boolean;
  /** Whether its value depends on the actor. */
  readonly isTemplated: boolean;
}

interface ReadRule extends GivingRule {
  readonly tests: readonly Test[];
  readonly overriding: readonly ReadRule[];
}

/** A rule by which some actor may gain a right. */
export interface GivingRule {
  readonly rule: Rule;
  /** What follows it in its role or privilege and forbids the same, and so overrides it wherever that speaks. */
  readonly overriding: readonly Pick<GivingRule, 'rule'>[];
  /** Of a rule that no longer forbids: what allows something after that. No more is gained than what both speak of. */
  readonly allowing?: readonly Pick<GivingRule, 'rule' | 'overriding'>[];
}

/** The roles and privileges of all actors, each a list of rules. */
type Holders = Iterable<readonly (readonly Rule[])[]>;

/**
 * The gains of a change of names, and who gains. Rules use names of folders, environments, secrets, tags and
 * certificates, and metadata. So a new name is a grant to every actor whose rules match it, now or later: users,
 * machine identities, service tokens, the caller itself. Nobody may grant what they do not hold.
 *
 * For each holder every rule counts alone, also if it is not active yet, is overridden by another role, or applies to
 * only one value of a template: an allowing rule that starts to match, and a forbidding rule that stops to match what
 * another rule may allow. This overestimates the gains, never the opposite, and affects only callers who lack the right
 * to the resource as it is.
 */
export class Gains {
  /** By permission, then by holder: rules with conditions on the permission. */
  readonly #holders = new Map<string, (readonly ReadRule[])[]>();
  readonly #held: readonly HeldAbility[];
  #unread: (() => Promise<Holders>) | undefined;
  readonly #known = new Map<readonly Rule[], ReadonlyMap<string, readonly ReadRule[]>>();
  /** The maximum cost of the rules of all holders in one turn of the event loop. */
  readonly cost = new EvaluationCost();

  /** `held`: the rights of the caller from now on, by period with constant rules. */
  constructor(holders: Holders, held: readonly HeldAbility[]) {
    for (const lists of holders) this.#add(lists);
    this.#held = held;
  }

  /** The same, with holders that are read when they matter: see `notHeld`. */
  static reading(holders: () => Promise<Holders>, held: readonly HeldAbility[]): Gains {
    const gains = new Gains([], held);
    gains.#unread = holders;
    return gains;
  }

  /**
   * Those of some things on which the caller does not have all that is asked, now and forever. If there are any, the
   * rules of others are read: whoever holds the rights is not kept from anything by what others have. Ask this before
   * the gains.
   */
  async notHeld<T>(things: Iterable<T>, isHeld: (ability: Ability, thing: T) => boolean): Promise<T[]> {
    const found = await filterInTurns(things, (thing) => !this.holds((ability) => isHeld(ability, thing)));
    if (found.length > 0) await this.#readHolders();
    return found;
  }

  /** However many there are: their owners answer for their number, each with a limit of its own. */
  async #readHolders(): Promise<void> {
    if (!this.#unread) return;
    const lists = [...(await this.#unread())];
    await eachInTurns(new Set(lists.flat()), (rules) => void this.#read(rules), Infinity);
    await eachInTurns(lists, (some) => this.#add(some), Infinity);
    this.#unread = undefined;
  }

  #add(lists: readonly (readonly Rule[])[]): void {
    const read = lists.flatMap((rules) => [...this.#read(rules)]);
    for (const [key, parts] of Map.groupBy(read, ([permission]) => permission)) {
      const own = parts.flatMap(([, part]) => part);
      if (own.every(({ tests }) => tests.length === 0)) continue;
      const known = this.#holders.get(key);
      if (known) known.push(own);
      else this.#holders.set(key, [own]);
    }
  }

  /** Many holders have the same roles. */
  #read(rules: readonly Rule[]): ReadonlyMap<string, readonly ReadRule[]> {
    const known = this.#known.get(rules) ?? readByPermission(rules, this.cost);
    this.#known.set(rules, known);
    return known;
  }

  /** The rules of all holders with conditions on a permission. */
  rulesFor(permission: Permission): readonly Rule[] {
    return this.#of(permission).flatMap((own) => own.flatMap(({ rule, tests }) => (tests.length > 0 ? rule : [])));
  }

  /**
   * The rules by which some holder may gain a permission on the resource by a change; only of holders that may have it on
   * all of `also`. A field that is absent before and after may have any value, and is unchanged.
   */
  giving(permission: Permission, before: Fields, after: Fields, ...also: readonly Fields[]): GivingRule[] {
    return this.#of(permission).flatMap((own) => {
      if (!also.every((fields) => own.some((one) => mayAllow(one, fields)))) return [];
      const allowing = own.filter((one) => mayAllow(one, after));
      if (allowing.length === 0) return [];
      const lifted = own.filter(({ rule, tests }) => rule.inverted && beginsToSpeak(tests, after, before));
      const begun = allowing.filter(({ tests }) => beginsToSpeak(tests, before, after));
      return [...begun, ...lifted.map((one) => ({ ...one, allowing }))];
    });
  }

  /** Whether something is true of the caller's rights, now and forever. */
  holds(isAllowed: (ability: Ability) => boolean): boolean {
    return this.#held.every(({ ability }) => isAllowed(ability));
  }

  /**
   * The 403 for a gain: `error`, or, if the caller holds the right but not forever, an error with the end of the right.
   */
  refusal(
    permission: Permission,
    error: DomainError,
    isAllowed: Fields | ((ability: Ability) => boolean),
  ): DomainError {
    const { subject, action } = permission;
    const may = typeof isAllowed === 'function' ? isAllowed : (ability: Ability) => ability.can(permission, isAllowed);
    const end = this.#held.findIndex(({ ability }) => !may(ability));
    return end > 0 ? beyondBoundary([{ action, subject }], new Date(this.#held[end]!.from)) : error;
  }

  /** Whether a change of the fields of a resource gives some actor a right to it that the caller does not hold. */
  gives(permission: Permission, before: Fields, after: Fields): boolean {
    return (
      !this.holds((ability) => ability.can(permission, before)) && this.giving(permission, before, after).length > 0
    );
  }

  #of(permission: Permission): readonly (readonly ReadRule[])[] {
    if (this.#unread) throw new Error('The gains of a change are asked before `notHeld`');
    return this.#holders.get(keyOf(permission)) ?? [];
  }
}

const keyOf = ({ subject, action }: Pick<Permission, 'subject' | 'action'>): string => `${subject}:${action}`;

/** The parsed rules of one role or privilege, by permission. */
function readByPermission(rules: readonly Rule[], cost: EvaluationCost): Map<string, ReadRule[]> {
  const read = new Map<string, ReadRule[]>();
  for (const rule of rules.toReversed()) {
    const tests = Object.entries(rule.conditions ?? {}).map(([field, condition]) => testOf(field, condition, cost));
    for (const action of new Set(actionsOf(rule))) {
      const key = keyOf({ subject: rule.subject, action });
      const later = read.get(key) ?? [];
      const overriding = rule.inverted ? [] : later.filter((one) => one.rule.inverted);
      read.set(key, [...later, { rule, tests, overriding }]);
    }
  }
  return read;
}

function testOf(field: string, condition: unknown, cost: EvaluationCost): Test {
  const conditions = { [field]: condition };
  const rule = { subject: '', action: '', conditions };
  const matches = matchConditions(widestRule(rule)!.conditions!, cost);
  return { field, matches: remembering(field, matches, cost), isTemplated: factsIn(rule).size > 0 };
}

/** How many results are remembered of one test. */
const REMEMBERED = 4;

/** The same test: what many things have in common, such as their folder before and after, is tested once. */
function remembering(field: string, matches: Test['matches'], cost: EvaluationCost): Test['matches'] {
  const known = new Map<string, boolean>();
  return (fields) => {
    const value = fields[field];
    if (typeof value !== 'string') return matches(fields);
    let result = known.get(value);
    if (result === undefined) {
      if (known.size === REMEMBERED) known.clear();
      known.set(value, (result = matches(fields)));
    } else cost.spend(COST_OF_TEST);
    return result;
  };
}

/** Whether a rule may allow something that no other rule of its role or privilege certainly forbids. */
const mayAllow = ({ rule, tests, overriding }: ReadRule, fields: Fields): boolean =>
  !rule.inverted && maySpeak(tests, fields) && !overriding.some((one) => speaks(one.tests, fields));

/** Whether conditions match something, for any actor. */
const speaks = (tests: readonly Test[], fields: Fields): boolean =>
  tests.every(({ field, matches, isTemplated }) => !isTemplated && field in fields && matches(fields));

/** Whether conditions may hold for something. */
const maySpeak = (tests: readonly Test[], fields: Fields): boolean =>
  tests.every(({ field, matches }) => !(field in fields) || matches(fields));

/** Whether conditions may hold for `to`, and may not for `from`. */
const beginsToSpeak = (tests: readonly Test[], from: Fields, to: Fields): boolean =>
  maySpeak(tests, to) &&
  tests.some(
    ({ field, matches, isTemplated }) => !isDeepStrictEqual(from[field], to[field]) && (isTemplated || !matches(from)),
  );

/**
 * What name changes would give in a project of the caller's organization. Not cached: it includes what was just
 * granted.
 */
export async function gainsIn(ctx: Context, projectId: string): Promise<Gains> {
  const place = { organizationId: organizationOf(ctx), projectId };
  return Gains.reading(() => holdersIn(ctx, place), await heldForever(ctx, place));
}

async function holdersIn(ctx: Context, place: Required<Place>): Promise<Holders> {
  const { projectId } = place;
  const values = [place.organizationId, projectId, ctx.now()];
  const holders = await ctx.sql<{ keys: string[] }>(HOLDERS, values);
  const keys = new Set(holders.flatMap((holder) => holder.keys));
  const lists =
    keys.size > 0
      ? await ctx.sql<{ key: string; permissions: Rule[] }>(RULES, [place.organizationId, [...keys].filter(isId)])
      : [];
  const byKey = new Map(lists.map(({ key, permissions }) => [key, permissions]));
  const tokens = await ctx.sql<Parameters<typeof serviceRules>[0]>(TOKENS, values);
  return [
    ...holders.map((holder) => holder.keys.map((key) => byKey.get(key) ?? builtInRole('project', key)?.rules ?? [])),
    ...tokens.map((token) => [serviceRules(token)]),
  ];
}
