import { useState } from 'react';
import { coffer, joinCookie } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { Row } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Note } from '../../ui/note.tsx';
import { callbackOf, type LoginRequest } from './request.ts';
import { useIsSettled } from './settled.ts';
import { texts } from './texts.ts';

interface ByCodeProps {
  readonly request: LoginRequest;
  readonly challenge: string;
}

/** Gives a code that only the command line can use which made the challenge. */
export function ByCode({ request, challenge }: ByCodeProps) {
  const [code, setCode] = useState<string>();
  const isSettled = useIsSettled();
  const makeCode = async () => {
    await joinCookie();
    return (await coffer.commandLine.authorize.mutate({ codeChallenge: challenge })).code;
  };
  const form = useForm(async () => goBack(request, { code: await makeCode() }));
  const elsewhere = useForm(async () => setCode(await makeCode()));
  if (code !== undefined)
    return (
      <>
        <p>{texts.pasteThisCodeIntoTerminal}</p>
        <Code label={texts.code}>{code}</Code>
        <Note kind="warn">{texts.itIsForYourOwnTerminal}</Note>
      </>
    );
  const error = form.error ?? elsewhere.error;
  return (
    <form onSubmit={form.submit}>
      {error !== undefined && <ErrorNote error={error} />}
      <Row>
        <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={!isSettled}>
          {texts.logIn}
        </Button>
        <Button onClick={() => goBack(request, { error: 'access_denied' })}>{texts.refuse}</Button>
      </Row>
      <Button kind="quiet" isBusy={elsewhere.isBusy} disabled={!isSettled} onClick={elsewhere.submit}>
        {texts.terminalIsOnAnother}
      </Button>
    </form>
  );
}

/** To the command line, which answers with a page of its own. */
function goBack(request: LoginRequest, answer: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams({ ...answer, state: request.state });
  location.replace(`${callbackOf(request)}/callback?${query.toString()}`);
}
