import { once } from 'node:events';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import type { OutboundConnection, OutboundTarget } from '../kernel/outbound.ts';
import { ATTEMPT_TIME, checkIdentity, identity } from './connections.ts';
import { within } from './deadline.ts';
import { asFailure, timedOut, tooLarge, unexpected, unreachable } from './failure.ts';
import type { Guard } from './guard.ts';
import { canonicalHost } from './target.ts';
import { secured } from './tls.ts';

/** Milliseconds. */
const TIMEOUT = 10_000;
/** The longest that a timer waits. */
const FOREVER = 2 ** 31 - 1;

export interface Sockets {
  /** See `OutboundConnect`. */
  open(target: OutboundTarget): Promise<OutboundConnection>;
  /** Closes those that are still open. */
  close(): void;
}

/** Connections for protocols other than HTTP. As in `connections.ts`, a socket connects to the checked address. */
export function createSockets(guard: Guard): Sockets {
  const standing = new Set<Socket>();

  async function reach(target: OutboundTarget, host: string, signal: AbortSignal): Promise<OutboundConnection> {
    checkIdentity(target.tls ?? {});
    const addresses = await guard(host);
    signal.throwIfAborted();
    const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, addresses);
    const socket = connect({
      // A socket looks up names only.
      host: isIP(host) ? addresses[0].address : host,
      port: target.port,
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_TIME,
      keepAlive: true,
      noDelay: true,
    });
    standing.add(socket);
    socket.once('close', () => standing.delete(socket));
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    await event(socket, 'connect', host);
    const { lifetimeMs } = target;
    const end = lifetimeMs <= FOREVER && setTimeout(() => socket.destroy(timedOut(host)), lifetimeMs);
    if (end) socket.once('close', () => clearTimeout(end));
    const plain = connectionOf(socket, host, target.maxBytes);
    return target.tls ? plain.secure(target.tls) : plain;
  }

  return {
    open(target) {
      const host = canonicalHost(target.host);
      return within(
        target.timeoutMs ?? TIMEOUT,
        () => host,
        (signal) => reach(target, host, signal),
      );
    },
    close() {
      for (const socket of standing) socket.destroy();
    },
  };
}

/** `below`: the socket under a TLS socket, which has its own end. */
function connectionOf(socket: Socket, host: string, maxBytes: number, below?: Socket): OutboundConnection {
  bound(socket, host, maxBytes);
  contain(socket, host);
  return {
    stream: socket,
    get failure() {
      const error = socket.errored ?? below?.errored;
      if (error) return asFailure(error, host);
      return socket.destroyed || socket.readableEnded ? unreachable(host, 'closed the connection') : undefined;
    },
    async secure(tls) {
      checkIdentity(tls);
      const over = secured(socket, host, {
        // The certificate must be for this name or address; SNI contains only names.
        host,
        ...(!isIP(host) && { servername: host }),
        ...identity(tls),
        rejectUnauthorized: true,
      });
      await within(
        TIMEOUT,
        () => host,
        (signal) => {
          signal.addEventListener('abort', () => socket.destroy(), { once: true });
          return event(over, 'secureConnect', host);
        },
      );
      return connectionOf(over, host, maxBytes, socket);
    },
  };
}

/** Waits for what opens a socket; whatever comes in its place ends the socket. */
async function event(socket: Socket, name: 'connect' | 'secureConnect', host: string): Promise<void> {
  const over = new AbortController();
  // Stays attached: an unhandled error event would end the process.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close', { signal: over.signal }).then(() => {
    throw unreachable(host, 'closed the connection');
  });
  closed.catch(() => undefined);
  try {
    await Promise.race([once(socket, name, { signal: over.signal }), closed]);
  } catch (error) {
    socket.destroy();
    throw asFailure(error, host);
  } finally {
    over.abort();
  }
}

/** Ends a socket on which more arrives. Every byte that was read passes here, with or without a listener. */
function bound(socket: Socket, host: string, maxBytes: number): void {
  let left = maxBytes;
  const push = socket.push.bind(socket);
  socket.push = (chunk: Uint8Array | null, encoding) => {
    left -= chunk?.length ?? 0;
    if (left >= 0) return push(chunk, encoding);
    socket.destroy(tooLarge(host, 'more bytes'));
    return false;
  };
}

/**
 * What a listener throws ends the socket: libraries throw on bytes that no server of their protocol sends, out of the
 * listener that receives them, where it would end the process.
 */
function contain(socket: Socket, host: string): void {
  const emit = socket.emit.bind(socket) as (name: string | symbol, ...values: unknown[]) => boolean;
  socket.emit = (name: string | symbol, ...values: unknown[]) => {
    try {
      return emit(name, ...values);
    } catch {
      socket.destroy(unexpected(host));
      return true;
    }
  };
}
