import { CofferError } from '@coffer/client';
import { CommandError, EXIT } from './exit.ts';

/** What a failed call means for people, and its exit code. An unknown error is thrown again: it is a bug, and its stack is wanted. */
export function explain(error: unknown): CommandError {
  if (!(error instanceof CofferError)) throw error;
  const { status, message, issues, reqId } = error;
  const faults = issues?.map(({ path, message: fault }) => `${path.join('.') || 'input'}: ${fault}`).join('; ');
  const whole = faults ? `${message}: ${faults}` : message;
  if (status === 0 || error.reason === 'client.not_coffer')
    return new CommandError(
      whole,
      error.reason === 'client.token' ? EXIT.notLoggedIn : EXIT.unreachable,
      hintFor(error),
    );
  const where = reqId && status >= 500 ? ` (request ${reqId})` : '';
  return new CommandError(whole + where, exitCodeFor(status), hintFor(error));
}

function exitCodeFor(status: number): number {
  if (status === 401) return EXIT.notLoggedIn;
  if (status === 403) return EXIT.denied;
  return status === 502 || status === 503 || status === 504 ? EXIT.unreachable : EXIT.failure;
}

function hintFor({ status, reason }: CofferError): string | undefined {
  if (reason === 'client.unreachable' || reason === 'client.not_coffer')
    return 'Is --domain the URL of the server, and can this machine reach it?';
  if (status === 401) return 'The login or token is not accepted: run coffer login, or set COFFER_TOKEN to a valid one';
  return undefined;
}
