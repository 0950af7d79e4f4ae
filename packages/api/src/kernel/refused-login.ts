import { beyondLimit, DomainError } from '@coffer/domain';
import type { Http } from './api-call.ts';

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

const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && ['unauthenticated', 'forbidden', 'not_found'].includes(error.kind);
