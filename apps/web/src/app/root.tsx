import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ErrorNote } from '../ui/error.tsx';
import { Loading, Narrow } from '../ui/page.tsx';
import { ChooseOrganization } from '../screens/sign-in/choose-organization.tsx';
import { Lock } from '../screens/sign-in/lock.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { useIdleLock } from './idle.ts';
import { Layout } from './layout.tsx';
import { screens } from './screens.ts';
import { session, start } from './session.ts';
import { useStore } from './store.ts';

/** The whole console: who is signed in decides what is shown. The address stays, so that signing in leads back to it. */
export function Root() {
  const now = useStore(session);
  const [failure, setFailure] = useState<unknown>();
  useIdleLock();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const alone = screens.find((screen) => screen.path === path)?.alone;
  const begin = () => {
    setFailure(undefined);
    start().catch(setFailure);
  };
  useEffect(begin, []);
  if (failure)
    return (
      <Narrow title="No connection">
        <ErrorNote error={failure} onRetry={begin} />
      </Narrow>
    );
  if (now.state === 'loading') return <Loading />;
  if (alone === 'anybody') return <Outlet />;
  switch (now.state) {
    case 'signed-out':
      return <SignIn why={now.why} />;
    case 'choosing':
      return <ChooseOrganization />;
    case 'locked':
      return <Lock email={now.user.email ?? now.user.username} />;
    case 'signed-in':
      return alone ? (
        <Outlet />
      ) : (
        <Layout>
          <Outlet />
        </Layout>
      );
  }
}
