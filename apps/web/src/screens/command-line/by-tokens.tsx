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

type Step = 'asking' | 'given' | 'refused' | 'undelivered';

/** Gives tokens to a command line that knows no codes: by a request to its port, else to be pasted. */
export function ByTokens({ request }: { readonly request: LoginRequest }) {
  const [step, setStep] = useState<Step>('asking');
  const isSettled = useIsSettled();
  const form = useForm(async () => {
    const { login, sessionId } = await openSession();
    const isGiven = await deliver(request, login);
    // Nobody has it: it ends.
    if (!isGiven) await coffer.sessions.revoke.mutate({ sessionId });
    setStep(isGiven ? 'given' : 'undelivered');
  });
  switch (step) {
    case 'given':
      return <Note kind="good">{texts.commandLineIsLogged}</Note>;
    case 'refused':
      return <Note>{texts.nothingWasGivenToCommand}</Note>;
    case 'undelivered':
      return <ToPaste port={request.port} />;
    case 'asking':
      return (
        <form onSubmit={form.submit}>
          {form.error !== undefined && <ErrorNote error={form.error} />}
          <Row>
            <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={!isSettled}>
              {texts.logIn}
            </Button>
            <Button onClick={() => setStep('refused')}>{texts.refuse}</Button>
          </Row>
        </form>
      );
  }
}

/** Opens a session for the command line. */
async function openSession(): Promise<{ readonly login: string; readonly sessionId: string }> {
  await joinCookie();
  const { email, token, refreshToken, sessionId } = await coffer.commandLine.open.mutate({});
  return { login: JSON.stringify({ email, privateKey: '', JTWToken: token, RefreshToken: refreshToken }), sessionId };
}

/** Whether the command line has taken it. */
const deliver = (request: LoginRequest, body: string): Promise<boolean> =>
  fetch(`${callbackOf(request)}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    credentials: 'omit',
    redirect: 'error',
  }).then(
    ({ ok }) => ok,
    () => false,
  );

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

function ToPaste({ port }: { readonly port: number }) {
  const [text, setText] = useState<string>();
  const isSettled = useIsSettled();
  const form = useForm(async () => setText(base64((await openSession()).login)));
  return (
    <>
      <Note kind="warn">{texts.nothingTookLoginAtPort(port)}</Note>
      {form.error !== undefined && <ErrorNote error={form.error} />}
      {text === undefined ? (
        <Button kind="primary" isBusy={form.isBusy} disabled={!isSettled} onClick={form.submit}>
          {texts.showWhatToPaste}
        </Button>
      ) : (
        <Code label={texts.login}>{text}</Code>
      )}
    </>
  );
}
