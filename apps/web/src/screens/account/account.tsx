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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** What a user sets for themselves. */
export function Screen() {
  const me = useQuery(ask('account', 'me', {}));
  return (
    <Page title={words.account}>
      <Queried query={me}>
        {({ user }) => (
          <>
            <Part title={texts.you}>
              <Profile user={user} />
            </Part>
            <Part title={texts.appearance}>
              <ThemeChoice />
            </Part>
            <Part title={texts.sessions}>
              <Sessions />
            </Part>
            <Part title={texts.apiKeys}>
              <ApiKeys />
            </Part>
            <Part title={words.password}>
              <Password />
            </Part>
            <Part title={texts.deletion}>
              <DeleteAccount />
            </Part>
          </>
        )}
      </Queried>
    </Page>
  );
}
