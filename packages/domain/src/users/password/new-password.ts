import { hashPassword } from '../../crypto/index.ts';
import { callerKeyOf, DomainError, type Context, type Outside } from '../../kernel/index.ts';
import { isCommonPassword } from './common-password.ts';

const refuse = (code: string, message: string) => new DomainError('invalid', `password.${code}`, message);

/**
 * Hashes a new password. Every operation that sets a password uses this; those that verify one do not, so a password
 * that was set before a rule became stricter stays valid. A stranger is who has shown no token, code or password before.
 *
 * @throws DomainError 422 for a password that is too short or too common.
 */
export async function hashNewPassword(
  ctx: Outside<Pick<Context, 'settings' | 'passwordTurns' | 'actor' | 'request'>>,
  { password, email }: { password: string; email: string },
  { isStranger }: { readonly isStranger: boolean } = { isStranger: false },
): Promise<string> {
  await requireGoodPassword(ctx, { password, email });
  return hashPassword(ctx, password, { key: callerKeyOf(ctx.actor, ctx.request), isStranger });
}

/**
 * The same without the hash, for flows that check something else first.
 *
 * @throws as `hashNewPassword`.
 */
export async function requireGoodPassword(
  { settings: { minPasswordLength } }: Pick<Context, 'settings'>,
  { password, email }: { password: string; email: string },
): Promise<void> {
  const length = Array.from(password).length;
  if (length < minPasswordLength)
    throw refuse('too_short', `The password has ${length} characters; the minimum is ${minPasswordLength}`);
  if (await isCommonPassword(password, wordsAbout(email)))
    throw refuse('common', 'The password is too common; choose another one, for example four words');
}

/** What everybody knows: the address and its parts, and the name of this product. */
const wordsAbout = (email: string): string[] => {
  const [name = '', domain = ''] = email.toLowerCase().split('@');
  return [email.toLowerCase(), name, domain, domain.split('.')[0]!, 'coffer'];
};
