// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { User } from './shared.ts';

export type ResetPassword = {
  /** At least 12 characters, where the operator sets no other minimum, and no common password */
  newPassword: string;
  /** From the verified code, where it is not sent as Authorization: Bearer */
  token?: string;
};

export type VerifyPasswordReset = {
  email: string;
  /** `token` of the link */
  code: string;
};

export interface RecoveryApi {
  /**
   * Ask for a link to a new password by e-mail.
   *
   * Says the same whether or not anybody has the address. The link is good once and for an hour; no more than three are sent within one.
   *
   * `POST /api/v1/password/email/password-reset`
   * Needs no token.
   */
  ask: Mutation<{ email: string }, { message: string }>;
  /**
   * Exchange the code of the link for a token that sets the password.
   *
   * `POST /api/v1/password/email/password-reset-verify`
   * Needs no token.
   */
  verify: Mutation<
    VerifyPasswordReset,
    {
      user: User;
      /** Sets the password, once and within a quarter of an hour */
      token: string;
      /** Always 2: the server hashes passwords */
      userEncryptionVersion: number;
    }
  >;
  /**
   * Set a new password, end all sessions and API keys.
   *
   * Takes the token of the verified code as `Authorization: Bearer` or in the body.
   *
   * `POST /api/v2/password/password-reset`
   * Needs no token.
   */
  reset: Mutation<ResetPassword, Record<string, never>>;
}
