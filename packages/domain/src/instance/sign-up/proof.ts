import { z } from 'zod';
import { Email, unauthenticated, type Context, type Transaction } from '../../kernel/index.ts';
import { defineMailedCode } from '../../users/mailed-code/index.ts';

/** The prefix of the token that completes the account. */
const SIGN_UP_TOKEN = 'cfn_';

/** Codes that verify the mailbox of a signing-up user, by address. */
export const signUpCodes = defineMailedCode({
  table: 'sign_up_codes',
  ownerColumn: 'email',
  prefixes: { code: 'cfm_', token: SIGN_UP_TOKEN },
  path: '/signup',
});

export const AskSignUp = z.object({ email: Email });
export type AskSignUp = z.output<typeof AskSignUp>;

export const VerifySignUp = z.object({
  email: Email,
  code: z.string().trim().max(255).describe('`token` of the link in the message'),
});
export type VerifySignUp = z.output<typeof VerifySignUp>;

export const refusedProof = () =>
  unauthenticated(
    'sign_up.invalid_code',
    'The code is not valid: it is unknown, expired, used or replaced by a newer one; request another one',
  );

/**
 * Exchanges a code, once, for the token that completes the account.
 *
 * @throws DomainError 401
 */
export async function takeCode(tx: Transaction, { email, code }: VerifySignUp): Promise<string> {
  const token = await signUpCodes.exchange(tx, email, code);
  if (token === undefined) throw refusedProof();
  return token;
}

/** Whether a bearer token is a sign-up token; other credentials are ignored here. */
export const isSignUpToken = (text: string): boolean => text.startsWith(SIGN_UP_TOKEN);

/** Requires a valid token of a code, without using it. @throws DomainError 401 */
export async function requireProof(ctx: Context, email: string, token: string): Promise<void> {
  if ((await signUpCodes.ownerOf(ctx, token)) !== email) throw refusedProof();
}

/** Uses the token of a code, once: it shows access to the mailbox. @throws DomainError 401 */
export async function takeProof(tx: Transaction, email: string, token: string): Promise<void> {
  if ((await signUpCodes.use(tx, email, token)) === undefined) throw refusedProof();
}
