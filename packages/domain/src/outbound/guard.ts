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
 * Decides which addresses may be called: public addresses, and those that the operator allows.
 *
 * A name passes only if all its addresses do. Using only the passing ones would be as safe, because the connection is
 * pinned. But a name with public and private addresses is an attack or a mistake: rejecting it is visible,
 * deterministic, and never sends a credential to only one of them.
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
    // IPv4 first: containers without IPv6 are common, those without IPv4 are not.
    const [first, ...others] = checked.toSorted((a, b) => a.family - b.family);
    if (!first) throw unreachable(host, 'has no address');
    return [first, ...others];
  };

  async function addressesOf(host: string): Promise<string[]> {
    // Not resolved (RFC 6761): allowing 127.0.0.0/8 is enough, whatever the hosts file contains.
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
/** Azure's host agent: a public address that returns every virtual machine its own configuration. */
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
 * Why an address is not public; `undefined` if it is. Only known public ranges are: a range that a later RFC reserves
 * is rejected already.
 */
function innerRange(address: IpAddress): string | undefined {
  if (isIPv4(address)) {
    if (address.toString() === azureWireServer) return 'a cloud metadata';
  } else {
    // With DNS64, public IPv4 hosts have such addresses; the translator reaches the embedded address.
    if (address.match(nat64, 96)) return innerRange(ipaddr.IPv4.parse(embeddedIPv4(address)));
    // Leaves out ::127.0.0.1 (IPv4-compatible) and all that is not handed out.
    if (!address.match(globalUnicast, 3)) return names[address.range()] ?? 'a reserved';
  }
  // 6to4 and Teredo are rejected completely, whatever they embed: no services use them.
  const range = address.range();
  return range === 'unicast' ? undefined : (names[range] ?? 'a reserved');
}

const isIPv4 = (address: IpAddress): address is ipaddr.IPv4 => address.kind() === 'ipv4';
const embeddedIPv4 = (address: ipaddr.IPv6) => address.toByteArray().slice(12).join('.');
