import { CofferError, isRecord, notCoffer } from './error.ts';
import { send, type Fetch } from './request.ts';
import { withinTime } from './time.ts';

/** The login credentials of a machine identity (universal auth). */
export interface MachineCredentials {
  clientId: string;
  clientSecret: string;
}

/** Provides a token for each request, and is informed of rejected ones. */
export interface Session {
  token(): Promise<string>;
  /** The server rejected this token. Returns whether another one may be available. */
  refused(token: string): boolean;
}

export interface LoginOptions {
  readonly fetch: Fetch;
  /** Coffer's address without a path of the API. */
  readonly base: string;
  /** The caller's own, which each request has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

interface Held {
  readonly token: string;
  /** When to get another one, and when this one expires; milliseconds since 1970. */
  readonly renewAt: number;
  readonly endsAt: number;
}

/** A token is renewed when a tenth of its life is left, and at least this long before its end. */
const MARGIN_MS = 10_000;

/**
 * Logs in when a token is first needed, renews it before it expires, and logs in again if it cannot be renewed.
 * Concurrent calls wait for the same login.
 */
export function logIn(
  { clientId, clientSecret }: MachineCredentials,
  { fetch, base, headers: own, timeoutMs }: LoginOptions,
): Session {
  let held: Held | undefined;
  let coming: Promise<Held> | undefined;

  const ask = async (path: string, body: object): Promise<Held> => {
    const at = Date.now();
    const headers = { ...own, 'content-type': 'application/json' };
    const { status, json } = await withinTime({ timeoutMs }, ({ signal }) =>
      send(fetch, base + path, { method: 'POST', headers, body: JSON.stringify(body), signal }),
    );
    if (!isRecord(json) || typeof json['accessToken'] !== 'string') throw notCoffer(status, undefined);
    return hold(json['accessToken'], Number(json['expiresIn'] ?? 0), at);
  };
  const login = () => ask('/api/v1/auth/universal-auth/login', { clientId, clientSecret });

  const renew = async (old: Held): Promise<Held> => {
    if (Date.now() >= old.endsAt) return login();
    let renewed: Held | undefined;
    try {
      renewed = await ask('/api/v1/auth/token/renew', { accessToken: old.token });
    } catch (error) {
      // A transient failure: the current token is still valid for a while.
      if (!isRefusal(error)) return old;
    }
    // Towards the end of the longest life that a token may have, renewing it gains next to nothing.
    return renewed && renewed.endsAt - Date.now() > 2 * MARGIN_MS ? renewed : login();
  };

  return {
    async token() {
      if (held && Date.now() < held.renewAt) return held.token;
      coming ??= (held ? renew(held) : login()).finally(() => (coming = undefined));
      held = await coming;
      return held.token;
    },
    refused(token) {
      if (held?.token === token) held = undefined;
      return true;
    },
  };
}

/** `seconds` of 0: it ends only when it is revoked. */
function hold(token: string, seconds: number, at: number): Held {
  if (!(seconds > 0)) return { token, renewAt: Infinity, endsAt: Infinity };
  const lifeMs = seconds * 1000;
  const endsAt = at + lifeMs;
  return { token, endsAt, renewAt: endsAt - Math.min(lifeMs / 2, Math.max(lifeMs / 10, MARGIN_MS)) };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof CofferError && error.status >= 400 && error.status < 500 && error.status !== 429;

/** Tokens that are replaced: by a user's session, for example. */
export interface RenewableToken {
  token(): string | Promise<string>;
  /** The server rejected this token. Returns whether `token()` may give another one; then the call is repeated once. */
  refused(token: string): boolean;
}

export type TokenSource = string | (() => string | Promise<string>) | RenewableToken;

/** The caller's own token: if it is rejected, there is no other, unless the source can renew it. A function is called for each request. */
export function ownToken(source: TokenSource): Session {
  if (typeof source === 'object')
    return { token: async () => source.token(), refused: (token) => source.refused(token) };
  return {
    token: async () => (typeof source === 'string' ? source : source()),
    refused: () => false,
  };
}
