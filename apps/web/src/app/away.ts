import { CofferError } from '@coffer/client';
import { useEffect } from 'react';
import { queryClient } from './ask.ts';
import { anonymous } from './session.ts';
import { store, useStore } from './store.ts';

const away = store(false);
const AGAIN_MS = 3_000;

const isUnreachable = (error: unknown) =>
  error instanceof CofferError && (error.status === 0 || [502, 503, 504].includes(error.status));

/** Whether the server was not there at the last call. While it is away it is tried again, and what failed is read again. */
export function useIsAway(): boolean {
  const isAway = useStore(away);
  useEffect(() => {
    if (!isAway) return undefined;
    const timer = setInterval(() => {
      anonymous.instance.status
        .query({}, { timeoutMs: AGAIN_MS })
        .then(() => {
          away.set(false);
          return queryClient.invalidateQueries();
        })
        .catch(() => undefined);
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isAway]);
  return isAway;
}

const note = (error: unknown) => {
  if (isUnreachable(error)) away.set(true);
};
queryClient.getQueryCache().subscribe(({ query }) => note(query.state.error));
queryClient.getMutationCache().subscribe(({ mutation }) => note(mutation?.state.error));
