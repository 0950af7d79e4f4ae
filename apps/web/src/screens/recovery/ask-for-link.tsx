import { Link } from '@tanstack/react-router';
import { anonymous } from '../../app/session.ts';
import { AskForLink } from '../../ui/ask-for-link.tsx';
import { Narrow } from '../../ui/page.tsx';

/** For who has forgotten the password. */
export const AskForRecovery = () => (
  <Narrow title="Forgotten password">
    <AskForLink submit="Send the link" ask={(email) => anonymous.recovery.ask.mutate({ email })}>
      <p>A link by e-mail lets you choose a new password. That ends all your sessions and API keys.</p>
    </AskForLink>
    <p>
      <Link to="/">Back to the sign-in</Link>
    </p>
  </Narrow>
);
