import { Outlet, useMatches } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ErrorNote } from '../ui/error.tsx';
import { Loading, Narrow } from '../ui/page.tsx';
import { Lock } from '../screens/sign-in/lock.tsx';
import { SignIn } from '../screens/sign-in/sign-in.tsx';
import { useIdleLock } from './idle.ts';
import { Layout, PublicLayout } from './layout.tsx';
import { session, start } from './session.ts';
import { useStore } from './store.ts';
import { texts } from './texts.ts';

const ChooseOrganization = lazy(async () => ({
  default: (await import('../screens/sign-in/choose-organization.tsx')).ChooseOrganization,
}));

/** The whole console: who is signed in decides what is shown. The address stays, so that signing in leads back to it. */
export function Root() {
  const now = useStore(session);
  const [failure, setFailure] = useState<unknown>();
  const isPublic = useMatches({ select: (all) => all.some(({ staticData }) => staticData.isPublic) });
  const isAlone = useMatches({ select: (all) => all.some(({ staticData }) => staticData.isAlone) });
  useIdleLock();
  const begin = () => {
    setFailure(undefined);
    start().catch(setFailure);
  };
  useEffect(begin, []);
  if (failure)
    return (
      <Narrow title={texts.noConnection}>
        <ErrorNote error={failure} onRetry={begin} />
      </Narrow>
    );
  if (now.state === 'loading') return <Loading />;
  if (isAlone && (isPublic || now.state === 'signed-in')) return <Outlet />;
  if (isPublic && now.state !== 'signed-in')
    return (
      <PublicLayout>
        <Outlet />
      </PublicLayout>
    );
  switch (now.state) {
    case 'signed-out':
      return <SignIn why={now.why} />;
    case 'choosing':
      return (
        <Suspense fallback={<Loading />}>
          <ChooseOrganization />
        </Suspense>
      );
    case 'locked':
      return <Lock email={now.user.email ?? now.user.username} />;
    case 'signed-in':
      return (
        <Layout>
          <Outlet />
        </Layout>
      );
  }
}
