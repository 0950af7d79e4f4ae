// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput } from '../call.ts';

export type AuthorizeCommandLine = {
  /** SHA-256 of the verifier that the command line has made, as base64url without padding (RFC 7636, S256) */
  codeChallenge: string;
};

export type CommandLineCode = { /** Exchanged once for a session, with the verifier */ code: string; expiresAt: string };

export type CommandLineSession = {
  /** Access token of the user, for the organization */ token: string;
  /** Sent as the cookie `jid` to `POST /api/v1/auth/token` */ refreshToken: string;
  email: string;
  organizationId: string;
  organizationName: string;
  /** By which the user ends it */ sessionId: string;
  /** When the session ends at the latest */ expiresAt: string;
};

export type ExchangeCommandLineCode = { code: string; /** 43 to 128 characters, of which the challenge was made */ codeVerifier: string };

export interface CommandLineApi {
  /**
   * Create a code for the login of a command line.
   * The code is valid once, for two minutes, with the verifier of the challenge. Also needs the refresh token of the session, in the cookie `jid`: an access token alone opens no further session.
   * `POST /api/v1/auth/command-line/authorize`.
   */
  authorize: Mutation<AuthorizeCommandLine, CommandLineCode>;
  /**
   * Exchange the code of a browser login for a session.
   * The session ends with the lifetime of the session in which the user agreed, at the latest.
   * `POST /api/v1/auth/command-line/token`. Needs no token.
   */
  exchange: Mutation<ExchangeCommandLineCode, CommandLineSession>;
  /**
   * Open a session for a command line that expects tokens.
   * Also needs the refresh token of the session, in the cookie `jid`: an access token alone opens no further session.
   * `POST /api/v1/auth/command-line/session`.
   */
  open: Mutation<NoInput, CommandLineSession>;
}
