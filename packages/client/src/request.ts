import { CofferError, fromRest, fromTrpc, isRecord, notCoffer, unreachable } from './error.ts';

/** The used part of `fetch`: the global one, or any compatible one. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body: string | null;
  signal: AbortSignal | null;
  /** A redirect would send the request elsewhere. */
  redirect: 'error';
  cache: 'no-store';
}

export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  /** Subscriptions are read from it as they come. */
  readonly body?: ReadableStream<Uint8Array> | null;
}

export interface Request {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly json: unknown;
  /** The delay in seconds that the server asks for. */
  readonly retryAfter: number | undefined;
}

/**
 * Sends one request and parses its response.
 *
 * @throws CofferError if there is none, it is not JSON, or it rejects the complete request. Rejects with the signal's
 * reason after an abort.
 */
export async function send(fetch: Fetch, url: string, request: Request): Promise<Answer> {
  return reached(request.signal, async () => {
    const response = await ask(fetch, url, request);
    return [response, await response.text()] as const;
  }).then(([response, text]) => answerOf(response, text));
}

const ask = (fetch: Fetch, url: string, { method, headers, body, signal }: Request): Promise<FetchResponse> =>
  fetch(url, { method, headers, body: body ?? null, signal: signal ?? null, redirect: 'error', cache: 'no-store' });

/** @throws CofferError `client.unreachable` if the work fails, and the signal's reason after an abort. */
async function reached<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    signal?.throwIfAborted();
    throw unreachable(cause);
  }
}

/**
 * Sends one request and returns the stream of its response.
 *
 * @throws CofferError if there is none, or another response; rejects with the signal's reason after an abort.
 */
export async function openStream(fetch: Fetch, url: string, request: Request): Promise<ReadableStream<Uint8Array>> {
  const response = await reached(request.signal, () => ask(fetch, url, request));
  const { ok, status, headers } = response;
  // A response is read once, by its body or as a text.
  const body = ok && headers.get('content-type')?.startsWith('text/event-stream') ? response.body : undefined;
  if (body) return body;
  answerOf(response, await reached(request.signal, () => response.text()));
  throw notCoffer(status, undefined);
}

/** @throws CofferError where the answer refuses the request as a whole, or is none of Coffer's. */
function answerOf({ ok, status, headers }: FetchResponse, text: string): Answer {
  const retryAfter = secondsOf(headers.get('retry-after'));
  const json = parse(text);
  const error =
    isRecord(json) && 'error' in json ? (fromTrpc(json['error'], retryAfter) ?? fromRest(json, retryAfter)) : undefined;
  if (error) throw error;
  if (!isRecord(json) || (!ok && !Array.isArray(json))) throw notCoffer(status, retryAfter);
  return { status, json, retryAfter };
}

/** `Retry-After`: seconds, or the time when (RFC 9110, section 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The platform's own `fetch`, looked up when it is called. */
export const platformFetch: Fetch = (url, init) => globalThis.fetch(url, init);

const HEADER_VALUE = /^[\x21-\x7e]+$/;

/** A token as a header; what surrounds it (the line break of a file) does not count. @throws CofferError for a token that no header can hold, which `fetch` would quote in its own error. */
export function bearer(token: string): string {
  const trimmed = token.trim();
  if (HEADER_VALUE.test(trimmed)) return `Bearer ${trimmed}`;
  throw new CofferError({
    status: 0,
    code: 'BAD_TOKEN',
    reason: 'client.token',
    message: 'The token is empty or contains a character that headers cannot have',
  });
}
