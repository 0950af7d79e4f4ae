import { z } from 'zod';
import { defineEvent, Email, record, type Context } from '../kernel/index.ts';
import { toOrganization, type Organization } from '../organizations/organization/index.ts';
import { openSession, type OpenedSession } from '../users/session/index.ts';
import { FirstName, LastName, NewPassword, toUser, type User } from '../users/user/index.ts';
import { claimInstance, SetupCode } from './claim.ts';

export const AdminSignUp = z.object({
  email: Email,
  password: NewPassword,
  firstName: FirstName,
  lastName: LastName.optional(),
  setupCode: SetupCode,
});
export type AdminSignUp = z.output<typeof AdminSignUp>;

export const adminSignedUp = defineEvent('instance.claimed', 'admin-signup', z.object({ userId: z.string() }));

/** Creates the first administrator from the console, logged in. Once, like `bootstrap`. */
export const signUpAdmin = (
  ctx: Context,
  { firstName, lastName, ...rest }: AdminSignUp,
): Promise<{ user: User; organization: Organization; session: OpenedSession }> =>
  claimInstance(
    ctx,
    { ...rest, firstName, ...(lastName && { lastName }), organizationName: 'Admin Org' },
    async (tx, user, organization) => {
      const session = await openSession(tx, user, organization.id);
      record(tx, adminSignedUp, { userId: user.id }, { organizationId: organization.id });
      return { user: toUser(user), organization: toOrganization(organization), session };
    },
  );
