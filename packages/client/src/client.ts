import { createTRPCUntypedClient, httpBatchLink, httpLink, splitLink, TRPCClientError } from '@trpc/client';
import type { AnyRouter } from '@trpc/server';
import type { CallOptions, SubscriptionOptions } from './call.ts';
import type { Api } from './contract/index.ts';
import { CofferError, fromTrpc, isRecord, notCoffer } from './error.ts';
import { logIn, ownToken, type MachineCredentials, type TokenSource } from './login.ts';
import { bearer, platformFetch, send, type Answer, type Fetch } from './request.ts';
import { delayBefore, isRefused } from './retry.ts';
import { subscribe } from './subscription.ts';
import { wait, withinTime } from './time.ts';

/** Every procedure of Coffer, each with `query`, `mutate` or `subscribe`: `await coffer.secrets.list.query({ … })`. */
export interface CofferClient extends Api {}

export interface CofferClientOptions {
  /** Where Coffer is: `https://coffer.example.com`, with or without `/api` at its end. Redirects are not followed. */
  url: string;
  /** An access token, or what gives one; a function is asked for each request. */
  token?: TokenSource | undefined;
  /** In place of a token: the client logs in as this machine identity, and keeps itself logged in. */
  auth?: MachineCredentials | undefined;
  /** Sent with each request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the platform's `fetch`. */
  fetch?: Fetch | undefined;
  /** Milliseconds that a call may take, with everything that it waits for; 30,000 where absent, `Infinity` for no limit. */
  timeoutMs?: number | undefined;
  /**
   * How often a query is sent again that was not answered, or refused for the moment (429, 502, 503, 504): after as long
   * as the server asks for, and only where that leaves it time. 2 where absent, 0 for never. Mutations never are.
   */
  retries?: number | undefined;
  /** Calls of the same moment travel in one request. `true` where absent. */
  batch?: boolean | undefined;
}

/** A client for one Coffer. Calls are rejected with a `CofferError`, or with the reason of the signal that ended them. */
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
  if (token !== undefined && auth) throw new TypeError('Give either a token or auth, not both');
  const base = baseOf(url);
  const session = auth ? logIn(auth, { fetch, base, timeoutMs }) : token === undefined ? undefined : ownToken(token);

  const headersWith = (used: string | undefined): Record<string, string> =>
    used === undefined ? { ...headers } : { ...headers, authorization: bearer(used) };
  /** Where it fails, the calls of the request fail with it, as it is. */
  const headersFor = async (contexts: readonly Sent[]): Promise<Record<string, string>> => {
    if (!session) return headersWith(undefined);
    try {
      const used = await session.token();
      for (const sent of contexts) sent.token = used;
      return headersWith(used);
    } catch (error) {
      for (const sent of contexts) sent.failure = { error };
      throw error;
    }
  };
  const links = {
    url: `${base}/api/trpc`,
    fetch: async (to: unknown, init: unknown) => {
      const { json, ...answer } = await send(fetch, String(to), init as Parameters<typeof send>[2]);
      if (![json].flat().every(isTrpcAnswer)) throw notCoffer(answer.status, answer.retryAfter);
      return { ok: true, ...answer, json: () => Promise.resolve(json) };
    },
  };
  const trpc = createTRPCUntypedClient<AnyRouter>({
    links: [
      splitLink({
        condition: ({ type, input }) => batch && !(type === 'query' && isLong(input)),
        true: httpBatchLink({
          ...links,
          ...BATCH,
          headers: ({ opList }) => headersFor(opList.map(({ context }) => context)),
        }),
        false: httpLink({ ...links, headers: ({ op }) => headersFor([op.context]) }),
      }),
    ],
  });

  const call = (
    type: 'query' | 'mutation',
    path: string,
    input: unknown = {},
    { signal, ...own }: CallOptions = {},
  ): Promise<unknown> =>
    withinTime({ signal, timeoutMs: own.timeoutMs ?? timeoutMs }, async (running) => {
      let hasLoggedInAgain = false;
      let repeated = 0;
      for (;;) {
        const sent: Sent = {};
        try {
          return await trpc[type](path, input, { signal: running.signal, context: sent });
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
  const subscriber = { fetch, url: links.url, session, headersFor: headersWith, timeoutMs, retries };
  return proxyOf({
    query: (path, input, callOptions) => call('query', path, input, callOptions),
    mutate: (path, input, callOptions) => call('mutation', path, input, callOptions),
    subscribe: (path, input = {}, callOptions = {}) => subscribe(subscriber, path, input, callOptions),
  }) as CofferClient;
}

/** What a call notes about the request that it went with. */
interface Sent extends Record<string, unknown> {
  token?: string;
  failure?: { error: unknown };
}

/** Servers and proxies take lines of 8 kB at least, and Coffer a list of names of 2 kB. */
const BATCH = { maxURLLength: 7000, maxItems: 25 };

/** Whether the input of a query leaves no room for others in its address. */
const isLong = (input: unknown): boolean => encodeURIComponent(JSON.stringify(input)).length > 6000;

const isTrpcAnswer = (json: unknown): boolean => isRecord(json) && ('result' in json || 'error' in json);

/** @throws TypeError where it is no address. */
function baseOf(url: string): string {
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  const { protocol, origin, pathname } = new URL(url, page);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`Coffer does not speak ${protocol}`);
  return origin + pathname.replace(/(?:\/+api)?\/*$/, '');
}

/** What a failed call is rejected with. What the caller's own functions threw stays as it is. */
function errorOf(cause: unknown, { failure }: Sent): unknown {
  if (failure) return failure.error;
  if (!(cause instanceof TRPCClientError)) return cause;
  if (cause.cause instanceof CofferError) return cause.cause;
  // An input that JSON cannot hold.
  if (cause.cause instanceof TypeError) return cause.cause;
  const { status = 0, retryAfter } = (cause.meta?.['response'] ?? {}) as Partial<Answer>;
  return fromTrpc(cause.shape, retryAfter) ?? notCoffer(status, retryAfter);
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
