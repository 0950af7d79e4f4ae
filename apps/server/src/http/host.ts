import { isIP, isIPv4 } from 'node:net';
import { clientAddress, DomainError, remembering } from '@coffer/domain/offline';
import type { FastifyRequest } from 'fastify';
import { timesIn } from './raw-headers.ts';

export interface HostRules {
  /** The address under which people reach Coffer. */
  readonly siteUrl: string;
  /** Further names and addresses under which it is reached, without ports. */
  readonly hosts: readonly string[];
  /** Whether an address is a proxy that the operator named. */
  readonly isTrustedProxy?: ((address: string) => boolean) | undefined;
  /** Whether any address is accepted. A page that rebinds its name always sends that name. */
  readonly takesAddresses?: boolean;
}

/** For probes, which ask by address and are answered nothing of worth. */
const EXEMPT = '/api/status';

const MAX_REMEMBERED = 1000;
const NOBODY = () => false;

/**
 * The host that an authority (`name:port`) names, in canonical form: lower case, without a dot at its end, addresses as
 * RFC 5952 and dotted quads write them; nothing for text that names none.
 */
export function readHost(authority: string): string | undefined {
  if (!/^[^\s/?#@\\]{1,300}$/.test(authority)) return undefined;
  const host = URL.parse(`http://${authority}`)?.hostname.replace(/\.$/, '');
  return host ? host : undefined;
}

/** Names and addresses of the machine itself (RFC 6761, section 6.3). */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIPv4(host) && host.startsWith('127.')) || host === '[::1]';

const isAddress = (host: string) => isIP(host.replace(/^\[|\]$/g, '')) !== 0;

/** Wildcard addresses, which clients cannot use. */
const UNSPECIFIED = new Set(['0.0.0.0', '[::]']);

/**
 * Rejects requests for unknown hosts. A web page whose own name was pointed at this server (DNS rebinding) has the same
 * origin for the browser, and only the name distinguishes it.
 */
export function hostGuard({ siteUrl, hosts, isTrustedProxy, takesAddresses = false }: HostRules) {
  const served = new Set([new URL(siteUrl).host, ...hosts].flatMap((authority) => readHost(authority) ?? []));
  for (const one of UNSPECIFIED) served.delete(one);
  const isServed = remembering((authority) => {
    const host = readHost(authority);
    return host !== undefined && (served.has(host) || isLoopbackHost(host) || (takesAddresses && isAddress(host)));
  }, MAX_REMEMBERED);

  /** Whether all host names of the request are served here. */
  const isAllowed = ({ url, headers, rawHeaders, socket }: Asked): boolean => {
    if (headers.host === undefined || !isServed(headers.host)) return false;
    // Servers disagree about which of several counts; a request has one (RFC 9112, section 3.2).
    if (rawHeaders && timesIn(rawHeaders, 'host') > 1) return false;
    // In absolute form the target names the host, and servers go by it (RFC 9112, section 3.2.2).
    if (url !== undefined && !url.startsWith('/') && url !== '*' && !isServed(URL.parse(url)?.host ?? '')) return false;
    const forwarded = headers['x-forwarded-host'];
    if (forwarded === undefined || !isTrustedProxy?.(clientAddress(socket.remoteAddress ?? '', undefined, NOBODY)))
      return true;
    // The host that a proxy received is checked in addition to the one that it sends, never instead.
    return [forwarded].flat().every((list) => list.split(',').every((one) => isServed(one.trim())));
  };

  return {
    isAllowed,
    /** @throws DomainError 421 */
    require: (req: FastifyRequest): void => {
      if (isAllowed(req.raw)) return;
      if (req.routeOptions.url === EXEMPT) return;
      throw new DomainError(
        'misdirected',
        'request.misdirected',
        'This host is not served; the operator configures hosts in COFFER_SITE_URL and COFFER_HOSTS',
      );
    },
  };
}

interface Asked {
  readonly url?: string | undefined;
  /** As they arrived: names and values in turns. */
  readonly rawHeaders?: readonly string[];
  readonly headers: { readonly host?: string | undefined; readonly [name: string]: string | string[] | undefined };
  readonly socket: { readonly remoteAddress?: string | undefined };
}
