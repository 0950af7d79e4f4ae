import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Link as MailedLink } from '../../app/link.ts';
import { anonymous, signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { NewPasswordField } from '../../ui/new-password.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Narrow } from '../../ui/page.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The end of a recovery link. The code is exchanged when the password is sent: programs that open links do not use it up. */
export function NewPassword({ code, email }: MailedLink) {
  const [newPassword, setPassword] = useState('');
  // Of the exchanged code, for a second attempt after a password that is refused.
  const token = useRef<string>(undefined);
  const form = useForm(async () => {
    token.current ??= (await anonymous.recovery.verify.mutate({ email, code })).token;
    await anonymous.recovery.reset.mutate({ newPassword, token: token.current });
    await signIn(email, newPassword);
    location.assign('/');
  });
  return (
    <Narrow title={texts.newPassword}>
      <form onSubmit={form.submit}>
        <TextField label={words.eMail} type="email" autoComplete="username" readOnly value={email} />
        <NewPasswordField onChange={setPassword} />
        <p>{texts.allYourSessionsEnd}</p>
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          {texts.setPasswordAndSign}
        </Button>
      </form>
      <p>
        <Link to="/">{texts.backToSignIn}</Link>
      </p>
    </Narrow>
  );
}
