import { linkTo } from '../../app/link.ts';
import { AskForRecovery } from './ask-for-link.tsx';
import { NewPassword } from './new-password.tsx';

/** A forgotten password: the link is asked for here, and leads back here. */
export function Screen() {
  const link = linkTo('/password-reset');
  return link ? <NewPassword {...link} /> : <AskForRecovery />;
}
