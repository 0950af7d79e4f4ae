import { KNOWN_CLIENT_SECONDS } from '@coffer/domain';
import type { Http } from '../kernel/index.ts';

/** Names the device of a person, whom guesses that others make at the password do not delay there. */
const COOKIE = 'cdt';

export const keepDevice = ({ http }: { http: Http }, token: string): void =>
  http.setCookie(COOKIE, token, KNOWN_CLIENT_SECONDS);

export const presentedDevice = ({ http }: { http: Http }): string | undefined => http.cookie(COOKIE);
