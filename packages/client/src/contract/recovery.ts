// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { User } from './shared.ts';

export type ResetPassword = {
  /** At least 12 characters, where the operator sets no other minimum, and no common password */ newPassword: string;
  /** From the verified code, unless it is sent as Authorization: Bearer */ token?: string;
};

export type VerifyPasswordReset = { email: string; /** `token` of the link */ code: string };

export interface RecoveryApi {
  /**
   * Request a password reset by e-mail.
   * The response is the same whether or not the address has an account. The link is valid once, for one hour. At most three links are sent within one hour.
   * `POST /api/v1/password/email/password-reset`. Needs no token.
   */
  ask: Mutation<{ email: string }, { message: string }>;
  /** Exchange the code of a password reset link for a token. `POST /api/v1/password/email/password-reset-verify`. Needs no token. */
  verify: Mutation<
    VerifyPasswordReset,
    {
      user: User;
      /** The token sets the new password. It is valid once, for 15 minutes. */ token: string;
      /** Always 2: the server hashes the password */ userEncryptionVersion: number;
    }
  >;
  /**
   * Reset the password; ends all sessions and revokes all API keys.
   * Accepts the token of the verified code as `Authorization: Bearer` or in the body.
   * `POST /api/v2/password/password-reset`. Needs no token.
   */
  reset: Mutation<ResetPassword, Record<string, never>>;
}
