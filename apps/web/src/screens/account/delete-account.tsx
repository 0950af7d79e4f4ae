import { useState } from 'react';
import { coffer, signOut } from '../../app/session.ts';
import { Act } from '../../ui/act.tsx';
import { TextField } from '../../ui/field.tsx';

/** The account is deleted after its password. */
export function DeleteAccount() {
  const [password, setPassword] = useState('');
  return (
    <>
      <p>Your account is removed from all organizations, at once and for good. The audit log keeps what you did.</p>
      <Act
        label="Delete the account"
        kind="danger"
        run={async () => {
          await coffer.account.delete.mutate({ password });
          await signOut();
        }}
        ask={{
          title: 'Delete your account?',
          children: (
            <TextField
              label="Password"
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
