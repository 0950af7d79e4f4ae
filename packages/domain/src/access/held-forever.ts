import type { Ability, Context } from '../kernel/index.ts';
import { compile } from './ability.ts';
import { factsFor, grantsOf, type Grant, type Place } from './grants.ts';
import { limited } from './limited.ts';
import { FOREVER, heldUntil, piecesUntil, type Piece } from './period.ts';
import { serviceRules } from './service-rules.ts';

/** What the caller may do from an instant on, in milliseconds. */
export interface HeldAbility {
  readonly from: number;
  readonly ability: Ability;
}

/**
 * The caller's rights in each period from now on; none for Coffer itself, which needs none. A service token has those of its
 * creator within its scopes.
 *
 * @throws DomainError 404 if the caller is not a member of the place, 403 if the project does not trust its address.
 */
export async function heldForever(ctx: Context, place: Place): Promise<HeldAbility[]> {
  const { actor } = ctx;
  if (actor.type === 'platform') return [];
  const read = ({ from, rules, sources }: Piece<Grant>) => ({ from, ability: compile(rules, sources) });
  if (actor.type !== 'service') return (await heldUntil(ctx, place, FOREVER)).map(read);
  const grants = await grantsOf(ctx, place, actor.createdBy);
  const { facts } = await factsFor(ctx, place, grants, { type: 'user', id: actor.createdBy });
  const own = compile(serviceRules(actor));
  const pieces = piecesUntil(grants, ctx.now().getTime(), FOREVER, facts).map(read);
  return pieces.map(({ from, ability }) => ({ from, ability: limited(own, ability) }));
}
