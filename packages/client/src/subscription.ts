import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { SubscriptionOptions, StreamItem } from './call.ts';
import { fromTrpc, notCoffer, unreachable } from './error.ts';
import type { Session } from './login.ts';
import { openStream, type Fetch, type Request } from './request.ts';
import { delayBefore, isRefused } from './retry.ts';
import { wait, withinTime } from './time.ts';

/** Milliseconds of silence after which a connection counts as broken: the server sends something every 15 seconds. */
const SILENCE_MS = 45_000;

export interface Subscriber {
  readonly fetch: Fetch;
  /** Where tRPC is. */
  readonly url: string;
  readonly session: Session | undefined;
  readonly headersFor: (token: string | undefined) => Request['headers'];
  /** Milliseconds in which a stream has to be opened. */
  readonly timeoutMs: number;
  /** Maximum number of retries of a stream that was never open. One that was is reconnected without limit. */
  readonly retries: number;
}

/** Reads a subscription, over any number of connections. */
export async function* subscribe(
  { session, retries, ...door }: Subscriber,
  path: string,
  input: object,
  { signal: ending }: SubscriptionOptions = {},
): AsyncGenerator<StreamItem<unknown>, void> {
  const own = new AbortController();
  const signal = ending ? AbortSignal.any([ending, own.signal]) : own.signal;
  let lastEventId: string | undefined;
  let wasOpen = false;
  let hasLoggedInAgain = false;
  let repeated = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      let token: string | undefined;
      try {
        token = await session?.token();
        const asked = lastEventId === undefined ? input : { ...input, lastEventId };
        const isOver = yield* connection(door, `${path}?input=${encodeURIComponent(JSON.stringify(asked))}`, token, {
          signal,
          onReceived: (id) => {
            lastEventId = id;
            wasOpen = true;
            hasLoggedInAgain = false;
            repeated = 0;
          },
        });
        if (isOver) return;
        throw unreachable(undefined);
      } catch (error) {
        signal.throwIfAborted();
        if (isRefused(error) && token !== undefined && !hasLoggedInAgain && session?.refused(token)) {
          hasLoggedInAgain = true;
          continue;
        }
        const delay = wasOpen || repeated < retries ? delayBefore(error, repeated) : undefined;
        if (delay === undefined) throw error;
        await wait(delay, signal);
        repeated++;
      }
    }
  } finally {
    own.abort();
  }
}

interface Connection {
  readonly signal: AbortSignal;
  readonly onReceived: (id: string) => void;
}

/** The events of one connection; returns whether the subscription is over, and not only the connection. */
async function* connection(
  { fetch, url, headersFor, timeoutMs }: Omit<Subscriber, 'session' | 'retries'>,
  path: string,
  token: string | undefined,
  { signal, onReceived }: Connection,
): AsyncGenerator<StreamItem<unknown>, boolean> {
  // Ends with this connection, also if the subscription continues with another one.
  const closing = new AbortController();
  const ended = AbortSignal.any([signal, closing.signal]);
  try {
    const headers = { ...headersFor(token), accept: 'text/event-stream' };
    // The signal of `withinTime` ends with it; the stream continues.
    const stream = await withinTime({ signal, timeoutMs }, () =>
      openStream(fetch, `${url}/${path}`, { method: 'GET', headers, signal: ended }),
    );
    for await (const { event, id, data } of framesOf(stream, signal)) {
      if (event === 'return') return true;
      if (event === 'serialized-error') throw fromTrpc(parsed(data), undefined) ?? notCoffer(200, undefined);
      if (event !== undefined || id === undefined) continue;
      const received = { id, data: parsed(data) };
      onReceived(id);
      yield received;
    }
    return false;
  } finally {
    closing.abort();
  }
}

/** @throws CofferError `client.unreachable` if the connection breaks, or is silent. */
async function* framesOf(stream: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<EventSourceMessage> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (frame) => void arrived.push(frame) });
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await withinTime({ signal, timeoutMs: SILENCE_MS }, () => reader.read()).catch(
      (cause: unknown) => {
        signal.throwIfAborted();
        throw unreachable(cause);
      },
    );
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    yield* arrived.splice(0);
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw notCoffer(200, undefined);
  }
}
