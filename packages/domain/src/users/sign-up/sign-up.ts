import { z } from 'zod';
import { instanceConfig } from '../../instance/index.ts';
import {
  defineEvent,
  Email,
  explainConstraint,
  forbidden,
  inTransaction,
  newId,
  record,
  type Context,
} from '../../kernel/index.ts';
import { foundOrganization, OrganizationName } from '../../organizations/organization/index.ts';
import { hashNewPassword } from '../password/index.ts';
import { openSession, type OpenedSession } from '../session/index.ts';
import { FirstName, LastName, NewPassword, toUser, UserEntity, type User } from '../user/index.ts';

explainConstraint('users_email_unique', 'This e-mail address has an account, or an invitation to complete one');
explainConstraint('users_username_unique', 'This e-mail address has an account, or an invitation to complete one');

export const SignUp = z.object({
  email: Email,
  password: NewPassword,
  firstName: FirstName,
  lastName: LastName.optional(),
  organizationName: OrganizationName.optional().describe('Makes an organization that the new user administers'),
});
export type SignUp = z.output<typeof SignUp>;

export const userSignedUp = defineEvent(
  'user.signed_up',
  'create-user',
  z.object({ userId: z.string(), username: z.string() }),
);

/**
 * Makes an account for whoever asks, while the instance allows it.
 *
 * @throws DomainError 403 where sign-up is closed or the address is of another domain than those that may, 400 for an
 * address that is taken.
 */
export async function signUp(
  ctx: Context,
  input: SignUp,
): Promise<{ user: User; session: OpenedSession; organizationId: string | null }> {
  const { email, password, firstName, lastName, organizationName } = input;
  await requireOpen(ctx, email);
  const passwordHash = await hashNewPassword(ctx, { password, email });
  return inTransaction(ctx, async (tx) => {
    const user = tx.em.create(UserEntity, {
      id: newId(),
      username: email,
      email,
      firstName,
      lastName: lastName || null,
      passwordHash,
      isAccepted: true,
    });
    await tx.em.persist(user).flush();
    const organization = organizationName ? await foundOrganization(tx, organizationName, user.id) : undefined;
    const organizationId = organization?.id ?? null;
    const session = await openSession(tx, user, organizationId);
    if (organizationId) record(tx, userSignedUp, { userId: user.id, username: email }, { organizationId });
    return { user: toUser(user), session, organizationId };
  });
}

async function requireOpen(ctx: Context, email: string): Promise<void> {
  const { allowSignUp, allowedSignUpDomain } = await instanceConfig(ctx);
  if (!allowSignUp)
    throw forbidden('sign_up.closed', 'Sign-up is closed on this instance; ask an administrator for an invitation');
  const domains = (allowedSignUpDomain ?? '')
    .split(',')
    .map((domain) => domain.trim().toLowerCase())
    .filter(Boolean);
  if (domains.length > 0 && !domains.includes(email.slice(email.lastIndexOf('@') + 1))) {
    throw forbidden('sign_up.domain', 'Addresses of this domain may not sign up on this instance');
  }
}
