import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorNote } from './error.tsx';
import { TextField } from './field.tsx';
import { useForm } from './form.ts';
import { NewPasswordField } from './new-password.tsx';
import { texts } from './texts.ts';
import { words } from './words.texts.ts';

/** What a new account takes, besides the address. */
export interface AccountInput {
  readonly firstName: string;
  readonly lastName?: string;
  readonly password: string;
}

interface AccountFormProps {
  readonly email: string;
  /** Without it the address is given. */
  readonly onEmail?: (email: string) => void;
  readonly submit: string;
  readonly create: (input: AccountInput) => Promise<void>;
  /** Further fields. */
  readonly children?: ReactNode;
}

/** The form of a new account. */
export function AccountForm({ email, onEmail, submit, create, children }: AccountFormProps) {
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [password, setPassword] = useState('');
  const form = useForm(() => create({ firstName, ...(lastName && { lastName }), password }));
  return (
    <form onSubmit={form.submit}>
      <TextField
        label={words.eMail}
        type="email"
        autoComplete="username"
        required
        readOnly={!onEmail}
        value={email}
        onChange={(event) => onEmail?.(event.target.value)}
      />
      <TextField
        label={texts.firstName}
        autoComplete="given-name"
        required
        autoFocus
        value={firstName}
        onChange={(event) => setFirstName(event.target.value)}
      />
      <TextField
        label={texts.lastName}
        autoComplete="family-name"
        value={lastName}
        onChange={(event) => setLastName(event.target.value)}
      />
      {children}
      <NewPasswordField label={words.password} onChange={setPassword} />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button kind="primary" type="submit" isBusy={form.isBusy}>
        {submit}
      </Button>
    </form>
  );
}
