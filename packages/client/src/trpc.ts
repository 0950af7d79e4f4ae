import { createTRPCUntypedClient, httpBatchLink, httpLink, splitLink, TRPCClientError } from '@trpc/client';
import type { AnyRouter } from '@trpc/server';
import { CofferError, fromTrpc, isRecord, notCoffer } from './error.ts';
import type { Session } from './login.ts';
import { send, type Answer, type Fetch } from './request.ts';

/** The data of a call about its request. */
export interface Sent extends Record<string, unknown> {
  token?: string;
  failure?: { error: unknown };
}

/** Calls one procedure once. Its errors are read by `errorOf`. */
export type AskTrpc = (
  type: 'query' | 'mutation',
  path: string,
  input: unknown,
  options: { readonly signal: AbortSignal; readonly context: Sent },
) => Promise<unknown>;

interface Door {
  readonly fetch: Fetch;
  /** Where tRPC is. */
  readonly url: string;
  readonly session: Session | undefined;
  readonly headersFor: (token: string | undefined) => Record<string, string>;
}

/** Servers and proxies take lines of 8 kB at least, and Coffer a list of names of 2 kB. */
const BATCH = { maxURLLength: 7000, maxItems: 25 };

/** A transport for procedures. Concurrent calls share a request if batching is enabled. */
export function openTrpc({ fetch, url, session, headersFor }: Door, isBatched: boolean): AskTrpc {
  /** If it fails, all calls of the request fail with it, unchanged. */
  const headersOf = async (contexts: readonly Sent[]): Promise<Record<string, string>> => {
    if (!session) return headersFor(undefined);
    try {
      const used = await session.token();
      for (const sent of contexts) sent.token = used;
      return headersFor(used);
    } catch (error) {
      for (const sent of contexts) sent.failure = { error };
      throw error;
    }
  };
  const shared = { url, fetch: answered(fetch) };
  const batched = httpBatchLink({
    ...shared,
    ...BATCH,
    headers: ({ opList }) => headersOf(opList.map(({ context }) => context)),
  });
  const single = httpLink({ ...shared, headers: ({ op }) => headersOf([op.context]) });
  const condition = ({ type, input }: { type: string; input: unknown }) =>
    isBatched && !(type === 'query' && isLong(input));
  const trpc = createTRPCUntypedClient<AnyRouter>({ links: [splitLink({ condition, true: batched, false: single })] });
  return (type, path, input, options) => trpc[type](path, input, options);
}

/** @throws CofferError for an answer that is none of Coffer's. */
const answered = (fetch: Fetch) => async (to: unknown, init: unknown) => {
  const { json, ...answer } = await send(fetch, String(to), init as Parameters<typeof send>[2]);
  if (![json].flat().every(isTrpcAnswer)) throw notCoffer(answer.status, answer.retryAfter);
  return { ok: true, ...answer, json: () => Promise.resolve(json) };
};

/** Whether the input of a query leaves no room for others in its address. */
const isLong = (input: unknown): boolean => encodeURIComponent(JSON.stringify(input)).length > 6000;

const isTrpcAnswer = (json: unknown): boolean => isRecord(json) && ('result' in json || 'error' in json);

/** The error of a failed call. Exceptions of the caller's own functions are unchanged. */
export function errorOf(cause: unknown, { failure }: Sent): unknown {
  if (failure) return failure.error;
  if (!(cause instanceof TRPCClientError)) return cause;
  if (cause.cause instanceof CofferError) return cause.cause;
  // An input that JSON cannot hold.
  if (cause.cause instanceof TypeError) return cause.cause;
  const { status = 0, retryAfter } = (cause.meta?.['response'] ?? {}) as Partial<Answer>;
  return fromTrpc(cause.shape, retryAfter) ?? notCoffer(status, retryAfter);
}
