import { CofferError, fromRest, fromTrpc, isRecord, notCoffer, unreachable } from './error.ts';

/** What the client asks of `fetch`: the global one, or any with the same manners. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body: string | null;
  signal: AbortSignal | null;
  /** A redirect would carry what is sent to somewhere else. */
  redirect: 'error';
  cache: 'no-store';
}

export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
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
  /** Seconds, where the server asks for patience. */
  readonly retryAfter: number | undefined;
}

/**
 * Sends one request and reads its answer.
 *
 * @throws CofferError where none came, it is not JSON, or it refuses the request as a whole. Rejects with the signal's
 *   reason where that ended it.
 */
export async function send(fetch: Fetch, url: string, { method, headers, body, signal }: Request): Promise<Answer> {
  let response: FetchResponse;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers,
      body: body ?? null,
      signal: signal ?? null,
      redirect: 'error',
      cache: 'no-store',
    });
    text = await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    throw unreachable(cause);
  }
  const { status } = response;
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  const json = parse(text);
  const error =
    isRecord(json) && 'error' in json ? (fromTrpc(json['error'], retryAfter) ?? fromRest(json, retryAfter)) : undefined;
  if (error) throw error;
  if (!isRecord(json) || (!response.ok && !Array.isArray(json))) throw notCoffer(status, retryAfter);
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
    message: 'The token is empty or holds a character that no header can',
  });
}
