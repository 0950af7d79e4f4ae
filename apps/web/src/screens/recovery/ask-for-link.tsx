import { Link } from '@tanstack/react-router';
import { anonymous } from '../../app/session.ts';
import { AskForLink } from '../../ui/ask-for-link.tsx';
import { Narrow } from '../../ui/page.tsx';
import { texts } from './texts.ts';

/** For who has forgotten the password. */
export const AskForRecovery = () => (
  <Narrow title={texts.forgottenPassword}>
    <AskForLink submit={texts.sendLink} ask={(email) => anonymous.recovery.ask.mutate({ email })}>
      <p>{texts.linkByEMail}</p>
    </AskForLink>
    <p>
      <Link to="/">{texts.backToSignIn}</Link>
    </p>
  </Narrow>
);
