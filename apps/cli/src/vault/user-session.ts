import type { CofferClientOptions } from '@coffer/client';
import { again } from '../again.ts';
import { clientFor } from '../client.ts';
import { fetch } from '../fetch.ts';
import type { Io } from '../io.ts';
import type { Credentials } from './credentials.ts';

type Fetch = NonNullable<CofferClientOptions['fetch']>;

/** The name of the cookie with the refresh token of a user's session. */
const COOKIE = 'jid';

/** Takes the refresh token of a user's session from the answers of the server. */
export class RefreshCookie {
  token: string | undefined;

  readonly fetch: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    for (const cookie of response.headers.getSetCookie())
      if (cookie.startsWith(`${COOKIE}=`)) this.token = /^[^=]+=([^;]+)/.exec(cookie)?.[1] ?? this.token;
    return response;
  };
}

/**
 * The next tokens of a session. A lost answer is asked for once more: for ten seconds the server gives the same one again.
 *
 * @throws CofferError 401 if the session has ended.
 */
export async function refreshed(io: Io, domain: string, refreshToken: string): Promise<Credentials> {
  const cookie = new RefreshCookie();
  const headers = { cookie: `${COOKIE}=${refreshToken}` };
  const client = clientFor(io, domain, { fetch: cookie.fetch, headers });
  const ask = () => client.sessions.refresh.mutate({}, { timeoutMs: 4000 });
  const { token } = await again(ask, [200]);
  return { token, refreshToken: cookie.token ?? refreshToken };
}
