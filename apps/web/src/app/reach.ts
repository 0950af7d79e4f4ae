import { CofferError } from '@coffer/client';
import { store } from './store.ts';

/** Whether the server was not there at the last call. */
export const away = store(false);

/** Of proxies before a server that is not there. */
const AWAY: readonly number[] = [502, 503, 504];

/** The browser's `fetch`, which notes when the server is not there, whoever asks for what. */
export const notingFetch: typeof fetch = async (...request) => {
  try {
    const answer = await fetch(...request);
    if (AWAY.includes(answer.status)) away.set(true);
    return answer;
  } catch (error) {
    // No connection, or no answer in time. What is aborted since nobody waits for it any more has another error.
    if (error instanceof TypeError || error instanceof CofferError) away.set(true);
    throw error;
  }
};
