// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { User } from './shared.ts';

export type CompleteInvitation = {
  email: string;
  /** At least 12 characters, where the operator sets no other minimum, and no common password */ password: string;
  firstName: string;
  lastName?: string;
  /** From the verified invitation, unless it is sent as Authorization: Bearer */ token?: string;
};

export type SignUp = {
  email: string;
  /** At least 12 characters, where the operator sets no other minimum, and no common password */ password: string;
  firstName: string;
  lastName?: string;
  /** Creates an organization that the new user administers */ organizationName?: string;
  /** From the verified code, unless it is sent as Authorization: Bearer */ token?: string;
};

export type VerifySignUp = { email: string; /** `token` of the link in the message */ code: string };

export interface SignUpApi {
  /**
   * Request a verification code by e-mail.
   * The response is the same for every address. A code is sent only to addresses that may sign up or were invited and that have no account. A code is valid once, for one hour. At most three codes are sent within one hour.
   * `POST /api/v3/signup/email/signup`. Needs no token.
   */
  ask: Mutation<{ email: string }, { message: string }>;
  /** Exchange a verification code for a token that completes the account. `POST /api/v3/signup/email/verify`. Needs no token. */
  verify: Mutation<
    VerifySignUp,
    { message: string; user: User; /** The token completes the account. It is valid once, for 15 minutes. */ token: string }
  >;
  /**
   * Make an account, where the instance allows it.
   * Accepts the token of the verified code as `Authorization: Bearer` or in the body. It is needed where addresses of some domains may sign up, and where the server sends e-mail. Without it, calls are limited strictly for each address.
   * `POST /api/v3/signup/complete-account/signup`. Needs no token.
   */
  signUp: Mutation<
    SignUp,
    {
      message: string;
      user: User;
      /** Access token of the user, for the organization if there is one */ token: string;
      organizationId: string | null;
    }
  >;
  /**
   * Complete the account of an invited user.
   * Accepts the token of the verified invitation as `Authorization: Bearer` or in the body.
   * `POST /api/v3/signup/complete-account/invite`. Needs no token.
   */
  completeInvitation: Mutation<
    CompleteInvitation,
    {
      message: string;
      user: User;
      /** Access token of the user, for the organization if there is one */ token: string;
      organizationId: string | null;
    }
  >;
}
