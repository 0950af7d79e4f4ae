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

type Step = { readonly is: 'asking' | 'given' | 'refused' } | { readonly is: 'undelivered'; readonly text: string };

/** Gives tokens to a command line that knows no codes: by a request to its port, else to be pasted. */
export function ByTokens({ request }: { readonly request: LoginRequest }) {
  const [step, setStep] = useState<Step>({ is: 'asking' });
  const isSettled = useIsSettled();
  const form = useForm(async () => {
    await joinCookie();
    const { email, token, refreshToken } = await coffer.commandLine.open.mutate({});
    const login = JSON.stringify({ email, privateKey: '', JTWToken: token, RefreshToken: refreshToken });
    const isGiven = await deliver(request, login);
    setStep(isGiven ? { is: 'given' } : { is: 'undelivered', text: base64(login) });
  });
  switch (step.is) {
    case 'given':
      return <Note kind="good">The command line is logged in. You can close this page.</Note>;
    case 'refused':
      return <Note>Nothing was given to the command line. You can close this page.</Note>;
    case 'undelivered':
      return <ToPaste text={step.text} port={request.port} />;
    case 'asking':
      return (
        <form onSubmit={form.submit}>
          {form.error !== undefined && <ErrorNote error={form.error} />}
          <Row>
            <Button kind="primary" type="submit" isBusy={form.isBusy} disabled={!isSettled}>
              Log in
            </Button>
            <Button onClick={() => setStep({ is: 'refused' })}>Refuse</Button>
          </Row>
        </form>
      );
  }
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

function ToPaste({ text, port }: { readonly text: string; readonly port: number }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Note kind="warn">
        Nothing took the login at port {port}. Paste it into the terminal that asks for it, and nowhere else: it is a
        session of yours.
      </Note>
      {isShown ? (
        <Code label="Login">{text}</Code>
      ) : (
        <Button kind="primary" onClick={() => setShown(true)}>
          Show what to paste
        </Button>
      )}
    </>
  );
}
