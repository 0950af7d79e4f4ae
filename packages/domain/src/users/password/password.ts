import {
  Attempt,
  notingThrottled,
  presentFailures,
  resetAttempts,
  resetClient,
  sprayingOf,
  type AttemptClient,
} from '../../access/index.ts';
import { INSTANCE_LOG, noteUnknownLogin } from '../../audit/index.ts';
import { hashOf, verifyPassword } from '../../crypto/index.ts';
import {
  clientNetwork,
  defineEvent,
  inTransaction,
  REFUSALS,
  refusalOf,
  statement,
  unauthenticated,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { z } from 'zod';
import { UserEntity, type Credentials, type PasswordLock } from '../user/index.ts';

/**
 * A client has ten wrong guesses; each further one doubles the delay. Unknown clients together have a hundred, and one
 * of them a few hundred at all accounts.
 */
const POLICIES = {
  client: { threshold: 10, delaySeconds: 2, maxDelaySeconds: 900, resetSeconds: 7_200 },
  strangers: { threshold: 100, delaySeconds: 2, maxDelaySeconds: 300, resetSeconds: 7_200 },
  spraying: sprayingOf('password'),
} as const;

/** The subject of guesses: the stored form of the address, whether or not it has an account. */
const subjectOf = (email: string) => `user:${email}`;

const passwordRefused = defineEvent(
  'user.password_refused',
  'user-login-failed',
  z.object({ userId: z.string(), ...REFUSALS }),
);

interface UserRow {
  id: string;
  passwordHash: string | null;
  organizations: string[];
}

const FIND = statement(
  'users.password',
  `select id, password_hash as "passwordHash",
     array(select organization_id::text from memberships m where m.user_id = users.id
     and m.project_id is null and m.status = 'accepted') as organizations
   from users where email = $1 and is_accepted`,
);

const userOf = async (ctx: Context, email: string): Promise<UserRow | undefined> =>
  (await ctx.sql<UserRow>(FIND, [email]))[0];

/** Another flow may have changed the password, or deleted the user, during the comparison. */
const STILL = statement(
  'users.still',
  'select id from users where id = $1 and password_hash = $2 and is_accepted for no key update',
);

const wrong = () => unauthenticated('auth.wrong_credentials', 'The e-mail address or the password is wrong');

/** Runs work in one transaction for the user whose password was verified. @throws DomainError 401 if it is another one by then. */
export type ForVerified = <T>(work: (tx: Transaction, user: UserEntity) => Promise<T>) => Promise<T>;

/**
 * Verifies a password. Every flow with a password uses this, so that failures are counted together. What takes long, such as the
 * hash of another password, comes before the work that it returns: a transaction keeps a connection from others.
 *
 * `device` is the token of the calling device, which is known from then on: failures of others do not delay it.
 *
 * @throws DomainError 401 for an unknown user, a wrong password or none: the same response after the same work. 429
 * after too many failures, whether or not the user exists.
 */
export async function verifiedPassword(
  ctx: Context,
  { email, password }: Credentials,
  device?: string,
): Promise<ForVerified> {
  const subject = subjectOf(email);
  const attempt = new Attempt(ctx, subject, clientOf(ctx, device), POLICIES);
  const check = async () => {
    const found = await userOf(ctx, email);
    const isRight = await verifyPassword(ctx, { stored: found?.passwordHash, password }, attempt.caller);
    if (found && isRight) return found;
    await attempt.countFailure();
    await noteRefusal(ctx, email, found);
    throw wrong();
  };
  const note = async () => noteRefusal(ctx, email, await userOf(ctx, email));
  const row = await notingThrottled(() => attempt.inTurn(check), note);
  return (work) => {
    const forOwner = async (tx: Transaction) => {
      await attempt.succeed(tx);
      const still = await tx.sql(STILL, [row.id, row.passwordHash]);
      if (still.length === 0) throw wrong();
      return work(tx, await tx.em.findOneOrFail(UserEntity, { id: row.id }));
    };
    return notingThrottled(() => inTransaction(ctx, forOwner), note);
  };
}

/** The client that all sessions of a user are. */
const SESSIONS = 'sessions';

/**
 * A login is identified by its device, or by the address if that is unknown. Whoever is logged in already is known by it: all
 * sessions of a user are one client, since one of them opens any number of others.
 */
function clientOf({ actor, request }: Context, device: string | undefined): AttemptClient {
  const unknown = clientNetwork(request.ipAddress);
  if (device !== undefined) return { known: `device:${hashOf(device).toString('base64url')}`, unknown };
  const isLoggedIn = actor.type === 'user' && actor.sessionId !== undefined;
  return isLoggedIn ? { known: SESSIONS, unknown, isKnown: true } : { known: unknown, unknown };
}

/**
 * In the log of each organization of the user, in one commit as for an unknown address, so that timing discloses
 * nothing.
 */
async function noteRefusal(ctx: Context, email: string, found: UserRow | undefined): Promise<void> {
  if (!found) return noteUnknownLogin(ctx, 'password', email);
  const { id, organizations } = found;
  const places = organizations.length > 0 ? organizations : [INSTANCE_LOG];
  await Promise.all(
    places.map((organizationId) =>
      ctx.noteRefusal(refusalOf(passwordRefused, { userId: id }, { organizationId, subject: id }), ctx),
    ),
  );
}

/** How many guesses of unknown clients count against a user's password now, and until when all of them have to wait. */
export const passwordLockOf = (ctx: Context, email: string): Promise<PasswordLock> =>
  presentFailures(ctx, subjectOf(email), POLICIES.strangers);

/** Clears the guesses of sessions that have all ended: their owner is not to wait for what a thief of one has guessed. */
export const forgetGuessesOfSessions = (tx: Transaction, email: string): Promise<void> =>
  resetClient(tx, subjectOf(email), SESSIONS);

/** Clears the guesses at a password that is no more, and the devices that knew it. */
export const unlockPassword = (tx: Transaction, email: string): Promise<void> => resetAttempts(tx, subjectOf(email));
