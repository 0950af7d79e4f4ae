import { forbidden, type Context, type UserActor } from '../../kernel/index.ts';

/**
 * The person who calls, for operations on what is a person's own.
 *
 * @throws DomainError 403 for machine identities.
 */
export function personOf({ actor }: Context): UserActor {
  if (actor.type === 'user') return actor;
  throw forbidden(
    'auth.wrong_actor',
    'This operation is for people; it does not take the token of a machine identity',
    { name: 'ForbiddenError' },
  );
}
