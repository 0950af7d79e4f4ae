import type { OutboundRequest } from '../kernel/outbound.ts';
import { badRedirect } from './failure.ts';
import { hostOf, readTarget } from './target.ts';

/** One request of an exchange; a redirect creates the next one from it. Header names are in lower case. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly ca?: string;
  readonly clientCertificate?: OutboundRequest['clientCertificate'];
}

/** What another origin may see. Any other header may be a credential: `x-vault-token`, `private-token`, `dd-api-key`. */
const harmless = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Whether a response is a redirect. */
export const isRedirect = (status: number, location: string | undefined): location is string =>
  [301, 302, 303, 307, 308].includes(status) && location !== undefined;

/**
 * Follows a redirect. The new address is checked on connecting, like the first one; this function decides what is sent
 * again. 301, 302 and 303 turn the request into a GET without a body. Another origin gets neither credentials nor the
 * client certificate. Throws `outbound.redirect` if following could disclose something or be wrong: from https to http,
 * a body to another origin, or a PUT, PATCH or DELETE that would seem successful after a GET.
 */
export function followRedirect(hop: Hop, status: number, location: string): Hop {
  const host = hostOf(hop.url);
  const url = locate(hop.url, location);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw badRedirect(host, 'from https to http');

  const reads = hop.method === 'GET' || hop.method === 'HEAD';
  if (status <= 302 && !reads && hop.method !== 'POST') throw badRedirect(host, `a ${hop.method} request`);
  const next = status <= 303 ? asRead(hop) : hop;
  if (url.origin === hop.url.origin) return { ...next, url };
  if (next.body !== undefined) throw badRedirect(host, 'a request with a body to another host');
  return { url, method: next.method, headers: pick(next.headers, (name) => harmless.has(name)), ca: next.ca };
}

function locate(from: URL, location: string): URL {
  try {
    return readTarget(location, from);
  } catch {
    throw badRedirect(hostOf(from), 'to a URL that is not http or https');
  }
}

const asRead = ({ body: _, ...hop }: Hop): Hop => ({
  ...hop,
  method: hop.method === 'HEAD' ? 'HEAD' : 'GET',
  headers: pick(hop.headers, (name) => !name.startsWith('content-')),
});

const pick = (headers: Hop['headers'], keep: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)));
