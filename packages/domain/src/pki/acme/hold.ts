import { conflict, inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { AcmeAccount } from './message.ts';
import { problem } from './problem.ts';
import type { AcmeProfile } from './profile.ts';

const PROFILE = statement(
  'acme.hold_profile',
  `select 1 from certificate_profiles where id = $1 and enrollment_type = 'acme' and updated_at = $2 for share`,
);
const ACCOUNT = statement(
  'acme.hold_account',
  `select 1 from acme_accounts where id = $1 and profile_id = $2 and status = 'valid' and thumbprint = $3
   for no key update`,
);

/**
 * A transaction for a message of whoever may enrol by a profile. The profile is locked, and as it was when the message was read:
 * accounts and the external key end with the enrolment type (`endAcme`), also if the profile has it again.
 *
 * @throws DomainError 409 `certificate_profile.changed`
 */
export const inProfileTransaction = <T>(
  ctx: Context,
  { id, updatedAt }: Pick<AcmeProfile, 'id' | 'updatedAt'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  inTransaction(ctx, async (tx) => {
    if ((await tx.sql(PROFILE, [id, updatedAt])).length === 0)
      throw conflict('certificate_profile.changed', 'The profile was changed in the meantime: try again');
    return work(tx);
  });

/**
 * The same for a message of an account. The account is locked before its orders; it is valid, and has the key by which the message
 * is signed.
 *
 * @throws DomainError as `inProfileTransaction`; AcmeProblem 401 `unauthorized`
 */
export const inAccountTransaction = <T>(
  ctx: Context,
  profile: Pick<AcmeProfile, 'id' | 'updatedAt'>,
  { id, thumbprint }: AcmeAccount,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  inProfileTransaction(ctx, profile, async (tx) => {
    if ((await tx.sql(ACCOUNT, [id, profile.id, thumbprint])).length === 0) throw noLongerItsKey(id);
    return work(tx);
  });

const noLongerItsKey = (accountId: string) =>
  problem('unauthorized', 'The account was deactivated, or its key was changed, concurrently', {
    status: 401,
    refusal: { accountId },
  });
