import { instanceConfig } from '../index.ts';
import { forbidden, statement, type Context } from '../../kernel/index.ts';

export interface Admission {
  /** Addresses of some domains only. */
  readonly isByDomain: boolean;
}

/**
 * The admission of an address without an invitation.
 *
 * @throws DomainError 403 if sign-up is disabled, or the domain of the address is not permitted.
 */
export async function requireAdmission(ctx: Pick<Context, 'sql'>, email: string): Promise<Admission> {
  const { allowSignUp, allowedSignUpDomain } = await instanceConfig(ctx);
  if (!allowSignUp)
    throw forbidden('sign_up.closed', 'Sign-up is closed on this instance; ask an administrator for an invitation');
  const domains = (allowedSignUpDomain ?? '')
    .split(',')
    .map((domain) => domain.trim().toLowerCase())
    .filter(Boolean);
  if (domains.length > 0 && !domains.includes(email.slice(email.lastIndexOf('@') + 1))) {
    throw forbidden(
      'sign_up.domain',
      'Addresses of this domain may not sign up on this instance: use an address of an allowed domain, or ask for an invitation',
    );
  }
  return { isByDomain: domains.length > 0 };
}

const ACCOUNT = statement(
  'users.account_of_email',
  `select id, is_accepted as "isAccepted",
     exists (select 1 from memberships m where m.user_id = users.id and m.project_id is null
     and m.status = 'invited') as "isInvited" from users where email = $1 for no key update`,
);

export interface KnownAccount {
  readonly id: string;
  /** False until the user has completed it. */
  readonly isAccepted: boolean;
  /** Whether some organization waits for it. */
  readonly isInvited: boolean;
}

/** The account and invitations of an address, locked until the transaction ends. */
export async function accountOf(tx: Pick<Context, 'sql'>, email: string): Promise<KnownAccount | undefined> {
  const [account] = await tx.sql<KnownAccount>(ACCOUNT, [email]);
  return account;
}
