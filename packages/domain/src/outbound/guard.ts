import ipaddr from 'ipaddr.js';
import { addressMatcher, readAddress, writeAddress, type IpAddress, type TrustedAddress } from '../kernel/address.ts';
import { asLookupFailure, isAbsent, noAddress, refused } from './failure.ts';
import { canonicalHost } from './target.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Turns a name into all its addresses. An answer without any means that the name has none. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** Is told why a name is not called: the operator may know it. */
export type NoteOfName = (host: string, reason: string) => void;

/** Finds the addresses of a host, in the order in which to try them. Throws `outbound.bad_url`, `.refused`, `.unreachable`, `.timeout`. */
export type Guard = (hostname: string) => Promise<[ResolvedAddress, ...ResolvedAddress[]]>;

/**
 * Decides which addresses may be called: public addresses, and those that the operator allows.
 *
 * A name passes only if all its addresses do. Using only the passing ones would be as safe, because the connection is
 * pinned. But a name with public and private addresses is an attack or a mistake: rejecting it is visible,
 * deterministic, and never sends a credential to only one of them.
 *
 * A name that does not pass is answered like one that nobody has: which names the machine's resolver knows, and what for, is the
 * operator's. An address that the caller has written itself says nothing new.
 */
export function createGuard(
  allow: readonly TrustedAddress[],
  resolve: Resolve,
  note: NoteOfName = () => undefined,
): Guard {
  const isAllowed = addressMatcher(allow);

  function check(text: string, refuse: (what: string) => Error): ResolvedAddress {
    const address = readAddress(text);
    if (!address) throw refuse('no usable');
    const canonical = writeAddress(address);
    const range = isAllowed(canonical) ? undefined : innerRange(address);
    if (range) throw refuse(range);
    return { address: canonical, family: address.kind() === 'ipv4' ? 4 : 6 };
  }

  function withoutReason(host: string, what: string): Error {
    note(host, `It has ${what} address`);
    return noAddress(host);
  }

  return async (hostname) => {
    const host = canonicalHost(hostname);
    const written = writtenAddress(host);
    const refuse = (what: string) => (written === undefined ? withoutReason(host, what) : refused(host, what));
    const addresses = written === undefined ? await addressesOf(host) : [written];
    const checked = addresses.map((address) => check(address, refuse));
    // IPv4 first: containers without IPv6 are common, those without IPv4 are not.
    const [first, ...others] = checked.toSorted((a, b) => a.family - b.family);
    if (!first) throw withoutReason(host, 'no');
    return [first, ...others];
  };

  async function addressesOf(host: string): Promise<string[]> {
    try {
      return (await resolve(host)).map(({ address }) => address);
    } catch (error) {
      throw isAbsent(error) ? withoutReason(host, 'no') : asLookupFailure(error, host);
    }
  }
}

/** The address that a host is without being looked up. */
function writtenAddress(host: string): string | undefined {
  if (readAddress(host)) return host;
  // Not resolved (RFC 6761): allowing 127.0.0.0/8 is enough, whatever the hosts file contains.
  return host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : undefined;
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
