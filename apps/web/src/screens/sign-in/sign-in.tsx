import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { anonymous, signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, explain } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { Loading, Narrow } from '../../ui/page.tsx';
import { useForm } from '../../ui/form.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const FirstRun = lazy(async () => ({ default: (await import('../first-run/first-run.tsx')).FirstRun }));

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
      <Narrow title={texts.noConnection}>
        <ErrorNote error={config.error} onRetry={() => void config.refetch()} />
      </Narrow>
    );
  if (!config.data.config.initialized)
    return (
      <Suspense fallback={<Loading />}>
        <FirstRun />
      </Suspense>
    );
  return (
    <Narrow title={texts.signIn}>
      <form onSubmit={form.submit}>
        {why && <Note kind="warn">{why === 'locked' ? texts.consoleIsLocked : texts.yourSessionHasEnded}</Note>}
        <TextField
          label={words.eMail}
          type="email"
          autoComplete="username"
          autoFocus
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={words.password}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={form.error ? explain(form.error) : undefined}
        />
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          {texts.signIn}
        </Button>
      </form>
      <p>
        <Link to="/password-reset">{texts.forgotPassword}</Link>
        {config.data.config.allowSignUp && (
          <>
            {' · '}
            <Link to="/signup">{texts.createAccount}</Link>
          </>
        )}
      </p>
    </Narrow>
  );
}
