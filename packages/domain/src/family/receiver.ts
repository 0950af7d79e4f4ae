import type { Context } from '../kernel/index.ts';
import { remoteError } from './remote-error.ts';

/**
 * Milliseconds: the deadline of the call itself, and the maximum time in the queue of a receiver with concurrent calls.
 */
const CALL = 10_000;
const WAIT = 10_000;

/** A notification to a receiver. */
export interface Notification {
  /** The same each time that this is sent: receivers recognize a repetition by it. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
  /** In addition to the content type and the ID. */
  readonly headers?: Record<string, string>;
}

/**
 * Sends a notification (JSON by POST) to a user-chosen address. Does not follow redirects. Concurrent calls to a host
 * are limited for each organization.
 *
 * @throws DomainError 400 `outbound.*`, `remote.rejected`; the message contains only the host of the address.
 */
export async function notifyReceiver(
  ctx: Context,
  organizationId: string,
  { id, url, body, headers }: Notification,
): Promise<void> {
  const { host } = new URL(url);
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': id, ...headers },
    body,
    timeoutMs: CALL,
    maxRedirects: 0,
  };
  const { status } = await ctx.targets.run(`webhook ${host}`, () => ctx.fetch(url, request), {
    timeMs: CALL + 1000,
    waitMs: WAIT,
    whose: organizationId,
  });
  if (status < 200 || status >= 300) throw remoteError('rejected', `${host} answered ${status}`);
}
