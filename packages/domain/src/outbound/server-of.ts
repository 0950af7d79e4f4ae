import { readAddress, writeAddress } from '../kernel/address.ts';
import { canonicalHost } from './target.ts';

/** Of the schemes whose URLs may have no port. */
const PORTS: ReadonlyMap<string, string> = new Map([
  ['http', '80'],
  ['https', '443'],
  ['ldap', '389'],
  ['ldaps', '636'],
]);
/** The usual ports of one directory: also those of its global catalog, with the same accounts. At others of a host there may be another one. */
export const DIRECTORY_PORTS: readonly string[] = ['389', '636', '3268', '3269'];

/**
 * The server that a target names, in one spelling: `host:port`, without scheme, path or database. All ports of LDAP are one. A target is a URL, or a
 * host with or without a port; texts after a blank distinguish accounts at a server that many have, and are kept.
 */
export function serverOf(target: string): string {
  const [named = '', ...accounts] = target.trim().toLowerCase().split(/\s+/);
  const scheme = named.includes('://') ? named.slice(0, named.indexOf('://')) : '';
  const [authority = ''] = named.slice(scheme ? scheme.length + 3 : 0).split(/[/?#]/, 1);
  const colon = authority.lastIndexOf(':');
  const hasPort = colon > authority.lastIndexOf(']') && /^\d+$/.test(authority.slice(colon + 1));
  const host = spelledOnce(hasPort ? authority.slice(0, colon) : authority);
  const given = hasPort ? String(Number(authority.slice(colon + 1))) : PORTS.get(scheme);
  const port = given !== undefined && DIRECTORY_PORTS.includes(given) ? DIRECTORY_PORTS[0] : given;
  return [port === undefined ? host : `${host}:${port}`, ...accounts].join(' ');
}

function spelledOnce(host: string): string {
  try {
    const canonical = canonicalHost(host);
    const address = readAddress(canonical);
    // An IPv4 address that is mapped to IPv6 is itself.
    return address ? writeAddress(address) : canonical;
  } catch {
    // The name of an account, or what nobody can connect to.
    return host;
  }
}
