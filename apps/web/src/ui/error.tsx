import { CofferError } from '@coffer/client';
import { Button } from './button.tsx';
import { Explanation } from './explanation.tsx';
import { Note } from './note.tsx';

/** An error as a sentence that says what to do. */
export function explain(error: unknown): string {
  if (!(error instanceof CofferError)) return 'Something went wrong in this page: reload it and try again.';
  if (error.reason === 'client.unreachable' || error.reason === 'client.timeout')
    return 'The server cannot be reached. Your edits are kept; try again in a moment.';
  const faults = error.issues?.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
  const shown = faults.length > 0 ? faults.join('; ') : withoutGrant(error.message);
  if (error.status >= 500)
    return `The server failed (request ${error.reqId ?? 'unknown'}): try again, or ask its operator.`;
  return shown;
}

/** Without the rule as JSON that would allow it: `Explanation` says it in words. */
const withoutGrant = (message: string): string => message.replace(/[:.] This would allow it: \{.*\}$/s, '');

/** What failed, why if the server explains it, and a way to try again. */
export function ErrorNote({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  return (
    <Note kind="bad">
      <p>{explain(error)}</p>
      {error instanceof CofferError && <Explanation explanation={error.explanation} details={error.details} />}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </Note>
  );
}
