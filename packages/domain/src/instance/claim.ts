import { z } from 'zod';
import { addMember } from '../access/membership/index.ts';
import { badRequest, inTransaction, statement, type Context, type Transaction } from '../kernel/index.ts';
import { createOrganizationRow, type OrganizationEntity } from '../organizations/organization/index.ts';
import { hashNewPassword } from '../users/password/index.ts';
import { addUser, type UserEntity } from '../users/user/index.ts';
import { instanceConfig } from './config.ts';
import { END_SETUP_CODES, isSetupPermitted, setupCodeRequired } from './setup-code.ts';

export const SetupCode = z
  .string()
  .trim()
  .max(255)
  .optional()
  .describe('Required from other hosts and through proxies: the code from the log of the server');

export interface FirstAdministrator {
  readonly email: string;
  readonly password: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly organizationName: string;
  readonly setupCode?: string | undefined;
}

const CLAIM = statement(
  'instance.claim',
  'update instance set bootstrapped_at = $1, updated_at = $1 where bootstrapped_at is null returning id',
);

const taken = () =>
  badRequest('instance.bootstrapped', 'This instance already has an administrator; log in at POST /api/v3/auth/login');

/**
 * Claims a new instance for its first administrator, who also administers the first organization. Only one caller can;
 * a concurrent one waits and is refused.
 *
 * @throws DomainError 400 `instance.bootstrapped` after the first call, 401 for a remote caller without a set-up code.
 */
export async function claimInstance<T>(
  ctx: Context,
  { email, password, firstName, lastName, organizationName, setupCode }: FirstAdministrator,
  work: (tx: Transaction, user: UserEntity, organization: OrganizationEntity) => Promise<T>,
): Promise<T> {
  // Refuse before hashing a password, which is expensive. The codes are read first: a caller whose code ends with a
  // concurrent claim is told of that claim.
  const isPermitted = await isSetupPermitted(ctx, setupCode);
  if ((await instanceConfig(ctx)).initialized) throw taken();
  if (!isPermitted) throw setupCodeRequired();
  const passwordHash = await hashNewPassword(ctx, { password, email });
  return inTransaction(ctx, async (tx) => {
    const claimed = await tx.sql(CLAIM, [tx.now()]);
    if (claimed.length === 0) throw taken();
    await tx.sql(END_SETUP_CODES, []);
    const organization = await createOrganizationRow(tx, organizationName);
    const user = await addUser(tx, {
      email,
      firstName: firstName || null,
      lastName: lastName || null,
      passwordHash,
      isAccepted: true,
      isEmailVerified: true,
      isSuperAdmin: true,
    });
    await addMember(tx, {
      organizationId: organization.id,
      userId: user.id,
      roles: [{ role: 'admin', isTemporary: false }],
    });
    await tx.em.flush();
    return work(tx, user, organization);
  });
}
