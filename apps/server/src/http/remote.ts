import type { IncomingHttpHeaders } from 'node:http';
import type { Log } from '@coffer/domain';
import type { FastifyRequest } from 'fastify';
import { isLoopbackHost, readHost } from './host.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** The headers of proxies about their clients and themselves. */
const FORWARDING = /^(?:x-forwarded-|(?:forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$)/;

/**
 * Whether a request came from another host, or through a proxy, also one on this host: its client may be anywhere.
 * Proxies that add no header are detected by the requested host name, or by HTTP/1.0. A page of another site that is
 * open on this host counts as another host.
 */
export function isRemote({ socket, headers, raw }: FastifyRequest): boolean {
  if (!LOOPBACK.test(socket.remoteAddress ?? '') || raw.httpVersion === '1.0') return true;
  for (const name in headers) if (FORWARDING.test(name)) return true;
  const host = readHost(headers.host ?? '');
  return host === undefined || !isLoopbackHost(host) || isOfOtherPage(headers);
}

/**
 * Whether a browser reports that a page of another site makes this request: by `Origin` (Fetch, section 3.2) or by
 * `Sec-Fetch-Site` (Fetch Metadata, section 2.3). Programs send neither.
 */
function isOfOtherPage({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && URL.parse(origin)?.host !== host?.toLowerCase()) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Warns once about `X-Forwarded-For` from a peer that is not a configured proxy: it is ignored. */
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
