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
    const tryAgain = () => {
      anonymous.instance.status
        .query({}, { timeoutMs: AGAIN_MS })
        .then(() => {
          away.set(false);
          return queryClient.invalidateQueries();
        })
        .catch(() => undefined);
    };
    const timer = setInterval(tryAgain, AGAIN_MS);
    // The browser has its own connection back.
    window.addEventListener('online', tryAgain);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', tryAgain);
    };
  }, [isAway]);
  return isAway;
}
