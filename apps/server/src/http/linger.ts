import { Socket } from 'node:net';
import { clientNetwork } from '@coffer/domain';

/** Milliseconds in which a client can read why its connection is closed. */
const LINGER_MS = 1_000;
/** Bytes that are received and dropped meanwhile; further ones stay at the client. */
const DROPPED = 1024 * 1024;
/** Maximum numbers of such connections, of a process and of one address. Further ones are closed at once. */
const MAX_LINGERING = 256;
const MAX_OF_ADDRESS = 64;

const byAddress = new Map<string, number>();
let lingering = 0;

/** How many connections are closed that wait for their clients. */
export const lingeringConnections = (): number => lingering;

/**
 * Closes a connection after what was written to it, while its client may still send. If it were closed at once, the
 * operating system would answer what still arrives with a reset, and the client would lose the response.
 */
export function closeAfterAnswer(socket: Socket, address = socket.remoteAddress ?? ''): void {
  const network = clientNetwork(address);
  const own = byAddress.get(network) ?? 0;
  if (lingering >= MAX_LINGERING || own >= MAX_OF_ADDRESS || !socket.writable) {
    Socket.prototype.destroySoon.call(socket);
    return;
  }
  lingering++;
  byAddress.set(network, own + 1);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    leave(network);
  });
  socket.end();
  drop(socket);
}

function leave(network: string): void {
  lingering--;
  const left = byAddress.get(network)! - 1;
  if (left > 0) byAddress.set(network, left);
  else byAddress.delete(network);
}

/** Nothing of it is parsed any more. */
function drop(socket: Socket): void {
  let bytes = 0;
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DROPPED) socket.pause();
  });
  socket.resume();
}
