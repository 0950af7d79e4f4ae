import type { Log } from '@coffer/domain';
import type { FastifyRequest } from 'fastify';
import { isLoopbackHost, readHost } from './host.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** What proxies say about whom they speak for, and about themselves. */
const FORWARDING = /^(?:x-forwarded-|(?:forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$)/;

/**
 * Whether a request came from another machine, or by a proxy, also by one on this machine: whoever is behind it may be
 * anywhere. Proxies that add no header show themselves by the name that was asked for, or by HTTP/1.0.
 */
export function isRemote({ socket, headers, raw }: FastifyRequest): boolean {
  if (!LOOPBACK.test(socket.remoteAddress ?? '') || raw.httpVersion === '1.0') return true;
  for (const name in headers) if (FORWARDING.test(name)) return true;
  const host = readHost(headers.host ?? '');
  return host === undefined || !isLoopbackHost(host);
}

/** Warns once that `X-Forwarded-For` came from somebody whom nobody named as a proxy: so it does not count. */
export function warnOfForwarding(log: Log): (peer: string) => void {
  let isWarned = false;
  return (peer) => {
    if (isWarned) return;
    isWarned = true;
    log.warn(
      { peer },
      'X-Forwarded-For came from an address that is no trusted proxy, and does not count: all of its callers have one address in limits, trusted IPs and the audit log. If it is your proxy, name it in COFFER_TRUSTED_PROXIES; if not, make it drop the header',
    );
  };
}
