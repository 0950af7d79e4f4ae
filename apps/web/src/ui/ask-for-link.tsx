import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { explain } from './error.tsx';
import { TextField } from './field.tsx';
import { useForm } from './form.ts';
import { Note } from './note.tsx';
import { texts } from './texts.ts';
import { words } from './words.texts.ts';

interface AskForLinkProps {
  readonly submit: string;
  /** Returns what the server says. */
  readonly ask: (email: string) => Promise<{ readonly message: string }>;
  /** Above the field. */
  readonly children?: ReactNode;
}

/** Asks for a message with a link. The answer is the same whether or not the address has an account. */
export function AskForLink({ submit, ask, children }: AskForLinkProps) {
  const [email, setEmail] = useState('');
  const [answer, setAnswer] = useState<string>();
  const form = useForm(async () => setAnswer((await ask(email.trim())).message));
  if (answer !== undefined) return <Note kind="good">{texts.linkIsOnItsWay(answer)}</Note>;
  return (
    <form onSubmit={form.submit}>
      {children}
      <TextField
        label={words.eMail}
        type="email"
        autoComplete="username"
        autoFocus
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={form.error ? explain(form.error) : undefined}
      />
      <Button kind="primary" type="submit" isBusy={form.isBusy}>
        {submit}
      </Button>
    </form>
  );
}
