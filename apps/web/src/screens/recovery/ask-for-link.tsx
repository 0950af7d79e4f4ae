import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { anonymous } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { explain } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Note } from '../../ui/note.tsx';
import { Narrow } from '../../ui/page.tsx';

/** The answer is the same whether or not the address has an account. */
export function AskForLink() {
  const [email, setEmail] = useState('');
  const [answer, setAnswer] = useState<string>();
  const form = useForm(async () => {
    const { message } = await anonymous.recovery.ask.mutate({ email: email.trim() });
    setAnswer(message);
  });
  return (
    <Narrow title="Forgotten password">
      {answer !== undefined ? (
        <Note kind="good">{answer}. It is valid for one hour.</Note>
      ) : (
        <form onSubmit={form.submit}>
          <p>A link by e-mail lets you choose a new password. That ends all your sessions and API keys.</p>
          <TextField
            label="E-mail"
            type="email"
            autoComplete="username"
            autoFocus
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={form.error ? explain(form.error) : undefined}
          />
          <Button kind="primary" type="submit" isBusy={form.isBusy}>
            Send the link
          </Button>
        </form>
      )}
      <p>
        <Link to="/">Back to the sign-in</Link>
      </p>
    </Narrow>
  );
}
