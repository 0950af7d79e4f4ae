import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import type { CurrentUser } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/detail.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { Row, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { toast } from '../../ui/toast.tsx';

/** The name, which the audit log shows, and the way to what the user may do. */
export function Profile({ user }: { readonly user: CurrentUser }) {
  const [firstName, setFirstName] = useState(user.firstName ?? '');
  const [lastName, setLastName] = useState(user.lastName ?? '');
  const rename = useChange('account', 'rename');
  const form = useForm(async () => {
    await rename.mutateAsync({ firstName, lastName });
    toast('Your name is changed');
  });
  return (
    <>
      <Facts
        of={[
          ['E-mail', user.email ?? user.username],
          [
            'Rights',
            <Link key="rights" to="/organization/effective">
              What you may do in this organization, and until when
            </Link>,
          ],
        ]}
      />
      <form onSubmit={form.submit}>
        <Row>
          <TextField
            label="First name"
            autoComplete="given-name"
            required
            value={firstName}
            onChange={(event) => setFirstName(event.target.value)}
          />
          <TextField
            label="Last name"
            autoComplete="family-name"
            value={lastName}
            onChange={(event) => setLastName(event.target.value)}
          />
        </Row>
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Button type="submit" isBusy={form.isBusy}>
          Rename
        </Button>
      </form>
    </>
  );
}
