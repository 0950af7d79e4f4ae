import { useEffect } from 'react';
import { queryClient } from './ask.ts';
import { away } from './reach.ts';
import { anonymous } from './session.ts';
import { useStore } from './store.ts';

const AGAIN_MS = 3_000;

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
