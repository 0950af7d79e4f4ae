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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The name, which the audit log shows, and the way to what the user may do. */
export function Profile({ user }: { readonly user: CurrentUser }) {
  const [firstName, setFirstName] = useState(user.firstName ?? '');
  const [lastName, setLastName] = useState(user.lastName ?? '');
  const rename = useChange('account', 'rename');
  const form = useForm(async () => {
    await rename.mutateAsync({ firstName, lastName });
    toast(texts.yourNameIsChanged);
  });
  return (
    <>
      <Facts
        of={[
          [words.eMail, user.email ?? user.username],
          [
            texts.rights,
            <Link key="rights" to="/organization/effective">
              {texts.whatYouMayDoInThisOrganization}
            </Link>,
          ],
        ]}
      />
      <form onSubmit={form.submit}>
        <Row>
          <TextField
            label={texts.firstName}
            autoComplete="given-name"
            required
            value={firstName}
            onChange={(event) => setFirstName(event.target.value)}
          />
          <TextField
            label={texts.lastName}
            autoComplete="family-name"
            value={lastName}
            onChange={(event) => setLastName(event.target.value)}
          />
        </Row>
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Button type="submit" isBusy={form.isBusy}>
          {texts.rename}
        </Button>
      </form>
    </>
  );
}
