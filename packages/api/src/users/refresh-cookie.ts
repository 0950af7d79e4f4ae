import { forbidden, type KeptRefreshToken, type OpenedSession } from '@coffer/domain';
import type { Http } from '../kernel/index.ts';

/** The published name of the cookie with a user's refresh token. */
const COOKIE = 'jid';

/** Puts a refresh token where scripts cannot read it. */
export const keepRefreshToken = ({ http }: { http: Http }, kept: KeptRefreshToken): void =>
  http.setCookie(COOKIE, kept.refreshToken, kept.refreshSeconds);

/** Sets the refresh token of a new session as a cookie, and returns its access token. */
export function keepSession(ctx: { http: Http }, session: OpenedSession): string {
  keepRefreshToken(ctx, session);
  return session.accessToken;
}

export const dropSession = ({ http }: { http: Http }): void => http.setCookie(COOKIE, undefined, 0);

/**
 * The refresh token, only for pages of this server. The cookie is `SameSite=Strict`; requests with another `Origin` are
 * rejected in addition. Programs send no `Origin`.
 *
 * @throws DomainError 403 for a foreign origin.
 */
export function presentedSession({
  http,
  settings,
}: {
  http: Http;
  settings: { siteUrl: string };
}): string | undefined {
  const origin = http.header('origin');
  if (origin !== undefined && !isOwn(origin, settings.siteUrl, http.header('host'))) {
    throw forbidden('auth.foreign_origin', 'Requests from pages of another site may not use this session', {
      name: 'ForbiddenError',
    });
  }
  return http.cookie(COOKIE);
}

function isOwn(origin: string, siteUrl: string, host: string | undefined): boolean {
  const url = URL.parse(origin);
  return url !== null && (url.origin === new URL(siteUrl).origin || url.host === host);
}
