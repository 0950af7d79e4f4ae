import { hash } from 'node:crypto';
import { DomainError, type Ability, type Context, type Transaction } from '../kernel/index.ts';
import { changesRights } from './ability-cache.ts';
import type { Place } from './grants.ts';

const fingerprints = new WeakMap<Ability, string>();

/**
 * A fingerprint of all that an ability allows: equal for equal rules. The rules of a service token as one list may leave
 * out what `can` allows.
 */
export function fingerprintOf(ability: Ability): string {
  let known = fingerprints.get(ability);
  if (known === undefined) {
    known = hash('sha256', JSON.stringify(ability.decidedBy), 'base64url');
    fingerprints.set(ability, known);
  }
  return known;
}

/** Whether two abilities allow the same: one that was loaded again is another object. */
export const areSameRights = (one: Ability, other: Ability): boolean =>
  one === other || fingerprintOf(one) === fingerprintOf(other);

/** The rights by which something was decided. */
export interface UsedRights {
  readonly place: Place;
  readonly ability: Ability;
}

/**
 * A transaction as it is before its own changes of its caller's rights: where it has made some, the rights are those that
 * are committed.
 *
 * @param outside A context of its caller that is not in the transaction.
 */
export const beforeOwnChanges = (tx: Transaction, outside: Context): Context =>
  Object.create(tx, {
    ability: {
      value: (_ctx: Context, place: Place) =>
        changesRights(tx, place) ? outside.ability(outside, place) : tx.ability(tx, place),
    },
  }) as Context;

/** Whether the caller still has exactly these rights. A look into the cache for each place, unless they have changed. */
export async function hasSameRights(ctx: Context, used: Iterable<UsedRights>): Promise<boolean> {
  for (const { place, ability } of used) {
    const present = await presentRights(ctx, place);
    if (!present || !areSameRights(present, ability)) return false;
  }
  return true;
}

/** `undefined` where the caller is no member any more, or may not call from its address. */
async function presentRights(ctx: Context, place: Place): Promise<Ability | undefined> {
  try {
    return await ctx.ability(ctx, place);
  } catch (error) {
    if (error instanceof DomainError && error.kind !== 'unavailable') return undefined;
    throw error;
  }
}
