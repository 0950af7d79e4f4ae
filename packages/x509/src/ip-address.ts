import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const dottedQuad = new RegExp(`^${octet}(?:\\.${octet}){3}$`);
/** `::ffff:0:0/96`: the IPv4-mapped IPv6 addresses. */
export const MAPPED = ipaddr.IPv6.parse('::ffff:0:0');

/** Whether a text is an IPv4 address, each octet in decimal without leading zeros. */
export const isIPv4 = (text: string): boolean => dottedQuad.test(text);

/**
 * Parses an address. Only full forms are accepted: no shorthand (`10.1`), no octal or hexadecimal octets, no zone
 * (`fe80::1%eth0`). An IPv4-mapped IPv6 address becomes its IPv4 address.
 */
export function readAddress(text: string): IpAddress | undefined {
  // How a socket that listens for both families writes IPv4.
  const dotted = text.startsWith('::ffff:') ? text.slice(7) : text;
  if (isIPv4(dotted)) return ipaddr.IPv4.parse(dotted);
  const address = readIPv6(text);
  return address?.match(MAPPED, 96) ? address.toIPv4Address() : address;
}

/** The form of an address in certificates, logs, events and comparisons: dotted IPv4, IPv6 by RFC 5952. */
export const writeAddress = (address: IpAddress): string =>
  address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String();

/** ipaddr.js parses IPv6 leniently; here it only gets hexadecimal groups of at most four digits. */
function readIPv6(text: string): ipaddr.IPv6 | undefined {
  if (text.length > 45 || !text.includes(':')) return undefined;
  const lastGroup = text.lastIndexOf(':') + 1;
  const tail = text.slice(lastGroup);
  const groups = isIPv4(tail) ? text.slice(0, lastGroup) + asGroups(tail) : text;
  if (!/^[0-9a-f:]+$/i.test(groups) || /[0-9a-f]{5}|:::/i.test(groups)) return undefined;
  return ipaddr.IPv6.isValid(groups) ? ipaddr.IPv6.parse(groups) : undefined;
}

function asGroups(quad: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = quad.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
