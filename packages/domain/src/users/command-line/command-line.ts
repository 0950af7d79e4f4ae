import { z } from 'zod';
import { defineEvent, Instant } from '../../kernel/schema.ts';

/** RFC 7636, 4.1 and 4.2. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

export const AuthorizeCommandLine = z.object({
  codeChallenge: z
    .string()
    .regex(CHALLENGE, 'Expected the SHA-256 of the verifier, as base64url without padding')
    .describe('SHA-256 of the verifier that the command line has made, as base64url without padding (RFC 7636, S256)')
    .meta({ examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'] }),
});
export type AuthorizeCommandLine = z.output<typeof AuthorizeCommandLine>;

export const CommandLineCode = z.object({
  code: z.string().describe('Exchanged once for a session, with the verifier'),
  expiresAt: Instant,
});
export type CommandLineCode = z.output<typeof CommandLineCode>;

export const ExchangeCommandLineCode = z.object({
  code: z.string().trim().max(255),
  codeVerifier: z
    .string()
    .regex(VERIFIER, 'Expected 43 to 128 characters A–Z a–z 0–9 - . _ ~')
    .describe('43 to 128 characters, of which the challenge was made')
    .meta({ examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'] }),
});
export type ExchangeCommandLineCode = z.output<typeof ExchangeCommandLineCode>;

/** A session of the command line, in the organization that the user agreed to. */
export const CommandLineSession = z.object({
  token: z.string().describe('Access token of the user, for the organization'),
  refreshToken: z.string().describe('Sent as the cookie `jid` to `POST /api/v1/auth/token`'),
  email: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
  sessionId: z.string().describe('By which the user ends it'),
  expiresAt: Instant.describe('When the session ends at the latest'),
});
export type CommandLineSession = z.output<typeof CommandLineSession>;

export const commandLineAuthorized = defineEvent(
  'user.command_line_authorized',
  'authorize-command-line',
  z.object({ userId: z.string(), sessionId: z.string().describe('The session in which the user agreed') }),
);
