import { clearFailures, recordFailure, requireNotLocked } from '../../access/index.ts';
import { verifyPassword } from '../../crypto/index.ts';
import {
  atOrNull,
  defineEvent,
  eventOf,
  inTransaction,
  statement,
  unauthenticated,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { z } from 'zod';
import { UserEntity, type Credentials, type PasswordLock } from '../user/index.ts';

/** Ten wrong guesses, none more than a quarter of an hour after the one before, lock the password for five minutes. */
const LIMITS = { threshold: 10, durationSeconds: 300, resetSeconds: 900 } as const;

/** What guesses are counted under: the address as it is stored, whether or not anybody has it. */
const subjectOf = (email: string) => `user:${email}`;

const passwordRefused = defineEvent('user.password_refused', 'user-login-failed', z.object({ userId: z.string() }));

interface UserRow {
  id: string;
  password_hash: string | null;
  organizations: string[];
}

const FIND = statement(
  'users.password',
  `select id, password_hash, array(select organization_id::text from memberships m where m.user_id = users.id
     and m.project_id is null and m.status = 'accepted') as organizations
   from users where email = $1 and is_accepted`,
);

/** Another flow may have changed the password, or removed the user, while this one was comparing. */
const STILL = statement(
  'users.still',
  'select id from users where id = $1 and password_hash = $2 and is_accepted for no key update',
);

const wrong = () => unauthenticated('auth.wrong_credentials', 'The e-mail address or the password is wrong');

/**
 * Compares a password, then works in one transaction for the person who has shown it; what was proven still holds
 * there. Every flow that takes a password comes through here, so that guesses are counted together.
 *
 * @throws DomainError 401 where there is no such user, the password is wrong or none was set: the same answer after the
 * same work. 401 also after too many guesses, whether or not there is such a user.
 */
export async function withPassword<T>(
  ctx: Context,
  { email, password }: Credentials,
  work: (tx: Transaction, user: UserEntity) => Promise<T>,
): Promise<T> {
  const subject = subjectOf(email);
  await requireNotLocked(ctx, subject);
  const [row] = await ctx.sql<UserRow>(FIND, [email]);
  const isRight = await verifyPassword(row?.password_hash, password);
  if (!row || !isRight) {
    await recordFailure(ctx, subject, LIMITS);
    if (row) noteRefusal(ctx, row);
    throw wrong();
  }
  return inTransaction(ctx, async (tx) => {
    await clearFailures(tx, subject);
    const still = await tx.sql(STILL, [row.id, row.password_hash]);
    if (still.length === 0) throw wrong();
    return work(tx, await tx.em.findOneOrFail(UserEntity, { id: row.id }));
  });
}

/** The answer does not wait for these events: how long it took would tell that there is such a user. */
function noteRefusal(ctx: Context, { id, organizations }: UserRow): void {
  for (const organizationId of organizations) {
    const event = eventOf(passwordRefused, { userId: id }, { organizationId });
    ctx
      .commitRead(event, ctx)
      .catch((error: unknown) => ctx.log.error({ err: error, userId: id }, 'A failed login could not be recorded'));
  }
}

const LOCK = statement(
  'lockouts.of_user',
  `select case when locked_until > $2 or last_failure_at > $3 then failures else 0 end as failures,
     case when locked_until > $2 then locked_until end as locked_until
   from lockouts where subject = $1`,
);

/** How many guesses count against a user's password now, and until when it is locked. */
export async function passwordLockOf(ctx: Context, email: string): Promise<PasswordLock> {
  const now = ctx.now();
  const since = new Date(now.getTime() - LIMITS.resetSeconds * 1000);
  const [row] = await ctx.sql<{ failures: number; locked_until: string | null }>(LOCK, [subjectOf(email), now, since]);
  return { failures: row?.failures ?? 0, lockedUntil: atOrNull(row?.locked_until ?? null) };
}

const UNLOCK = statement('lockouts.unlock', 'delete from lockouts where subject = $1');

/** Forgets the guesses at a password that is no more. */
export async function unlockPassword(tx: Transaction, email: string): Promise<void> {
  await tx.sql(UNLOCK, [subjectOf(email)]);
}
