import { z } from 'zod';
import {
  badRequest,
  DomainError,
  type Context,
  type OutboundRequest,
  type OutboundResponse,
} from '../../kernel/index.ts';
import { redact } from '../../outbound/index.ts';
import type { Remote } from './destination.ts';

/** Milliseconds of one call. */
const CALL_MS = 10_000;
/** Of an answer: a page of secrets with their values. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Of one sync. */
const MAX_CALLS = 20_000;

/** How long one sync may reach out, in milliseconds; what is left over then is done by the next one. */
export const BUDGET_MS = 60_000;

/** What a sync reaches the other side by. It knows what it must not be heard to say. */
export class RemoteSession implements Remote {
  readonly now: Date;
  readonly projectId: string;
  readonly #credentials = new Set<string>();
  readonly #values = new Set<string>();
  readonly #ctx: Context;
  readonly #end: number;
  #calls = 0;

  constructor(ctx: Context, projectId: string, budgetMs = BUDGET_MS) {
    this.now = ctx.now();
    this.projectId = projectId;
    this.#ctx = ctx;
    this.#end = performance.now() + budgetMs;
  }

  /** Milliseconds that are left. */
  get left(): number {
    return this.#end - performance.now();
  }

  hide(credential: string): void {
    this.#credentials.add(credential);
  }

  /** Takes the values of secrets, ours and theirs, out of what is said later. */
  hideValues(values: Iterable<string | undefined>): void {
    for (const value of values) if (value !== undefined) this.#values.add(value);
  }

  /** Words of anybody's, as they may be shown: without credentials and values. */
  tell(words: string): string {
    return redact(words, { credentials: this.#credentials, values: this.#values });
  }

  readonly fetch = async (url: string, request: OutboundRequest = {}): Promise<OutboundResponse> => {
    if (this.left <= 0) throw badRequest('integration.out_of_time', 'This takes longer than one sync may');
    if (++this.#calls > MAX_CALLS) throw badRequest('integration.too_many_calls', 'This takes too many calls');
    const answer = await this.#ctx.fetch(url, {
      maxBytes: MAX_BYTES,
      ...request,
      timeoutMs: Math.max(1, Math.min(request.timeoutMs ?? CALL_MS, this.left)),
      maxRedirects: 0,
    });
    if (answer.status === 429) throw throttled(url, retryAfterOf(answer, this.now));
    if (answer.status === 503) throw unavailable(url, wordsOf(answer), retryAfterOf(answer, this.now));
    return answer;
  };
}

/** The longest that somebody is believed who says «not now». */
const LONGEST_WAIT = 3600;

/** Seconds after which an answer says that it may be asked again; a number, or a date (RFC 9110, section 10.2.3). */
function retryAfterOf({ headers }: OutboundResponse, now: Date): number | undefined {
  const given = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : (Date.parse(given) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT) : undefined;
}

/** The other side asks to be left alone for a while. @param retryAfter seconds, where it says how long. */
export const throttled = (url: string, retryAfter?: number): DomainError =>
  later('integration.throttled', `${new URL(url).hostname} asks not to be called so often`, retryAfter);

/** The other side answers that it cannot serve anybody. */
const unavailable = (url: string, words: string, retryAfter?: number): DomainError =>
  later('integration.unavailable', answered(url, 503, words), retryAfter);

const later = (code: string, message: string, retryAfter: number | undefined): DomainError =>
  new DomainError('bad_request', code, message, {
    ...(retryAfter !== undefined && { retryAfter: Math.min(Math.max(Math.ceil(retryAfter), 1), LONGEST_WAIT) }),
  });

/** The other side answered, and said no. */
export const rejected = (url: string, status: number, words: string): DomainError =>
  badRequest('integration.rejected', answered(url, status, words));

const answered = (url: string, status: number, words: string): string =>
  `${new URL(url).hostname} answers ${status}${words === '' ? '' : `: ${words}`}`;

const Words = z.object({
  message: z.string().optional().catch(undefined),
  Message: z.string().optional().catch(undefined),
  errors: z.array(z.string()).optional().catch(undefined),
});

/** What an answer says against a call, under one of the names that are usual in JSON; an empty text where nothing is. */
export function wordsOf(answer: OutboundResponse): string {
  const { data: { message, Message, errors = [] } = {} } = Words.safeParse(jsonOf(answer));
  return message ?? Message ?? errors.join('; ');
}

/** The other side answered something that it never should. */
export const malformed = (url: string, what: string): DomainError =>
  badRequest('integration.malformed_response', `${new URL(url).hostname} answered ${what}`);

/** The answer's JSON; `undefined` where it is none, for reading what an error says. */
export function jsonOf(answer: OutboundResponse): unknown {
  try {
    return answer.json();
  } catch {
    return undefined;
  }
}

/** What the language has and its types do not yet: the text of a number, and a number of which the text is kept. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}

/** JSON as it is, numbers to their last digit: for documents in which others have written, too. */
export function readExactly(text: string): unknown {
  const json = JSON as unknown as ExactJson;
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );
}
