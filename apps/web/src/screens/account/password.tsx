import { useState } from 'react';
import { queryClient } from '../../app/ask.ts';
import { changePassword } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { NewPasswordField } from '../../ui/new-password.tsx';
import { toast } from '../../ui/toast.tsx';
import { texts } from './texts.ts';

export function Password() {
  // What was entered is gone once it is changed.
  const [round, setRound] = useState(0);
  return <ChangePassword key={round} onDone={() => setRound(round + 1)} />;
}

function ChangePassword({ onDone }: { readonly onDone: () => void }) {
  const [oldPassword, setOld] = useState('');
  const [newPassword, setNew] = useState('');
  const form = useForm(async () => {
    await changePassword({ oldPassword, newPassword });
    toast(texts.yourPasswordIsChanged);
    await Promise.all(['sessions', 'apiKeys'].map((area) => queryClient.invalidateQueries({ queryKey: [area] })));
    onDone();
  });
  return (
    <form onSubmit={form.submit}>
      <p>{texts.newPasswordEndsAllOtherSessions}</p>
      <TextField
        label={texts.currentPassword}
        type="password"
        autoComplete="current-password"
        required
        value={oldPassword}
        onChange={(event) => setOld(event.target.value)}
      />
      <NewPasswordField onChange={setNew} />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button type="submit" isBusy={form.isBusy}>
        {texts.changePassword}
      </Button>
    </form>
  );
}
