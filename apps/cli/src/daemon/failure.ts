import { CofferError } from '@coffer/client';
import { CommandError } from '../exit.ts';
import { explain } from '../explain.ts';
import { TemplateError } from '../template/error.ts';

/** Whether the server is unreachable or overloaded, so that trying again helps. */
export const isAway = (error: unknown): boolean =>
  error instanceof CofferError && (error.status === 0 || error.status === 429 || error.status >= 500);

/** A failure as a command ends with it. An unknown error is a bug, and is thrown. */
export function asCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  return error instanceof TemplateError ? new CommandError(inTemplate(error)) : explain(error);
}

const inTemplate = ({ line, message }: TemplateError): string =>
  line === undefined ? message : `line ${line}: ${message}`;

/** What a failure is about, for a log line. What keeps running does not end with a bug. */
export function messageOf(error: unknown): string {
  if (error instanceof TemplateError) return inTemplate(error);
  return error instanceof CommandError || error instanceof CofferError ? asCommandError(error).message : String(error);
}
