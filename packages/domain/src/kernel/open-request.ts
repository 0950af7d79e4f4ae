import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from './errors.ts';

interface OpenRequest {
  isAbandoned: () => boolean;
}

const requests = new AsyncLocalStorage<OpenRequest>();
const NEVER = () => false;

export const clientGone = () => unavailable('request.closed', 'The client has disconnected');

/**
 * Does the work of a request. Long work in it (`WorkBudget`, `mapInTurns`) stops once `isAbandoned` says that nobody waits for
 * the answer any more; a transaction is rolled back then. What continues after the work, such as a timer, is not affected.
 */
export async function withinRequest<T>(isAbandoned: () => boolean, work: () => Promise<T>): Promise<T> {
  const request: OpenRequest = { isAbandoned };
  try {
    return await requests.run(request, work);
  } finally {
    request.isAbandoned = NEVER;
  }
}

/** @throws DomainError 503 `request.closed` where the client of the present request has disconnected. */
export function requireOpenRequest(): void {
  if (requests.getStore()?.isAbandoned()) throw clientGone();
}
