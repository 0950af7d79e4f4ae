import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { chooseOrganization, coffer, signOut } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { explain } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Note } from '../../ui/note.tsx';
import { Narrow } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { toastError } from '../../ui/toast.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** For users of several organizations, and of none. */
export function ChooseOrganization() {
  const organizations = useQuery(ask('account', 'organizations', {}));
  return (
    <Narrow title={words.organization}>
      <Queried query={organizations}>
        {({ organizations: all }) =>
          all.length === 0 ? (
            <NewOrganization />
          ) : (
            <>
              <p>{texts.whichOneDoYou}</p>
              {all.map(({ id, name }) => (
                <p key={id}>
                  <Button onClick={() => void chooseOrganization(id)}>{name}</Button>
                </p>
              ))}
            </>
          )
        }
      </Queried>
      <Button kind="quiet" onClick={() => void signOut().catch(toastError)}>
        {texts.signOut}
      </Button>
    </Narrow>
  );
}

function NewOrganization() {
  const [name, setName] = useState('');
  const form = useForm(async () => {
    const { organization } = await coffer.organizations.create.mutate({ name });
    await chooseOrganization(organization.id);
  });
  return (
    <form onSubmit={form.submit}>
      <Note>{texts.youAreInNoOrganization}</Note>
      <TextField
        label={texts.nameOfOrganization}
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={form.error ? explain(form.error) : undefined}
      />
      <Button kind="primary" type="submit" isBusy={form.isBusy}>
        {words.create}
      </Button>
    </form>
  );
}
