import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Loading, Page } from '../ui/page.tsx';
import { ErrorNote } from '../ui/error.tsx';
import { Toasts } from '../ui/toast.tsx';
import { takeLink } from './link.ts';
import { Root } from './root.tsx';
import { screens } from './screens.ts';
import { texts } from './texts.ts';

const root = createRootRoute({
  component: Root,
  notFoundComponent: () => (
    <Page title={texts.notFound}>
      <p>{texts.thereIsNoSuchPage}</p>
    </Page>
  ),
  errorComponent: ({ error, reset }) => (
    <Page title={texts.thisPageFailed}>
      <ErrorNote error={error} onRetry={reset} />
    </Page>
  ),
});

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly label?: string;
    readonly isPublic?: boolean;
    readonly isAlone?: boolean;
  }
}

const routes = screens.map(({ path, label, load, isPublic = false, isAlone = false }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, 'Screen'),
    staticData: { label, isPublic, isAlone },
  }),
);

// Before the router reads the address.
takeLink();

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPendingComponent: Loading,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Inside of the router: they may have links.
  InnerWrap: ({ children }) => (
    <>
      {children}
      <Toasts />
    </>
  ),
});
