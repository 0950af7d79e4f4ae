import type { UseQueryResult } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { useContext, type ReactNode } from 'react';
import { ErrorNote } from './error.tsx';
import { InPage, Loading, Page } from './page.tsx';

/** What a query answers, or how far it is; with the name of the screen, where the answer is the whole page. */
export function Queried<T>({
  query,
  children,
}: {
  readonly query: UseQueryResult<T, unknown>;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  return (
    <InSomePage>
      {query.isError ? <ErrorNote error={query.error} onRetry={() => void query.refetch()} /> : <Loading />}
    </InSomePage>
  );
}

function InSomePage({ children }: { readonly children: ReactNode }) {
  const label = useMatches({ select: (all) => all.at(-1)?.staticData.label });
  return useContext(InPage) ? children : <Page title={label ?? ''}>{children}</Page>;
}
