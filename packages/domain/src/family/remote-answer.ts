import { z } from 'zod';
import { DomainError, excessOf, OF_DOCUMENTS, type OutboundResponse } from '../kernel/index.ts';
import { remoteError } from './remote-error.ts';
import { MAX_REMOTE_NAME } from './remote-list.ts';

/**
 * The JSON of a response; `undefined` if it is not JSON, for parsing error messages.
 *
 * @throws DomainError `outbound.too_large` for a successful one with too many values.
 */
export function jsonOf(answer: OutboundResponse): unknown {
  try {
    return answer.json();
  } catch (error) {
    if (answer.status < 300 && error instanceof DomainError && error.code === 'outbound.too_large') throw error;
    return undefined;
  }
}

const Faults = z.object({
  errors: z.array(z.object({ code: z.union([z.string(), z.number()]), message: z.string() })),
});

/** The messages and codes of an error response that lists them under `errors`; empty where it does not. */
export function faultsOf(answer: OutboundResponse): string {
  const { data } = Faults.safeParse(jsonOf(answer));
  return data?.errors.map(({ code, message }) => `${message} (${code})`).join('; ') ?? '';
}

const Words = z.object({
  message: z.string().optional().catch(undefined),
  Message: z.string().optional().catch(undefined),
  errors: z.array(z.string()).optional().catch(undefined),
});

/**
 * An object of JSON with the names of others, as long as `RemoteName`. `z.record` leaves out `__proto__`, as if it were not there: a
 * write of the whole would remove it.
 */
export const objectOf = <Value extends z.ZodType>(value: Value) =>
  z
    .preprocess(
      (given) =>
        typeof given === 'object' && given !== null && !Array.isArray(given) && hasNames(given)
          ? new Map(Object.entries(given))
          : given,
      z.map(z.string(), value),
    )
    .transform((all): Record<string, z.output<Value>> => Object.fromEntries(all));

const hasNames = (given: object): boolean => Object.keys(given).every((name) => name.length <= MAX_REMOTE_NAME);

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

/**
 * JSON with exact numbers: for documents that others write, too.
 *
 * @throws SyntaxError; DomainError `remote.malformed` for one with more values than a document of secrets has.
 */
export function readExactly(text: string): unknown {
  const excess = excessOf(text, OF_DOCUMENTS);
  if (excess)
    throw remoteError(
      'malformed',
      `The document there has more ${excess} than ${OF_DOCUMENTS[excess]}, which are the most that are read`,
    );
  const json = JSON as unknown as ExactJson;
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );
}
