import { forbidden, unauthenticated, type KeptRefreshToken, type OpenedSession } from '@coffer/domain';
import type { Http } from '../kernel/index.ts';
import { isOfForeignPage, type PageCall } from './own-page.ts';

/** The published name of the cookie with a user's refresh token. */
const COOKIE = 'jid';
/** The REST operations and those of tRPC; no page is requested with it. */
const PATH = '/api';
/** Of the cookies that earlier releases have set. */
const FORMER_PATH = '/';

/**
 * Puts a refresh token where scripts cannot read it. Not for pages of other sites: they cannot use it, and would replace
 * the session of whoever opened them by one of their own.
 */
export function keepRefreshToken(ctx: PageCall, kept: KeptRefreshToken): void {
  if (isOfForeignPage(ctx)) return;
  // One that an earlier release has set, if that was presented, would stand beside it. Programs are not to find two.
  const isBrowser = ctx.http.header('sec-fetch-site') !== undefined;
  if (isBrowser && ctx.http.cookies(COOKIE).length > 0) ctx.http.setCookie(COOKIE, undefined, 0, FORMER_PATH);
  ctx.http.setCookie(COOKIE, kept.refreshToken, kept.refreshSeconds, PATH);
}

/** Sets the refresh token of a new session as a cookie, and returns its access token. */
export function keepSession(ctx: PageCall, session: OpenedSession): string {
  keepRefreshToken(ctx, session);
  return session.accessToken;
}

/** Removes what a browser keeps of a session that has ended. */
export function dropSession({ http }: { http: Http }): void {
  dropCookies(http);
  http.clearSiteData();
}

function dropCookies(http: Http): void {
  for (const path of [PATH, FORMER_PATH]) http.setCookie(COOKIE, undefined, 0, path);
}

/** Cookies that are looked at to end their sessions. */
const MAX_ENDED = 10;

/** The refresh tokens whose sessions a request may end, for pages of this server: each, because the browser loses them all. */
export const sessionsToEnd = (ctx: PageCall): string[] =>
  isOfForeignPage(ctx) ? [] : ctx.http.cookies(COOKIE).slice(0, MAX_ENDED);

/**
 * The refresh token, only for pages of this server. The cookie is `SameSite=Strict`; requests of pages of other sites are
 * rejected in addition.
 *
 * @throws DomainError 403 for a foreign origin or site, 401 with several cookies: which one is that of the server is unknown.
 */
export function presentedSession(ctx: PageCall): string | undefined {
  if (isOfForeignPage(ctx)) {
    throw forbidden('auth.foreign_origin', 'Requests from pages of another site may not use this session', {
      name: 'ForbiddenError',
    });
  }
  const [token, ...others] = ctx.http.cookies(COOKIE);
  if (others.length === 0) return token;
  dropCookies(ctx.http);
  throw unauthenticated(
    'auth.several_sessions',
    `There are several cookies \`${COOKIE}\`, one of which another page has set: log in again; if that does not help, remove the cookies of this site`,
  );
}
