import { Client, ResultCodeError } from 'ldapts';
import { badRequest, DomainError, type OutboundConnect, type OutboundConnection } from '../kernel/index.ts';
import { PORTS } from './directory-url.ts';
import { MessageStream } from './message-stream.ts';

/** Deadline of one call after connecting, in milliseconds. */
const LIFETIME = 10_000;
/** Maximum size of all responses of a directory in one call. */
const MAX_BYTES = 256 * 1024;
/** RFC 4511, section 4.14. */
const START_TLS = '1.3.6.1.4.1.1466.20037';

export interface Directory {
  /** `ldap://host:port` or `ldaps://host:port`; see `isDirectoryUrl`. */
  readonly url: string;
  /**
   * PEM of the only trusted roots; default for `ldaps`: those of the system. With it, `ldap` upgrades to TLS
   * (StartTLS).
   */
  readonly ca?: string | undefined;
}

/**
 * Connects to a directory, with TLS as configured, does the work, and disconnects. Nothing is sent to a directory that
 * refuses StartTLS.
 *
 * @throws DomainError 400 `outbound.*` if it cannot be reached, takes too long or sends too much; 400 `ldap.*` if it
 * does not speak LDAP. A ResultCodeError of `work` that `work` does not catch becomes a 400 that names its code.
 */
export async function useDirectory<T>(
  connect: OutboundConnect,
  { url, ca }: Directory,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'ldaps:';
  const target = { host: hostname, port: Number(port) || PORTS[isSecure ? 'ldaps:' : 'ldap:'] };
  const bounds = { lifetimeMs: LIFETIME, maxBytes: MAX_BYTES };
  const tls = { ca: ca || undefined };
  const session = new Session(await connect({ ...target, ...bounds, ...(isSecure && { tls }) }));
  try {
    if (!isSecure && ca) await session.startTls(tls);
    return await Promise.race([work(session.client), session.ended]);
  } catch (error) {
    throw session.explain(error, hostname);
  } finally {
    session.end();
  }
}

/**
 * A client that proves who it is. Of a name without a password many directories say that it has logged in, anonymously
 * (RFC 4513, section 5.1.2).
 */
class ProvingClient extends Client {
  override bind(...[dn, password, ...others]: Parameters<Client['bind']>): Promise<void> {
    if (dn !== '' && !password) throw badRequest('ldap.no_password', 'A login at a directory needs a password');
    return super.bind(dn, password, ...others);
  }
}

class Session {
  #connection: OutboundConnection;
  #messages!: MessageStream;
  client!: Client;
  /** Fails when the connection ends, whatever the library still waits for. */
  ended!: Promise<never>;

  constructor(connection: OutboundConnection) {
    this.#connection = connection;
    this.#begin();
  }

  async startTls(tls: Parameters<OutboundConnection['secure']>[0]): Promise<void> {
    await this.client.exop(START_TLS);
    this.#messages.release();
    this.#connection = await this.#connection.secure(tls);
    this.#begin();
  }

  #begin(): void {
    const messages = new MessageStream(this.#connection.stream);
    // Also before and after the library listens.
    messages.on('error', () => undefined);
    this.#messages = messages;
    this.ended = new Promise((_, reject) => {
      messages.once('close', () => reject(new Error('The connection has ended')));
    });
    this.ended.catch(() => undefined);
    // The host is connected to already, and TLS is not the library's business.
    this.client = new ProvingClient({
      url: 'ldap://directory',
      createConnection: () => {
        // The library would connect again where a connection has ended.
        if (messages.destroyed) throw new Error('The connection has ended');
        return messages as never;
      },
    });
  }

  explain(error: unknown, host: string): unknown {
    if (error instanceof DomainError) return error;
    if (error instanceof ResultCodeError)
      return badRequest('ldap.refused', `${host} answered with LDAP result code ${error.code}`, { code: error.code });
    const failure = this.#messages.errored ? undefined : this.#connection.failure;
    return failure ?? badRequest('ldap.failed', `${host} does not speak LDAP as expected`, { host });
  }

  end(): void {
    this.client.unbind().catch(() => undefined);
    this.#connection.stream.end();
    this.#messages.destroy();
  }
}
