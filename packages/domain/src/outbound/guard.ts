import ipaddr from 'ipaddr.js';
import { addressMatcher, readAddress, writeAddress, type IpAddress, type TrustedAddress } from '../kernel/address.ts';
import { asLookupFailure, refused, unreachable } from './failure.ts';
import { canonicalHost } from './target.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Turns a name into all its addresses. An answer without any means that the name has none. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** Finds the addresses of a host, in the order in which to try them. Throws `outbound.bad_url`, `.refused`, `.unreachable`, `.timeout`. */
export type Guard = (hostname: string) => Promise<[ResolvedAddress, ...ResolvedAddress[]]>;

/**
 * Decides which addresses may be called: those of the public internet, and those that the operator allows.
 *
 * A name passes only if all its addresses do. Using the passing ones would be as safe for the connection, which is
 * pinned, but a name that mixes public and inner addresses is either an attack or a mistake: refusing it is loud, gives
 * the same answer every time, and never sends a credential to whichever half happened to pass.
 */
export function createGuard(allow: readonly TrustedAddress[], resolve: Resolve): Guard {
  const isAllowed = addressMatcher(allow);

  function check(host: string, text: string): ResolvedAddress {
    const address = readAddress(text);
    if (!address) throw refused(host, 'no usable');
    const canonical = writeAddress(address);
    const range = isAllowed(canonical) ? undefined : innerRange(address);
    if (range) throw refused(host, range);
    return { address: canonical, family: address.kind() === 'ipv4' ? 4 : 6 };
  }

  return async (hostname) => {
    const host = canonicalHost(hostname);
    const addresses = readAddress(host) ? [host] : await addressesOf(host);
    const checked = addresses.map((address) => check(host, address));
    // IPv4 first: a container without IPv6 is common, one without IPv4 is not.
    const [first, ...others] = checked.toSorted((a, b) => a.family - b.family);
    if (!first) throw unreachable(host, 'has no address');
    return [first, ...others];
  };

  async function addressesOf(host: string): Promise<string[]> {
    // Nobody is asked (RFC 6761), and to allow 127.0.0.0/8 is enough, whatever the hosts file says.
    if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1'];
    try {
      return (await resolve(host)).map(({ address }) => address);
    } catch (error) {
      throw asLookupFailure(error, host);
    }
  }
}

const globalUnicast = ipaddr.IPv6.parse('2000::');
const nat64 = ipaddr.IPv6.parse('64:ff9b::');
/** Azure's host agent: a public address that answers every virtual machine with its own configuration. */
const azureWireServer = '168.63.129.16';

const names: Record<string, string> = {
  private: 'a private',
  loopback: 'a loopback',
  linkLocal: 'a link-local',
  uniqueLocal: 'a unique-local',
  carrierGradeNat: 'a carrier-grade NAT',
  unspecified: 'an unspecified',
  multicast: 'a multicast',
  broadcast: 'a broadcast',
};

/**
 * What keeps an address from being one of the public internet, or nothing. Everything that is not known to be public is
 * not: a range that a later RFC reserves is refused before anyone here has heard of it.
 */
function innerRange(address: IpAddress): string | undefined {
  if (isIPv4(address)) {
    if (address.toString() === azureWireServer) return 'a cloud metadata';
  } else {
    // With DNS64, public IPv4 hosts have such addresses; whoever translates them reaches the embedded address.
    if (address.match(nat64, 96)) return innerRange(ipaddr.IPv4.parse(embeddedIPv4(address)));
    // Leaves out ::127.0.0.1 (IPv4-compatible) and all that is not handed out.
    if (!address.match(globalUnicast, 3)) return names[address.range()] ?? 'a reserved';
  }
  // 6to4 and Teredo are refused whole, whatever they embed: no service lives there.
  const range = address.range();
  return range === 'unicast' ? undefined : (names[range] ?? 'a reserved');
}

const isIPv4 = (address: IpAddress): address is ipaddr.IPv4 => address.kind() === 'ipv4';
const embeddedIPv4 = (address: ipaddr.IPv6) => address.toByteArray().slice(12).join('.');
