export { readAddress, writeAddress, type IpAddress } from '@coffer/x509/ip-address';
import { isIPv4, MAPPED, readAddress, writeAddress, type IpAddress } from '@coffer/x509/ip-address';
import type { IPv6 } from 'ipaddr.js';
import { z } from 'zod';
import { badRequest } from './errors.ts';

/**
 * One address or range that an operator or a user trusts, as it is stored and answered. `prefix` is absent for a single
 * address. The input form is text; see `parseTrustedAddress`.
 */
export const TrustedAddress = z.object({
  ipAddress: z.string(),
  type: z.enum(['ipv4', 'ipv6']),
  prefix: z.number().int().min(0).max(128).optional(),
});
export type TrustedAddress = z.output<typeof TrustedAddress>;

/**
 * What a client's attempts are counted under: its IPv4 address, or its network of IPv6, since one customer has a whole /64
 * and with it more addresses than could be counted.
 */
export function clientNetwork(ipAddress: string): string {
  if (!ipAddress.includes(':')) return ipAddress;
  const address = readAddress(ipAddress);
  if (address?.kind() !== 'ipv6') return address ? writeAddress(address) : ipAddress;
  const groups = (address as IPv6).parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * One trusted-IP entry: an IPv4 or IPv6 address, or a range in CIDR notation. The address is kept as it was written.
 * Throws `ip.invalid` (400) for anything else.
 */
export function parseTrustedAddress(text: string): TrustedAddress {
  const [, ipAddress, digits] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text.trim()) ?? [];
  if (!ipAddress || !readAddress(ipAddress)) throw invalidAddress(text);
  const type = ipAddress.includes(':') ? 'ipv6' : 'ipv4';
  if (digits === undefined) return { ipAddress, type };
  const prefix = Number(digits);
  if (prefix > (type === 'ipv4' ? 32 : 128)) throw invalidAddress(text);
  return { ipAddress, type, prefix };
}

/** The entries of a comma list, as the configuration has them. Throws `ip.invalid`, naming the first faulty one. */
export const parseCidrs = (text: string): TrustedAddress[] =>
  text
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map(parseTrustedAddress);

const invalidAddress = (text: string) =>
  badRequest('ip.invalid', `"${text.trim().slice(0, 100)}" is neither an IP address nor a range such as 10.0.0.0/8`);

/**
 * Compiles a list into a test. Text that is no address never matches, nor does anything match an empty list. `::/0`
 * stands for IPv6 alone: IPv4 addresses, mapped ones included, are matched by IPv4 entries. Throws `ip.invalid` for an
 * entry that `parseTrustedAddress` would not have made.
 */
export function addressMatcher(entries: readonly TrustedAddress[]): (address: string) => boolean {
  const ranges = entries.map(compileRange);
  const ipv4 = ranges.filter(([address]) => address.kind() === 'ipv4');
  const ipv6 = ranges.filter(([address]) => address.kind() === 'ipv6');
  const [everyIPv4, everyIPv6] = [ipv4, ipv6].map((list) => list.some(([, prefix]) => prefix === 0));
  return (text) => {
    // The published default is everything, and this runs for every request.
    if (everyIPv4 && isIPv4(text)) return true;
    const address = readAddress(text);
    if (!address) return false;
    if (address.kind() === 'ipv4') return everyIPv4 || ipv4.some((range) => address.match(range));
    return everyIPv6 || ipv6.some((range) => address.match(range));
  };
}

function compileRange({ ipAddress, type, prefix }: TrustedAddress): [IpAddress, number] {
  const address = readAddress(ipAddress);
  if (!address) throw invalidAddress(ipAddress);
  if (type === 'ipv4') return [address, prefix ?? 32];
  const bits = prefix ?? 128;
  if (address.kind() === 'ipv6') return [address, bits];
  // A range of mapped addresses; one that is wider than all of them is a range of IPv6.
  return bits >= 96 ? [address, bits - 96] : [MAPPED, bits];
}

/**
 * The client's address: the socket's, or what `X-Forwarded-For` says, read from the right and only as far as trusted
 * proxies vouch for it. An entry that is no address ends the walk, so whatever a client puts before its own address
 * changes nothing. Ports and brackets are dropped; the result is written as `writeAddress` does.
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | readonly string[] | undefined,
  isTrustedProxy: (address: string) => boolean,
): string {
  const socket = readAddress(socketAddress);
  let client = socket ? writeAddress(socket) : socketAddress;
  const hops = forwardedFor ? [forwardedFor].flat().join(',').split(',') : [];
  while (hops.length && isTrustedProxy(client)) {
    const hop = readHop(hops.pop() ?? '');
    if (!hop) break;
    client = writeAddress(hop);
  }
  return client;
}

function readHop(entry: string): IpAddress | undefined {
  const text = entry.trim();
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  return readAddress(inBrackets ?? beforePort ?? text);
}
