import { databaseFault, DomainError, isId } from '../kernel/index.ts';

/** Shorter texts are too common to be worth hiding, and hiding them would make the message unreadable. */
const SHORTEST = 4;

export interface JobFailure {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string;
  /** The stack without the message. */
  readonly stack: readonly string[];
}

/**
 * The loggable form of a job's error, without its payload. Payloads contain IDs and names by convention; all of their
 * texts are removed from the message.
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
