import { forbidden, type Context, type SessionActor, type UserActor } from '../../kernel/index.ts';

/**
 * The calling user, for operations on a user's own data.
 *
 * @throws DomainError 403 for machine identities.
 */
export function personOf({ actor }: Context): UserActor {
  if (actor.type === 'user') return actor;
  throw forbidden(
    'auth.wrong_actor',
    'This operation is only for users; it does not accept the token of a machine identity',
    { name: 'ForbiddenError' },
  );
}

/**
 * The user who calls with an access token of a session, for operations that an API key may not do: sessions,
 * credentials, the account.
 *
 * @throws DomainError 403 for API keys, and for machine identities.
 */
export function sessionOf(ctx: Context): SessionActor {
  const user = personOf(ctx);
  if (isSessionActor(user)) return user;
  throw forbidden('auth.session_required', 'This operation needs a session; it does not accept an API key', {
    name: 'ForbiddenError',
  });
}

const isSessionActor = (user: UserActor): user is SessionActor => user.sessionId !== undefined;
