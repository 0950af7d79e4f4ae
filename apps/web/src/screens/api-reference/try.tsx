import { useState } from 'react';
import { whenIdle } from '../../app/activity.ts';
import { fetchAsUser, session } from '../../app/session.ts';
import { store, useStore } from '../../app/store.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Row, SecretField, TextArea, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Badge, Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import styles from './api-reference.module.css';
import { bodyOf, needsToken, type Operation } from './document.ts';
import { asCurl, asTypeScript, emptyRequest, parametersOf, urlOf, type Entered } from './request.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** A token that was pasted, for calls as somebody else: in the memory of this page only. */
const pasted = store<string | undefined>(undefined);
/** How often whoever was here has gone. */
const gone = store(0);
// It is of whoever was here before.
session.subscribe(() => pasted.set(undefined));
whenIdle.add(() => {
  pasted.set(undefined);
  gone.set(gone.get() + 1);
});

interface Answered {
  readonly status: number;
  readonly milliseconds: number;
  readonly text: string;
}

/** A request to an operation: what is entered and answered goes with whoever was here. */
export function Try({ of }: { readonly of: Operation }) {
  return <Request key={useStore(gone)} of={of} />;
}

/** The request with what is entered: as a command, as a program, and sent. */
function Request({ of: operation }: { readonly of: Operation }) {
  const [entered, setEntered] = useState(() => emptyRequest(operation));
  const [answered, setAnswered] = useState<Answered>();
  const form = useForm(async () => {
    setAnswered(undefined);
    setAnswered(await send(operation, entered));
  });
  const { origin } = location;
  return (
    <>
      <h2>{texts.examples}</h2>
      <h3>curl</h3>
      <Code label="curl">{asCurl(origin, operation, entered)}</Code>
      <h3>TypeScript</h3>
      <Code label="TypeScript">{asTypeScript(origin, operation, entered)}</Code>
      <Card>
        <h2>{texts.tryIt}</h2>
        <form onSubmit={form.submit}>
          <Inputs of={operation} entered={entered} onChange={setEntered} />
          {needsToken(operation) && <Token />}
          {form.error !== undefined && <Note kind="bad">{whyNoAnswer(form.error)}</Note>}
          <Row>
            <Button type="submit" kind={operation.method === 'DELETE' ? 'danger' : 'primary'} isBusy={form.isBusy}>
              {texts.send}
            </Button>
            {operation.method !== 'GET' && <span>{texts.thisIsNoTrial}</span>}
          </Row>
        </form>
        {answered && <Answer {...answered} onClear={() => setAnswered(undefined)} />}
      </Card>
    </>
  );
}

interface InputsProps {
  readonly of: Operation;
  readonly entered: Entered;
  readonly onChange: (next: Entered) => void;
}

function Inputs({ of: operation, entered: { parameters, body }, onChange }: InputsProps) {
  return (
    <>
      {parametersOf(operation).map(({ name, in: place, required = false }) => (
        <TextField
          key={name}
          label={name}
          hint={place === 'path' ? texts.inPath : texts.inQuery}
          isMono
          required={required}
          value={parameters[name] ?? ''}
          onChange={(event) => onChange({ parameters: { ...parameters, [name]: event.target.value }, body })}
        />
      ))}
      {bodyOf(operation) && (
        <TextArea
          label={texts.bodyAsJson}
          rows={Math.min(16, body.split('\n').length + 1)}
          value={body}
          onChange={(event) => onChange({ parameters, body: event.target.value })}
          error={body === '' || isJson(body) ? undefined : texts.thisIsNoJson}
        />
      )}
    </>
  );
}

function Token() {
  const now = useStore(session);
  const token = useStore(pasted);
  if (token !== undefined)
    return (
      <Note>
        {texts.callsAreMadeWithToken} <Button onClick={() => pasted.set(undefined)}>{texts.forgetIt}</Button>
      </Note>
    );
  if (now.state === 'signed-in')
    return <Note>{texts.callsAreMadeAsInOrganization(now.user.email ?? now.user.username)}</Note>;
  return <PasteToken />;
}

function PasteToken() {
  const [text, setText] = useState('');
  return (
    <>
      <SecretField label={words.accessToken} onChange={setText} />
      <p>
        {texts.withoutSigningInCalls}{' '}
        <Button disabled={text.trim() === ''} onClick={() => pasted.set(text.trim())}>
          {texts.useThisToken}
        </Button>
      </p>
    </>
  );
}

const Answer = ({ status, milliseconds, text, onClear }: Answered & { readonly onClear: () => void }) => (
  <section className={styles['answer']} role="status" aria-label={texts.answer}>
    <Row>
      <Badge kind={status < 400 ? 'good' : 'bad'}>{status}</Badge>
      <span>{texts.milliseconds(milliseconds)}</span>
      <Button onClick={onClear}>{texts.removeFromPage}</Button>
    </Row>
    <pre tabIndex={0} aria-label={texts.bodyOfAnswer}>
      {text}
    </pre>
  </section>
);

/** Characters of an answer that are shown. */
const MOST = 100_000;
/** An answer that goes on, such as a stream of events, is given up after these milliseconds. */
const PATIENCE_MS = 30_000;

async function send(operation: Operation, entered: Entered): Promise<Answered> {
  const { method } = operation;
  const start = performance.now();
  const hasBody = method !== 'GET' && entered.body !== '';
  const answer = await fetchAsUser(
    urlOf(operation, entered),
    {
      method,
      ...(hasBody && { body: entered.body, headers: { 'content-type': 'application/json' } }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    },
    pasted.get(),
  );
  return { status: answer.status, text: await textOf(answer), milliseconds: Math.round(performance.now() - start) };
}

const whyNoAnswer = (error: unknown): string =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? texts.thereIsNoWhole(PATIENCE_MS / 1000)
    : texts.serverCannotBeReached;

async function textOf(answer: Response): Promise<string> {
  const type = answer.headers.get('content-type') ?? '';
  if (!/json|text|pem/.test(type))
    return texts.bytesOfType((await answer.arrayBuffer()).byteLength, type || texts.noType);
  const text = await answer.text();
  const shown = type.includes('json') && isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return shown.length > MOST ? texts.moreCharacters(shown.slice(0, MOST), shown.length - MOST) : shown;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
