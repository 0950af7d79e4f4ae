import { useState } from 'react';
import { coffer, signOut } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { TextField } from '../../ui/field.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The account is deleted after its password. */
export function DeleteAccount() {
  const [password, setPassword] = useState('');
  return (
    <>
      <p>{texts.yourAccountIsRemoved}</p>
      <Act
        label={texts.deleteAccount}
        kind="danger"
        run={async () => {
          await coffer.account.delete.mutate({ password });
          await signOut();
        }}
        ask={{
          title: texts.deleteYourAccount,
          children: (
            <TextField
              label={words.password}
              type="password"
              autoComplete="current-password"
              autoFocus
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          ),
        }}
      />
    </>
  );
}
