import { CofferError } from '@coffer/client';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { linkTo, type Link as MailedLink } from '../../app/link.ts';
import { anonymous, begin, chooseOrganization, coffer, session, signIn, signOut } from '../../app/session.ts';
import { useStore } from '../../app/store.ts';
import { AccountForm, type AccountInput } from '../../ui/account-form.tsx';
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

const enter = () => location.assign('/');
const isForAccount = (error: unknown) => error instanceof CofferError && error.reason === 'invitation.log_in';

/** The code is used up with what it is for: until then the link can be opened again. */
function Invited({ code, email, organizationId }: MailedLink) {
  const here = emailOf(useStore(session));
  const [hasAccount, setHasAccount] = useState(false);
  // Of the code that is used up, for a second attempt after a password that is refused.
  const token = useRef<string | null>(undefined);
  const verify = async () => {
    const isHere = emailOf(session.get()) === email.toLowerCase();
    return (await (isHere ? coffer : anonymous).invitations.verify.mutate({ email, organizationId, code })).token;
  };
  const join = async () => {
    await verify();
    await chooseOrganization(organizationId);
    enter();
  };
  const create = async (input: AccountInput) => {
    try {
      token.current ??= await verify();
    } catch (error) {
      if (!isForAccount(error)) throw error;
      return setHasAccount(true);
    }
    const made = await anonymous.signUp.completeInvitation.mutate({ email, token: token.current!, ...input });
    await begin(made.token, made.organizationId);
    enter();
  };
  if (here === email.toLowerCase()) return <Join email={email} accept={join} />;
  return (
    <>
      <p>{texts.youAreInvitedAs(<strong>{email}</strong>)}</p>
      {hasAccount ? (
        <WithAccount email={email} accept={join} />
      ) : (
        <AccountForm email={email} submit={texts.createAccount} create={create} />
      )}
      <p>
        <Button onClick={() => setHasAccount(!hasAccount)}>{hasAccount ? texts.noAccount : texts.haveAccount}</Button>
      </p>
    </>
  );
}

/** For who is signed in with the account that is invited. */
function Join({ email, accept }: { readonly email: string; readonly accept: () => Promise<void> }) {
  const form = useForm(accept);
  return (
    <form onSubmit={form.submit}>
      <p>{texts.youAreInvitedAs(<strong>{email}</strong>)}</p>
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button kind="primary" type="submit" isBusy={form.isBusy}>
        {texts.accept}
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
      <p>{texts.signInToAccept}</p>
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
