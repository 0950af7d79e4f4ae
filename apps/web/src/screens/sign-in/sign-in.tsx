import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { anonymous, signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, explain } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { Loading, Narrow } from '../../ui/page.tsx';
import { useForm } from '../../ui/form.ts';
import { FirstRun } from '../first-run/first-run.tsx';

/** Sign-in by password; on a server without an administrator, the first run. */
export function SignIn({ why }: { readonly why: 'expired' | 'locked' | undefined }) {
  const config = useQuery({ queryKey: ['instance-config'], queryFn: () => anonymous.instance.config.query() });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const form = useForm(async () => {
    await signIn(email.trim(), password);
  });
  if (config.isPending) return <Loading />;
  if (config.isError)
    return (
      <Narrow title="No connection">
        <ErrorNote error={config.error} onRetry={() => void config.refetch()} />
      </Narrow>
    );
  if (!config.data.config.initialized) return <FirstRun />;
  return (
    <Narrow title="Sign in">
      <form onSubmit={form.submit}>
        {why && (
          <Note kind="warn">
            {why === 'locked' ? 'The console is locked' : 'Your session has ended'}. Unsaved edits are kept: sign in to
            go on.
          </Note>
        )}
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={form.error ? explain(form.error) : undefined}
        />
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          Sign in
        </Button>
      </form>
      <p>
        <Link to="/password-reset">Forgot the password?</Link>
        {config.data.config.allowSignUp && (
          <>
            {' · '}
            <Link to="/signup">Create an account</Link>
          </>
        )}
      </p>
    </Narrow>
  );
}
