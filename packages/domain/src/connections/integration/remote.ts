import { z } from 'zod';
import { RemoteSession, requireServed } from '../../family/index.ts';
import type { Context, OutboundResponse } from '../../kernel/index.ts';
import type { Remote } from './destination.ts';

/** Milliseconds of one call. */
const CALL_MS = 10_000;
/** Of an answer: a page of secrets with their values. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Of one sync. */
const MAX_CALLS = 20_000;

/** How long one sync may reach out, in milliseconds; what is left over then is done by the next one. */
export const BUDGET_MS = 60_000;

/** The work of one sync at the other side. */
export const beginSync = (ctx: Context, timeMs = BUDGET_MS): RemoteSession =>
  new RemoteSession(ctx, { timeMs, callMs: CALL_MS, maxCalls: MAX_CALLS });

/** What a destination reaches the other side by. */
export const remoteOf = (session: RemoteSession, projectId: string): Remote => ({
  now: session.now,
  projectId,
  hide: (credential) => session.hide(credential),
  async fetch(url, request) {
    const answer = await session.fetch(url, { maxBytes: MAX_BYTES, ...request, maxRedirects: 0 });
    requireServed(url, answer, session.now, wordsOf);
    return answer;
  },
});

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
