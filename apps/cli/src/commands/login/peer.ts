import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Tables of the TCP connections of this machine (proc_net_tcp in the kernel's documentation); clients of IPv6 reach IPv4, too. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * The ID of the user whose program is at the other end of a connection within this machine; `undefined` where the system does not say: other
 * systems than Linux, and programs outside of this network namespace.
 */
export function userAtOtherEnd({
  localPort,
  remotePort,
}: Pick<Socket, 'localPort' | 'remotePort'>): number | undefined {
  for (const line of TABLES.flatMap(linesOf)) {
    // The number of the entry, the two addresses, the state, queues, timers, retransmissions, the user.
    const [, local = '', remote = '', , , , , user] = line.trim().split(/\s+/);
    if (portOf(local) === remotePort && portOf(remote) === localPort) return Number(user);
  }
  return undefined;
}

const portOf = (address: string): number => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);

function linesOf(table: string): string[] {
  try {
    return readFileSync(table, 'utf8').split('\n').slice(1);
  } catch {
    return [];
  }
}
