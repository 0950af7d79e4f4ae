import { CofferError } from '@coffer/client';
import { Button } from './button.tsx';
import { Explanation } from './explanation.tsx';
import { Note } from './note.tsx';
import { labelOf } from './schema-form/words.ts';
import { texts } from './texts.ts';

/** An error as a sentence that says what to do. */
export function explain(error: unknown): string {
  if (!(error instanceof CofferError)) return texts.somethingWentWrong;
  if (error.reason === 'client.unreachable' || error.reason === 'client.timeout') return texts.serverCannotBeReached;
  const faults = error.issues?.map(({ path, message }) => `${fieldName(path)}: ${message}`) ?? [];
  const shown = faults.length > 0 ? faults.join('; ') : withoutGrant(error.message);
  if (error.status >= 500) return texts.serverFailedRequest(error.reqId ?? texts.unknown);
  return shown;
}

/** What the fault is in, as forms name it: `inviteeEmails.0` is `Invitee emails 1`. */
const fieldName = (path: readonly (string | number)[]): string =>
  path.map((part) => (/^\d+$/.test(`${part}`) ? Number(part) + 1 : labelOf(`${part}`))).join(' ');

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
      {onRetry && <Button onClick={onRetry}>{texts.tryAgain}</Button>}
    </Note>
  );
}
