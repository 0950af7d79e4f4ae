import { useState } from 'react';
import { signIn, signOut } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { explain } from '../../ui/error.tsx';
import { Row, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Narrow } from '../../ui/page.tsx';
import { toastError } from '../../ui/toast.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** After a quarter of an hour without a sign of its user. */
export function Lock({ email }: { readonly email: string }) {
  const [password, setPassword] = useState('');
  const form = useForm(() => signIn(email, password));
  return (
    <Narrow title={texts.locked}>
      <form onSubmit={form.submit}>
        <p>{texts.nothingWasDoneHere}</p>
        <TextField label={words.eMail} type="email" autoComplete="username" readOnly value={email} />
        <TextField
          label={words.password}
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={form.error ? explain(form.error) : undefined}
        />
        <Row>
          <Button kind="primary" type="submit" isBusy={form.isBusy}>
            {texts.unlock}
          </Button>
          <Button onClick={() => void signOut().catch(toastError)}>{texts.signOut}</Button>
        </Row>
      </form>
    </Narrow>
  );
}
