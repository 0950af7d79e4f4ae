import { badRequest } from '../../kernel/index.ts';

interface Known {
  readonly current?: { readonly password: string } | undefined;
  readonly temporary?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The present password of an account that sets its own: that of the active credential, or the one that creation was given.
 * It is never empty: some systems take a login without a password for an anonymous one, and accept it.
 *
 * @throws DomainError 400 `secret_rotation.parameters`
 */
export function presentPassword({ current, temporary }: Known): string {
  const password = current?.password ?? temporary?.['password'];
  if (typeof password !== 'string' || password === '')
    throw badRequest('secret_rotation.parameters', 'temporaryParameters needs the present password of the account');
  return password;
}
