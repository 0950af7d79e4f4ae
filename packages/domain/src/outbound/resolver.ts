import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { readAddress } from '../kernel/address.ts';
import { isAbsent } from './failure.ts';
import type { Resolve, ResolvedAddress } from './guard.ts';

/** Where the resolver reads the machine's settings; other places in tests. */
export interface ResolverSources {
  hostsFile?: string;
  resolvConf?: string;
  /** `address:port` of each server; default: those of the system. */
  servers?: string[];
}

const systemHosts = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/**
 * Resolves like the system (hosts file, search list, name servers) but without `getaddrinfo`. That uses the process's
 * few worker threads, where two names with silent servers block every other lookup, including the database's. Here each
 * lookup has its own sockets, and a changed `resolv.conf` applies from the next one on.
 */
export function systemResolver(sources: ResolverSources = {}): Resolve {
  return async (hostname) => {
    const known = await fromHostsFile(sources.hostsFile ?? systemHosts, hostname);
    if (known.length) return known;
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    if (sources.servers) resolver.setServers(sources.servers);
    for (const name of candidates(hostname, await searchList(sources.resolvConf ?? '/etc/resolv.conf'))) {
      const found = await fromServers(resolver, name);
      if (found.length) return found;
    }
    return [];
  };
}

async function fromServers(resolver: Resolver, name: string): Promise<ResolvedAddress[]> {
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 as const })) : []),
  ];
  // Servers that answer one record type and fail for the other are common; one that fails for both is down.
  const fault = [ipv4, ipv6].find((result) => result.status === 'rejected' && !isAbsent(result.reason));
  if (!found.length && fault?.status === 'rejected') throw fault.reason;
  return found;
}

/** Names with few dots are tried below each search domain first, as Kubernetes expects of `service.namespace`. */
function candidates(hostname: string, { domains, ndots }: SearchList): string[] {
  const qualified = domains.map((domain) => `${hostname}.${domain}`);
  const dots = hostname.split('.').length - 1;
  return dots >= ndots ? [hostname, ...qualified] : [...qualified, hostname];
}

interface SearchList {
  domains: string[];
  ndots: number;
}

async function searchList(path: string): Promise<SearchList> {
  const list: SearchList = { domains: [], ndots: 1 };
  for (const [keyword, ...values] of await fieldsOf(path)) {
    if (keyword === 'search' || keyword === 'domain') list.domains = values.filter((domain) => domain !== '.');
    const ndots = keyword === 'options' && values.findLast((value) => /^ndots:\d{1,2}$/.test(value));
    if (ndots) list.ndots = Number(ndots.slice('ndots:'.length));
  }
  return list;
}

async function fromHostsFile(path: string, hostname: string): Promise<ResolvedAddress[]> {
  return (await fieldsOf(path)).flatMap(([address = '', ...names]) => {
    const read = names.some((name) => name.toLowerCase() === hostname) && readAddress(address);
    return read ? [{ address, family: read.kind() === 'ipv4' ? 4 : 6 }] : [];
  });
}

/** The words of each line, without comments; empty if the file does not exist. */
async function fieldsOf(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
}
