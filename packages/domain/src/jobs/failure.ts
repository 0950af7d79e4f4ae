import { databaseFault, DomainError, isId } from '../kernel/index.ts';

/** Shorter texts are too common to be worth hiding, and hiding them would make the message unreadable. */
const SHORTEST = 4;

export interface JobFailure {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string;
  /** Where it was thrown, without the message. */
  readonly stack: readonly string[];
}

/**
 * What may be logged and stored of a job's error: never what the job was about. Payloads are ids and names by rule;
 * should one hold more, its texts are taken out of the message.
 */
export function failureOf(error: unknown, payload: unknown): JobFailure {
  const {
    name,
    message,
    stack = '',
  } = error instanceof Error ? error : new Error('A value that is not an error was thrown');
  const code = error instanceof DomainError ? error.code : databaseFault(error)?.sqlState;
  const hidden = textsIn(payload).toSorted((a, b) => b.length - a.length);
  return {
    name,
    code,
    message: hidden.reduce((text, secret) => text.replaceAll(secret, '[payload]'), message),
    stack: stack.split('\n').filter((line) => line.startsWith('    at ')),
  };
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < SHORTEST || isId(value) ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
