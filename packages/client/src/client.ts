import type { CallOptions, SubscriptionOptions } from './call.ts';
import type { Api } from './contract/index.ts';
import { logIn, ownToken, type MachineCredentials, type Session, type TokenSource } from './login.ts';
import { bearer, platformFetch, type Fetch } from './request.ts';
import { delayBefore, isRefused } from './retry.ts';
import { subscribe } from './subscription.ts';
import { wait, withinTime } from './time.ts';
import { errorOf, openTrpc, type AskTrpc, type Sent } from './trpc.ts';

/** Every procedure of Coffer, each with `query`, `mutate` or `subscribe`: `await coffer.secrets.list.query({ … })`. */
export interface CofferClient extends Api {}

export interface CofferClientOptions {
  /** Where Coffer is: `https://coffer.example.com`, with or without `/api` at its end. Redirects are not followed. */
  url: string;
  /** An access token, a function that returns one for each request, or a source that renews rejected ones. */
  token?: TokenSource | undefined;
  /** Instead of a token: the client logs in as this machine identity, and renews its token. */
  auth?: MachineCredentials | undefined;
  /** Sent with each request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the platform's `fetch`. */
  fetch?: Fetch | undefined;
  /** Timeout of a call in milliseconds, including all waiting; default 30,000, `Infinity` for no limit. */
  timeoutMs?: number | undefined;
  /**
   * Number of retries of a query without a response, or with a transient error (429, 502, 503, 504): after the delay
   * that the server asks for, and only within the timeout. Default 2, 0 for none. Mutations are never retried.
   */
  retries?: number | undefined;
  /** Batches concurrent calls into one request. Default `true`. */
  batch?: boolean | undefined;
}

/**
 * A client for one Coffer. Calls are rejected with a `CofferError`, or with the reason of the signal that aborted them.
 */
export function createCofferClient(options: CofferClientOptions): CofferClient {
  const {
    url,
    token,
    auth,
    headers = {},
    fetch = platformFetch,
    timeoutMs = 30_000,
    retries = 2,
    batch = true,
  } = options;
  if (token !== undefined && auth) throw new TypeError('Pass either a token or auth, not both');
  const base = baseOf(url);
  const session = auth
    ? logIn(auth, { fetch, base, headers, timeoutMs })
    : token === undefined
      ? undefined
      : ownToken(token);
  const headersFor = (used: string | undefined): Record<string, string> =>
    used === undefined ? { ...headers } : { ...headers, authorization: bearer(used) };
  const door = { fetch, url: `${base}/api/trpc`, session, headersFor };
  const call = repeating(openTrpc(door, batch), { session, timeoutMs, retries });
  const subscriber = { ...door, timeoutMs, retries };
  return proxyOf({
    query: (path, input, callOptions) => call('query', path, input, callOptions),
    mutate: (path, input, callOptions) => call('mutation', path, input, callOptions),
    subscribe: (path, input = {}, callOptions = {}) => subscribe(subscriber, path, input, callOptions),
  }) as CofferClient;
}

interface Patience {
  readonly session: Session | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
}

/** Calls with retries: after a new login of the session, and for queries after transient errors. */
const repeating =
  (ask: AskTrpc, { session, timeoutMs, retries }: Patience) =>
  (type: 'query' | 'mutation', path: string, input: unknown = {}, options: CallOptions = {}): Promise<unknown> =>
    withinTime({ signal: options.signal, timeoutMs: options.timeoutMs ?? timeoutMs }, async (running) => {
      let hasLoggedInAgain = false;
      let repeated = 0;
      for (;;) {
        const sent: Sent = {};
        try {
          return await ask(type, path, input, { signal: running.signal, context: sent });
        } catch (cause) {
          running.signal.throwIfAborted();
          const error = errorOf(cause, sent);
          if (isRefused(error) && sent.token !== undefined && !hasLoggedInAgain && session?.refused(sent.token)) {
            hasLoggedInAgain = true;
            continue;
          }
          const delay = type === 'query' && repeated < retries ? delayBefore(error, repeated) : undefined;
          if (delay === undefined || delay >= running.left()) throw error;
          await wait(delay, running.signal);
          repeated++;
        }
      }
    });

/** @throws TypeError for an invalid address. */
function baseOf(url: string): string {
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  const { protocol, origin, pathname } = new URL(url, page);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`Coffer does not support ${protocol}`);
  return origin + pathname.replace(/(?:\/+api)?\/*$/, '');
}

type Perform = (path: string, input?: object, options?: CallOptions & SubscriptionOptions) => unknown;
type Verbs = Readonly<Record<'query' | 'mutate' | 'subscribe', Perform>>;

/** Reads `a.b.query` as the call of a procedure `a.b`. */
function proxyOf(verbs: Verbs, path = ''): unknown {
  const known = new Map<string, unknown>();
  return new Proxy(Object.create(null) as object, {
    get(_target, name) {
      // A client that seemed to have a `then` would be awaited.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      if (!known.has(name)) {
        const verb = Object.hasOwn(verbs, name) ? verbs[name as keyof Verbs] : undefined;
        known.set(name, verb ? verb.bind(undefined, path) : proxyOf(verbs, path ? `${path}.${name}` : name));
      }
      return known.get(name);
    },
  });
}
