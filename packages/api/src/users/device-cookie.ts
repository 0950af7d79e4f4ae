import { KNOWN_CLIENT_SECONDS } from '@coffer/domain';
import type { Http } from '../kernel/index.ts';
import { isOfForeignPage, type PageCall } from './own-page.ts';

/** Names the device of a person, whom guesses that others make at the password do not delay there. */
const COOKIE = 'cdt';

/** Not for pages of other sites, as the cookie of the session. */
export function keepDevice(ctx: PageCall, token: string): void {
  if (!isOfForeignPage(ctx)) ctx.http.setCookie(COOKIE, token, KNOWN_CLIENT_SECONDS);
}

/** Of several, which one is that of the server is unknown. */
export function presentedDevice({ http }: { http: Http }): string | undefined {
  const [device, ...others] = http.cookies(COOKIE);
  return others.length > 0 ? undefined : device;
}
