import { useState } from 'react';
import { queryClient } from '../../app/ask.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { NewPasswordField } from '../../ui/new-password.tsx';
import { toast } from '../../ui/toast.tsx';

export function Password() {
  // What was entered is gone once it is changed.
  const [round, setRound] = useState(0);
  return <ChangePassword key={round} onDone={() => setRound(round + 1)} />;
}

function ChangePassword({ onDone }: { readonly onDone: () => void }) {
  const [oldPassword, setOld] = useState('');
  const [newPassword, setNew] = useState('');
  const form = useForm(async () => {
    await coffer.account.changePassword.mutate({ oldPassword, newPassword });
    toast('Your password is changed; all other sessions have ended');
    await Promise.all(['sessions', 'apiKeys'].map((area) => queryClient.invalidateQueries({ queryKey: [area] })));
    onDone();
  });
  return (
    <form onSubmit={form.submit}>
      <p>A new password ends all other sessions, and revokes all API keys.</p>
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={oldPassword}
        onChange={(event) => setOld(event.target.value)}
      />
      <NewPasswordField onChange={setNew} />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button type="submit" isBusy={form.isBusy}>
        Change the password
      </Button>
    </form>
  );
}
