import { CofferError } from '@coffer/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { linkTo, type Link as MailedLink } from '../../app/link.ts';
import { anonymous, begin, chooseOrganization, coffer, session, signIn, signOut } from '../../app/session.ts';
import { useStore } from '../../app/store.ts';
import { AccountForm } from '../../ui/account-form.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Note } from '../../ui/note.tsx';
import { Narrow } from '../../ui/page.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** An invitation to an organization, as the link of a message opens it. */
export function Screen() {
  const link = linkTo('/signupinvite');
  return (
    <Narrow title={words.invitation}>
      {link ? <Invited {...link} /> : <Note>{texts.openLinkOfInvitation}</Note>}
      <p>
        <Link to="/">{texts.toConsole}</Link>
      </p>
    </Narrow>
  );
}

/** How far it is: a new user gets a token for the account, and a user with an account signs in to it. */
type Step = { readonly is: 'invited' } | { readonly is: 'known' } | { readonly is: 'new'; readonly token: string };

const enter = () => location.assign('/');
const isForAccount = (error: unknown) => error instanceof CofferError && error.reason === 'invitation.log_in';

function Invited({ code, email, organizationId }: MailedLink) {
  const [step, setStep] = useState<Step>({ is: 'invited' });
  const accept = async () => {
    const isHere = emailOf(session.get()) === email.toLowerCase();
    const { token } = await (isHere ? coffer : anonymous).invitations.verify.mutate({ email, organizationId, code });
    if (token !== null && token !== undefined) return setStep({ is: 'new', token });
    await chooseOrganization(organizationId);
    enter();
  };
  if (step.is === 'known') return <WithAccount email={email} accept={accept} />;
  if (step.is === 'invited')
    return (
      <Open
        email={email}
        accept={() =>
          accept().catch((error: unknown) => {
            if (!isForAccount(error)) throw error;
            setStep({ is: 'known' });
          })
        }
      />
    );
  return (
    <AccountForm
      email={email}
      submit={texts.createAccount}
      create={async (input) => {
        const { token } = step;
        const made = await anonymous.signUp.completeInvitation.mutate({ email, token, ...input });
        await begin(made.token, made.organizationId);
        enter();
      }}
    />
  );
}

function Open({ email, accept }: { readonly email: string; readonly accept: () => Promise<void> }) {
  const form = useForm(accept);
  return (
    <form onSubmit={form.submit}>
      <p>{texts.youAreInvitedAs(<strong>{email}</strong>)}</p>
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button kind="primary" type="submit" isBusy={form.isBusy}>
        {texts.continue}
      </Button>
    </form>
  );
}

/** Who has an account accepts as that user. */
function WithAccount({ email, accept }: { readonly email: string; readonly accept: () => Promise<void> }) {
  const [password, setPassword] = useState('');
  const here = emailOf(useStore(session));
  const form = useForm(async () => {
    if (here !== undefined && here !== email.toLowerCase()) await signOut();
    await signIn(email, password);
    await accept();
  });
  return (
    <form onSubmit={form.submit}>
      <p>{texts.thereIsAccountWithThisAddress}</p>
      {here !== undefined && here !== email.toLowerCase() && <Note kind="warn">{texts.youAreSignedInAs(here)}</Note>}
      <TextField label={words.eMail} type="email" autoComplete="username" readOnly value={email} />
      <TextField
        label={words.password}
        type="password"
        autoComplete="current-password"
        autoFocus
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button kind="primary" type="submit" isBusy={form.isBusy}>
        {texts.signInAndAccept}
      </Button>
    </form>
  );
}

const emailOf = (now: ReturnType<typeof session.get>): string | undefined =>
  'user' in now ? (now.user.email ?? undefined)?.toLowerCase() : undefined;
