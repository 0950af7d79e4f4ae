import { DomainError } from '@coffer/domain';
import type { Http } from './api-call.ts';

/**
 * Does a login as `subject`, or takes a code or token that is used once. Refusals are limited for each address and
 * subject; what is right never meets the limit, whatever came before it.
 *
 * @throws DomainError 429 in place of a refusal, where there were too many.
 */
export async function limitingRefusals<T>(
  { http }: { http: Http },
  subject: string,
  logIn: () => Promise<T>,
): Promise<T> {
  try {
    return await logIn();
  } catch (error) {
    throw (isRefusal(error) && http.refusedLogin(subject)) || error;
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError && ['unauthenticated', 'forbidden', 'not_found'].includes(error.kind);
