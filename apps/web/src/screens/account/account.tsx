import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { Part } from '../../ui/detail.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { ApiKeys } from './api-keys.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { ThemeChoice } from './theme-choice.tsx';

/** What a user sets for themselves. */
export function Screen() {
  const me = useQuery(ask('account', 'me', {}));
  return (
    <Page title="Account">
      <Queried query={me}>
        {({ user }) => (
          <>
            <Part title="You">
              <Profile user={user} />
            </Part>
            <Part title="Appearance">
              <ThemeChoice />
            </Part>
            <Part title="Sessions">
              <Sessions />
            </Part>
            <Part title="API keys">
              <ApiKeys />
            </Part>
            <Part title="Password">
              <Password />
            </Part>
            <Part title="Deletion">
              <DeleteAccount />
            </Part>
          </>
        )}
      </Queried>
    </Page>
  );
}
