import { z } from 'zod';
import type { OutboundResponse } from '../kernel/index.ts';

/** The answer's JSON; `undefined` where it is none, for reading what an error says. */
export function jsonOf(answer: OutboundResponse): unknown {
  try {
    return answer.json();
  } catch {
    return undefined;
  }
}

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
