import type { RemoteSession } from '../../family/index.ts';
import { DomainError, type Context } from '../../kernel/index.ts';
import { beginWork } from './remote.ts';

/** Deadline of what a caller waits for, in milliseconds. */
const WAIT_MS = 20_000;

/**
 * Works at an app while a caller waits. Comes before the transaction.
 *
 * @param failed What a failure of the app means, for people.
 * @throws DomainError 400 with the message of the app, redacted.
 */
export async function whileWaiting<T>(
  ctx: Context,
  failed: string,
  work: (session: RemoteSession) => Promise<T>,
): Promise<T> {
  using session = beginWork(ctx, WAIT_MS);
  try {
    return await work(session);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const why = await session.redact(error.message);
    throw new DomainError('bad_request', error.code, `${failed}: ${why}`);
  }
}
