import { forbidden, type KeptRefreshToken, type OpenedSession } from '@coffer/domain';
import type { Http } from '../kernel/index.ts';

/** The published name of the cookie with a user's refresh token. */
const COOKIE = 'jid';
/** The REST operations and those of tRPC; no page is requested with it. */
const PATH = '/api';
/** Of the cookies that earlier releases have set. */
const FORMER_PATH = '/';

/** Puts a refresh token where scripts cannot read it. */
export const keepRefreshToken = ({ http }: { http: Http }, kept: KeptRefreshToken): void =>
  http.setCookie(COOKIE, kept.refreshToken, kept.refreshSeconds, PATH);

/** Sets the refresh token of a new session as a cookie, and returns its access token. */
export function keepSession(ctx: { http: Http }, session: OpenedSession): string {
  keepRefreshToken(ctx, session);
  return session.accessToken;
}

/** Removes what a browser keeps of a session that has ended. */
export function dropSession({ http }: { http: Http }): void {
  for (const path of [PATH, FORMER_PATH]) http.setCookie(COOKIE, undefined, 0, path);
  http.clearSiteData();
}

/**
 * The refresh token, only for pages of this server. The cookie is `SameSite=Strict`; requests with another `Origin`, and
 * those that the browser marks as cross-site (`Sec-Fetch-Site`), are rejected in addition. Programs send neither.
 *
 * @throws DomainError 403 for a foreign origin or site.
 */
export function presentedSession({
  http,
  settings,
}: {
  http: Http;
  settings: { siteUrl: string };
}): string | undefined {
  const origin = http.header('origin');
  const isForeign = origin !== undefined && !isOwn(origin, settings.siteUrl, http.header('host'));
  if (isForeign || http.header('sec-fetch-site') === 'cross-site') {
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
