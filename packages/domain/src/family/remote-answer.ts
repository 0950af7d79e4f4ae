import { z } from 'zod';
import type { OutboundResponse } from '../kernel/index.ts';

/** The JSON of a response; `undefined` if it is not JSON, for parsing error messages. */
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

/** The error message in a response, under one of the usual names in JSON; an empty text if there is none. */
export function wordsOf(answer: OutboundResponse): string {
  const { data: { message, Message, errors = [] } = {} } = Words.safeParse(jsonOf(answer));
  return message ?? Message ?? errors.join('; ');
}

/** JavaScript features that the types lack: the source text of a number, and raw JSON. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}

/** JSON with exact numbers: for documents that others write, too. */
export function readExactly(text: string): unknown {
  const json = JSON as unknown as ExactJson;
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );
}
