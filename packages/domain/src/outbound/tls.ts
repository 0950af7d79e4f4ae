import { Agent, type AgentOptions } from 'node:https';
import { constants } from 'node:crypto';
import { connect, type TcpSocketConnectOpts } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, DEFAULT_CIPHERS, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { tooLarge } from './failure.ts';

/**
 * For every handshake with another system. In the key exchange that is excluded, the server chooses a group, which may take
 * seconds. There is one handshake in a connection.
 */
export const HANDSHAKE = {
  minVersion: 'TLSv1.2',
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** Bytes of a handshake: a long chain of certificates and the names of many authorities. */
const MAX_HANDSHAKE = 24 * 1024;

/**
 * Begins TLS on a connection, which ends with it. A longer handshake fails: all certificates of a chain are verified at once,
 * some of them for milliseconds, also where none is trusted.
 *
 * @param host Whom the error names.
 */
export function secured(below: Duplex, host: string, options: ConnectionOptions): TLSSocket {
  const limited = new LimitedHandshake(below, host);
  return limited.endsWith(connectTls({ ...HANDSHAKE, ...options, socket: limited }));
}

/** An agent whose connections have such handshakes. */
export class SecureAgent extends Agent {
  constructor(options: AgentOptions) {
    super({ ...options, ...HANDSHAKE, rejectUnauthorized: true });
  }

  override createConnection(
    options: ConnectionOptions & TcpSocketConnectOpts,
    callback?: Parameters<Agent['createConnection']>[1],
  ): ReturnType<Agent['createConnection']> {
    const limited = new LimitedHandshake(connect(options), options.host ?? '');
    const socket = super.createConnection({ ...options, socket: limited } as never, callback);
    return socket && limited.endsWith(socket);
  }
}

/** The octets of a connection, limited until a TLS handshake over it has ended. */
class LimitedHandshake extends Duplex {
  readonly #below: Duplex;
  #left = MAX_HANDSHAKE;

  constructor(below: Duplex, host: string) {
    super({ autoDestroy: true });
    this.#below = below;
    below.on('data', (chunk: Buffer) => {
      this.#left -= chunk.length;
      if (this.#left < 0) this.destroy(tooLarge(host, 'a longer TLS handshake'));
      else if (!this.push(chunk)) below.pause();
    });
    below.once('end', () => this.push(null));
    below.once('error', (error) => this.destroy(error));
    // After the end there may be octets that were not read yet.
    below.once('close', () => below.readableEnded || this.destroy());
  }

  /** Ends the limit with the handshake of a socket, which it returns. */
  endsWith<TlsSocket extends Duplex>(socket: TlsSocket): TlsSocket {
    socket.once('secureConnect', () => (this.#left = Infinity));
    return socket;
  }

  override _read(): void {
    this.#below.resume();
  }
  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#below.write(chunk, done);
  }
  override _final(done: (error?: Error | null) => void): void {
    this.#below.end(done);
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#below.destroy();
    done(error);
  }
}
