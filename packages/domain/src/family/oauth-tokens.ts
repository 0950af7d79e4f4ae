import { z } from 'zod';
import { jsonOf } from './remote-answer.ts';
import { failedRequest, malformed } from './remote-error.ts';
import type { RemoteIo } from './remote-session.ts';

/** What a server has issued for a grant. */
export interface OAuthTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** ISO 8601; absent if the access token does not expire. */
  readonly expiresAt?: string | undefined;
}

/** What is needed of the engine that asks for tokens. */
export interface TokenIo extends RemoteIo {
  /** Redacts a credential from later texts. */
  hide(credential: string): unknown;
}

/** Seconds: the longest lifetime that is believed, a year; a longer one is refreshed then. */
const LONGEST_LIFETIME = 365 * 86_400;

const Issued = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.coerce.number().int().positive().optional(),
});
/** Some servers answer it with status 200. */
const Refused = z.object({ error: z.string(), error_description: z.string().optional() });

/**
 * One request to a token endpoint (RFC 6749). The tokens are redacted from later texts.
 *
 * @param more Further headers.
 * @throws DomainError `remote.rejected` with the error of the endpoint, `remote.ambiguous` if it failed, `remote.malformed`.
 */
export async function requestTokens(
  io: TokenIo,
  url: string,
  fields: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
): Promise<OAuthTokens> {
  const answer = await io.fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...more },
    body: new URLSearchParams(fields).toString(),
    maxRedirects: 0,
  });
  const said = jsonOf(answer);
  const refused = Refused.safeParse(said).data;
  if (refused || answer.status !== 200)
    throw failedRequest(url, answer.status, refused?.error_description ?? refused?.error ?? '');
  const { data: issued } = Issued.safeParse(said);
  if (!issued) throw malformed(url, 'no access token');
  io.hide(issued.access_token);
  if (issued.refresh_token !== undefined) io.hide(issued.refresh_token);
  const lifetime = issued.expires_in && Math.min(issued.expires_in, LONGEST_LIFETIME);
  return {
    accessToken: issued.access_token,
    ...(issued.refresh_token !== undefined && { refreshToken: issued.refresh_token }),
    ...(lifetime !== undefined && { expiresAt: new Date(io.now.getTime() + lifetime * 1000).toISOString() }),
  };
}
