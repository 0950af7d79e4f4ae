import { beyondLimit, DomainError, NOT_VERIFIED, requireOpenRequest } from '@coffer/domain';
import type { Http } from './api-call.ts';
import { waitFor } from './waiting.ts';

/**
 * Runs a login as `subject`, or consumes a single-use code or token. Refusals are limited for each address and subject;
 * valid ones never meet the limit.
 *
 * @throws DomainError 429 instead of a refusal beyond the limit.
 */
export async function limitingRefusals<T>(
  { http }: { http: Http },
  subject: string,
  logIn: () => Promise<T>,
): Promise<T> {
  try {
    return await logIn();
  } catch (error) {
    throw isRefusal(error) ? beyondLimit(error, http.refusedLogin(subject)) : error;
  }
}

/**
 * The same for a login that asks another system, which callers must not flood: those of one address and subject take turns.
 *
 * @throws DomainError 429 `rate.busy` in addition, if too many wait.
 */
export async function inLoginTurn<T>(call: { http: Http }, subject: string, logIn: () => Promise<T>): Promise<T> {
  const end = await waitFor(call.http, () => call.http.takeLoginTurn(subject));
  let isRefused = false;
  try {
    return await limitingRefusals(call, subject, async () => {
      requireOpenRequest();
      return logIn();
    });
  } catch (error) {
    isRefused = true;
    throw error;
  } finally {
    end(isRefused);
  }
}

/**
 * Runs an operation with a credential in its input (`takesCredential`). Rejected ones count for the address, together with
 * those in headers; valid ones never meet the limit.
 *
 * @throws DomainError 429 instead of a 401 beyond the limit.
 */
export async function countingRefusals<T>({ http }: { http: Http }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isRejected = error instanceof DomainError && error.kind === 'unauthenticated';
    throw isRejected ? beyondLimit(error, http.refusedCredential()) : error;
  }
}

/** Also what could not be verified, since another system did not answer. */
const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError &&
  (['unauthenticated', 'forbidden', 'not_found'].includes(error.kind) || error.code === NOT_VERIFIED);
