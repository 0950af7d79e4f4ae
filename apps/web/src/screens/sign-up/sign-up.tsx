import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { linkTo } from '../../app/link.ts';
import { anonymous, begin } from '../../app/session.ts';
import { AccountForm } from '../../ui/account-form.tsx';
import { AskForLink } from '../../ui/ask-for-link.tsx';
import { Narrow } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { texts } from './texts.ts';

/** A new account: where the server sends messages, the address is shown first, by a link. */
export function Screen() {
  const link = linkTo('/signup');
  const status = useQuery({ queryKey: ['instance-status'], queryFn: () => anonymous.instance.status.query({}) });
  return (
    <Narrow title={texts.newAccount}>
      {link ? (
        <Account {...link} />
      ) : (
        <Queried query={status}>
          {({ emailConfigured }) =>
            emailConfigured ? (
              <AskForLink submit={texts.sendLink} ask={(email) => anonymous.signUp.ask.mutate({ email })} />
            ) : (
              <Account />
            )
          }
        </Queried>
      )}
      <p>
        <Link to="/">{texts.backToSignIn}</Link>
      </p>
    </Narrow>
  );
}

/** With the code of a link, or without where none is needed. */
function Account({ code, email: given = '' }: { readonly code?: string; readonly email?: string }) {
  const [email, setEmail] = useState(given);
  // Of the exchanged code, for a second attempt after a password that is refused.
  const token = useRef<string>(undefined);
  return (
    <AccountForm
      email={email}
      {...(code === undefined && { onEmail: setEmail })}
      submit={texts.createAccount}
      create={async (input) => {
        if (code !== undefined) token.current ??= (await anonymous.signUp.verify.mutate({ email, code })).token;
        const made = await anonymous.signUp.signUp.mutate({
          email,
          ...input,
          ...(token.current !== undefined && { token: token.current }),
        });
        await begin(made.token, made.organizationId);
        location.assign('/');
      }}
    />
  );
}
