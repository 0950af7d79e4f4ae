import { hash } from 'node:crypto';
import { DomainError, type Ability, type Context } from '../kernel/index.ts';
import { changesRights } from './ability-cache.ts';
import type { Place } from './grants.ts';

const fingerprints = new WeakMap<Ability, string>();

/**
 * A SHA-256 of all rules that decide: equal for equal rules. It is of `decidedBy`, because the single list of rules of a
 * service token may omit what `can` allows.
 */
export function fingerprintOf(ability: Ability): string {
  let known = fingerprints.get(ability);
  if (known === undefined) {
    known = hash('sha256', JSON.stringify(ability.decidedBy), 'base64url');
    fingerprints.set(ability, known);
  }
  return known;
}

/** Whether two abilities have the same rules. After a reload, equal rules are in another object. */
export const areSameRights = (one: Ability, other: Ability): boolean =>
  one === other || fingerprintOf(one) === fingerprintOf(other);

/** Rights that a call has used. */
export interface UsedRights {
  readonly place: Place;
  readonly ability: Ability;
}

/**
 * Whether the caller still has exactly these rights. Rights that its own transaction changes are not compared. While nothing
 * has changed, each place costs one look-up in the cache. `requireStillPermitted` repeats the checks instead: it allows
 * other rights that suffice.
 *
 * @throws DomainError 503 if the rights cannot be loaded.
 */
export async function hasSameRights(ctx: Context, used: Iterable<UsedRights>): Promise<boolean> {
  for (const { place, ability } of used) {
    if (changesRights(ctx, place)) continue;
    const present = await presentRights(ctx, place);
    if (!present || !areSameRights(present, ability)) return false;
  }
  return true;
}

/** `undefined` if the caller is no longer a member, or may not call from its address. */
async function presentRights(ctx: Context, place: Place): Promise<Ability | undefined> {
  try {
    return await ctx.ability(ctx, place);
  } catch (error) {
    if (error instanceof DomainError && error.kind !== 'unavailable') return undefined;
    throw error;
  }
}
