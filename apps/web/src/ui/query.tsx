import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote } from './error.tsx';
import { Loading } from './page.tsx';

/** What a query answers, or how far it is. */
export function Queried<T>({
  query,
  children,
}: {
  readonly query: UseQueryResult<T, unknown>;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}
