export { readAddress, writeAddress, type IpAddress } from '@coffer/x509/ip-address';
import { isIPv4, MAPPED, readAddress, writeAddress, type IpAddress } from '@coffer/x509/ip-address';
import type { IPv6 } from 'ipaddr.js';
import { z } from 'zod';
import { badRequest } from './errors.ts';

/**
 * A trusted address or range, as it is stored and returned. `prefix` is absent for a single address. The input is text;
 * see `parseTrustedAddress`.
 */
export const TrustedAddress = z.object({
  ipAddress: z.string(),
  type: z.enum(['ipv4', 'ipv6']),
  prefix: z.number().int().min(0).max(128).optional(),
});
export type TrustedAddress = z.output<typeof TrustedAddress>;

/** The key for counting a client's attempts: its IPv4 address, or its IPv6 /64 network, which one customer has. */
export function clientNetwork(ipAddress: string): string {
  if (!ipAddress.includes(':')) return ipAddress;
  const address = readAddress(ipAddress);
  if (address?.kind() !== 'ipv6') return address ? writeAddress(address) : ipAddress;
  const groups = (address as IPv6).parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/**
 * One trusted-IP entry: an IPv4 or IPv6 address, or a range in CIDR notation. The address is stored as given. Throws
 * `ip.invalid` (400) for anything else.
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

/** The entries of a comma-separated list in the configuration. Throws `ip.invalid` with the first invalid one. */
export const parseCidrs = (text: string): TrustedAddress[] =>
  text
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map(parseTrustedAddress);

const invalidAddress = (text: string) =>
  badRequest('ip.invalid', `"${text.trim().slice(0, 100)}" is neither an IP address nor a range such as 10.0.0.0/8`);

/**
 * Compiles a list into a predicate. Text that is not an address never matches, nor does anything match an empty list.
 * `::/0` matches only IPv6: IPv4 addresses, including mapped ones, are matched by IPv4 entries. Throws `ip.invalid` for
 * an entry that `parseTrustedAddress` does not return.
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

/** Whether a list of addresses has every address of an entry, in one of its own. */
export const includesRange = (entries: readonly TrustedAddress[], one: TrustedAddress): boolean => {
  const [address, prefix] = compileRange(one);
  return entries
    .map(compileRange)
    .some(([other, bits]) => other.kind() === address.kind() && bits <= prefix && address.match([other, bits]));
};

type Range = [IpAddress, number];

const MAX_COMPILED = 1000;
const compiled = new Map<string, Range>();

/** A login compiles the same few ranges each time: parsing one costs more than the rest of the check. */
function compileRange(entry: TrustedAddress): Range {
  const key = `${entry.type} ${entry.ipAddress}/${entry.prefix}`;
  let range = compiled.get(key);
  if (!range) {
    range = parseRange(entry);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(key, range);
  }
  return range;
}

function parseRange({ ipAddress, type, prefix }: TrustedAddress): Range {
  const address = readAddress(ipAddress);
  if (!address) throw invalidAddress(ipAddress);
  if (type === 'ipv4') return [address, prefix ?? 32];
  const bits = prefix ?? 128;
  if (address.kind() === 'ipv6') return [address, bits];
  // A range of mapped addresses; a wider one is a range of IPv6.
  return bits >= 96 ? [address, bits - 96] : [MAPPED, bits];
}

/**
 * The client's address: the socket's, or that of `X-Forwarded-For`, read from the right through trusted proxies. An
 * invalid entry ends the search, so a client cannot influence it with entries of its own. Ports and brackets are
 * removed; the result is in the form of `writeAddress`.
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
