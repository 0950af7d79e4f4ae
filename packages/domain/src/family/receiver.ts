import type { Context } from '../kernel/index.ts';
import { remoteError } from './remote-error.ts';

/** Milliseconds: of the call itself, and of waiting where one receiver has several calls at a time. */
const CALL = 10_000;
const WAIT = 10_000;

/** What is sent to a receiver. */
export interface Notification {
  /** The same each time that this is sent: receivers recognize a repetition by it. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
  /** Besides the content type and the id. */
  readonly headers?: Record<string, string>;
}

/**
 * Sends a notification (JSON by POST) to an address that somebody chose. Redirects are not followed. The turns of a host
 * are counted for each organization.
 *
 * @throws DomainError 400 `outbound.*`, `remote.rejected`; the message names the host and nothing else of the address.
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
