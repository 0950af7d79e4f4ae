import { z } from 'zod';
import { hashOf, isToken, makeToken } from '../../crypto/index.ts';
import { Email, statement, unauthenticated, type Context, type Transaction } from '../../kernel/index.ts';

/** The prefix of the code that is sent to a mailbox. */
const SIGN_UP_CODE = 'cfm_';
/** The prefix of the token that the code is exchanged for, and that completes the account. */
const SIGN_UP_TOKEN = 'cfn_';

/** How long a code is good; milliseconds. */
export const CODE_LIFETIME = 3600 * 1000;
/** How long somebody who has shown the code has to complete the account. */
const TOKEN_LIFETIME = 15 * 60 * 1000;

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
    'The code is not valid: it is unknown, over or used, or a newer one took its place; ask for another one',
  );

const END = statement(
  'sign_up_codes.end',
  'update sign_up_codes set ended_at = $2 where email = $1 and id is distinct from $3::uuid and ended_at is null',
);
const STORE = statement(
  'sign_up_codes.store',
  `insert into sign_up_codes (id, email, hash, asked_at, expires_at) values ($1, $2, $3, $4, $5)
   on conflict (id) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
);

/** A code that proves a mailbox, in place of all earlier ones; the same id again, in place of its own. */
export async function makeSignUpCode(
  tx: Transaction,
  { id, email, askedAt }: { id: string; email: string; askedAt: Date },
): Promise<string> {
  const { token: code, hash } = makeToken(SIGN_UP_CODE);
  await tx.sql(END, [email, tx.now(), id]);
  await tx.sql(STORE, [id, email, hash, askedAt, new Date(tx.now().getTime() + CODE_LIFETIME)]);
  return code;
}

const VERIFY = statement(
  'sign_up_codes.verify',
  `update sign_up_codes set hash = $5, verified_at = $3, expires_at = $4
   where hash = $1 and email = $2 and expires_at > $3 and verified_at is null and ended_at is null returning id`,
);

/** Takes a code, once, and answers the token that completes the account. @throws DomainError 401 */
export async function takeCode(tx: Transaction, { email, code }: VerifySignUp): Promise<string> {
  if (!isToken(SIGN_UP_CODE, code)) throw refusedProof();
  const now = tx.now();
  const { token, hash } = makeToken(SIGN_UP_TOKEN);
  const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME);
  const taken = await tx.sql(VERIFY, [hashOf(code), email, now, expiresAt, hash]);
  if (taken.length === 0) throw refusedProof();
  return token;
}

const USE = statement(
  'sign_up_codes.use',
  `update sign_up_codes set ended_at = $3
   where hash = $1 and email = $2 and expires_at > $3 and verified_at is not null and ended_at is null returning id`,
);

/** Whether a bearer token is meant as a proof: callers may come with one of another kind, which counts for nothing here. */
export const isSignUpToken = (text: string): boolean => text.startsWith(SIGN_UP_TOKEN);

/** Takes the token of a code, once: whoever has it reads the mail of this address. @throws DomainError 401 */
export async function takeProof(tx: Transaction, email: string, token: string): Promise<void> {
  if (!isToken(SIGN_UP_TOKEN, token)) throw refusedProof();
  const used = await tx.sql(USE, [hashOf(token), email, tx.now()]);
  if (used.length === 0) throw refusedProof();
}

/** The address at which an account is completed. */
export function signUpLink(
  { settings }: Pick<Context, 'settings'>,
  { code, email }: { code: string; email: string },
): string {
  const query = new URLSearchParams({ token: code, to: email });
  return `${settings.siteUrl}/signup?${query.toString()}`;
}
