import { hash } from 'node:crypto';
import {
  DomainError,
  RightsChanged,
  requireRowsAgain,
  type Ability,
  type Context,
  type Transaction,
} from '../kernel/index.ts';
import { changesRights } from './ability-cache.ts';
import type { Place } from './grants.ts';

const fingerprints = new WeakMap<Ability, string>();

/**
 * A SHA-256 of all rules that decide, and of when they begin and end: equal for equal rights. It is of `decidedBy`, because
 * the single list of rules of a service token may omit what `can` allows.
 */
export function fingerprintOf(ability: Ability): string {
  let known = fingerprints.get(ability);
  if (known === undefined) {
    known = hash('sha256', JSON.stringify([ability.decidedBy, ability.windows]), 'base64url');
    fingerprints.set(ability, known);
  }
  return known;
}

/** Whether two abilities have the same rules, for equally long. After a reload, equal rules are in another object. */
export const areSameRights = (one: Ability, other: Ability): boolean =>
  one === other || fingerprintOf(one) === fingerprintOf(other);

/** Compares rights that were used before a wait with those after it. @throws RightsChanged if they are others after it. */
export function requireSame(before: Ability, after: Ability): void {
  if (!areSameRights(before, after)) throw new RightsChanged();
}

/** Rights that a call has used. */
export interface UsedRights {
  readonly place: Place;
  readonly ability: Ability;
}

/**
 * A transaction as it is before its own changes of rights: where it has changed those of an actor, they are those that
 * are committed. Its time is the present: rights may have ended since it began.
 *
 * @param outside A context of its caller that is not in the transaction.
 */
export function beforeOwnChanges(tx: Transaction, outside: Context): Context {
  return Object.create(tx, {
    now: { value: () => outside.now() },
    passedByRows: { value: [...tx.passedByRows] },
    ability: {
      value: (asked: Context, place: Place) =>
        changesRights(asked, place) ? outside.ability(as(asked, outside), place) : tx.ability(asked, place),
    },
  }) as Context;
}

/** A context with the actor of another one. */
const as = ({ actor, request }: Context, ctx: Context): Context =>
  actor === ctx.actor ? ctx : (Object.create(ctx, { actor: { value: actor }, request: { value: request } }) as Context);

/**
 * Whether an actor still has exactly these rights, until the same ends, and passes what it has passed by rows. While
 * nothing has changed, each place costs one look-up in the cache. `requireStillPermitted` repeats the checks instead: it
 * allows other rights that suffice.
 *
 * @param committed See `CheckOfRows`.
 * @throws DomainError 503 if the rights cannot be loaded; RightsChanged if those of others have changed.
 */
export async function hasSameRights(ctx: Context, used: Iterable<UsedRights>, committed = ctx): Promise<boolean> {
  for (const { place, ability } of used) {
    const present = await unlessRefused(async () => ctx.ability(ctx, place));
    if (!present || !areSameRights(present, ability)) return false;
  }
  return (await unlessRefused(() => requireRowsAgain(ctx, committed).then(() => true))) === true;
}

/** `undefined` for a refusal: the caller is no longer a member, or may not call from its address. */
async function unlessRefused<T>(asked: () => Promise<T>): Promise<T | undefined> {
  try {
    return await asked();
  } catch (error) {
    if (error instanceof DomainError && error.kind !== 'unavailable') return undefined;
    throw error;
  }
}
