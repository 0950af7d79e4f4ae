import { isIPv6 } from 'node:net';
import { badUrl } from './failure.ts';

/**
 * The canonical form of a host name or address, which is both checked and connected to: lower case, punycode, without a
 * final dot and brackets, and every form of an IPv4 address (`2130706433`, `0x7f.1`, `0177.0.0.1`) as dotted decimal,
 * as in the WHATWG URL standard. Throws `outbound.bad_url` for an invalid host.
 */
export function canonicalHost(hostname: string): string {
  const authority = isIPv6(hostname) ? `[${hostname}]` : hostname;
  if (!/^(?:\[[^\]]*\]|[^\s/?#@:\\]+)$/.test(authority)) throw badUrl('This is not a valid host name');
  return readUrl(`http://${authority}/`).hostname.replace(/^\[|\]$/g, '');
}

/**
 * Parses a URL to call: http or https, without user name and password; the host is in canonical form and the fragment
 * removed. Throws `outbound.bad_url`.
 */
export function readTarget(text: string, base?: URL): URL {
  const url = readUrl(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw badUrl('Only http and https URLs can be called');
  if (url.username || url.password) throw badUrl('A URL must not hold a user name or a password');
  url.hash = '';
  return url;
}

/** The host of a URL for sockets and resolvers: an IPv6 address without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw badUrl('This is not a valid URL');
  // `example.com.` and `example.com` are one host: certificates, Host headers and allow-lists use it without the dot.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  if (/^\.|\.\.|\.$/.test(url.hostname)) throw badUrl('This is not a valid host name');
  return url;
}
