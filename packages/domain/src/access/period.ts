import type { Context, Permission, Rule } from '../kernel/index.ts';
import { compile } from './ability.ts';
import { factsFor, grantsOf, noMember, type Grant, type Place } from './grants.ts';
import { denied } from './refusal.ts';
import { MAX_RULES } from './rule-limit.ts';
import { rulesAt, rulesThroughout, type Windowed } from './rules-at.ts';
import type { Facts } from './template.ts';

/** The end of what does not end. */
export const FOREVER = Infinity;

/** The end of a grant; milliseconds. `now` for a grant without duration. */
export type Until = number | 'now';

/** The rules of an actor from an instant on, up to the next period. */
export interface Piece<Source = unknown> {
  readonly from: number;
  readonly rules: readonly Rule[];
  /** The grant of each rule. */
  readonly sources: readonly Source[];
}

/** How many grants are read in the time of one rule. */
const GRANTS_OF_A_RULE = 10;

/**
 * A period split at each start and end of a grant: within each part the rules are constant. There is always a part for
 * `now`, and one for every change before `until`, up to `most` rules in all parts together. What is beyond is one part,
 * with the rules that allow throughout it and those that forbid at any time in it: it allows nothing that is not allowed
 * at each instant of it. So the number of windows of an actor does not make its grants costly.
 */
export function piecesUntil<Source extends Windowed>(
  grants: readonly Source[],
  now: number,
  until: number,
  facts?: Facts,
  most = MAX_RULES,
): Piece<Source>[] {
  const pieces: Piece<Source>[] = [];
  let left = most;
  let from = now;
  do {
    const { rules, sources, until: next } = rulesAt(grants, from, facts);
    pieces.push({ from, rules, sources });
    left -= 1 + rules.length + grants.length / GRANTS_OF_A_RULE;
    from = next;
  } while (from < until && left > 0);
  if (from < until) pieces.push({ from, ...rulesThroughout(grants, from, until, facts) });
  return pieces;
}

/**
 * The caller's own rules at a place from now until an instant. Read from the database, because the cache has only the
 * present. A service token cannot grant anything, so it holds nothing here.
 *
 * @throws DomainError 404 if the caller is not a member of the place, 403 if the project does not trust its address.
 */
export async function heldUntil(ctx: Context, place: Place, until: number): Promise<Piece<Grant>[]> {
  const { actor } = ctx;
  // Rights in a project count from the addresses that it trusts. And the call has used them, with their ends.
  await ctx.ability(ctx, place);
  const grants = actor.type === 'user' || actor.type === 'identity' ? await grantsOf(ctx, place, actor.id) : [];
  if (grants.length === 0) throw noMember(place);
  return piecesUntil(grants, ctx.now().getTime(), until, (await factsFor(ctx, place, grants)).facts);
}

/** As `mayUntil`. @throws DomainError 403 if the caller does not have the permission now. */
export async function requireUntil(ctx: Context, place: Place, permission: Permission): Promise<number> {
  const until = await mayUntil(ctx, place, permission);
  if (until === -Infinity) throw denied(await ctx.ability(ctx, place), permission, { projectId: place.projectId });
  return until;
}

/**
 * Until when the caller has a permission at a place without interruption, in milliseconds; `-Infinity` if it does not
 * have it now. Callers compare this with an instant that they read from the clock slightly earlier, so it is not `now`.
 */
export async function mayUntil(ctx: Context, place: Place, permission: Permission): Promise<number> {
  if (ctx.actor.type === 'platform') return FOREVER;
  const pieces = await heldUntil(ctx, place, FOREVER);
  const end = pieces.findIndex(({ rules }) => !compile(rules).can(permission));
  if (end === 0) return -Infinity;
  return pieces[end]?.from ?? FOREVER;
}
