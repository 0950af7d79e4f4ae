import type { Connection } from 'tedious';
import { LASTING, MAX_DATABASE_COLUMNS, notSpoken, rejectedBy, withoutTls } from '../../family/index.ts';
import type { OutboundConnect, OutboundConnection } from '../../kernel/index.ts';
import { asFailure, HANDSHAKE } from '../../outbound/index.ts';
import { requiresTls, type SqlConnection, type SqlServer } from './client.ts';

/** Bytes of the answers to the login, and of the answer to one call: the library takes microseconds for a token, which may be of two bytes. */
const MAX_LOGIN = 32 * 1024;
const MAX_ANSWER = 16 * 1024;
/** Milliseconds for the login, and for one call. */
const LOGIN_TIME = 15_000;
const CALL_TIME = 20_000;

/** What the server reports is in `said`; errors of the connection do not have it. */
export class MssqlError extends Error {
  readonly said: string | undefined;
  constructor(said?: string) {
    super(said);
    this.said = said;
  }
}

/** A connection to SQL Server. All calls reject with a `MssqlError`. */
export interface MssqlConnection extends SqlConnection {
  /** Runs statements; returns the first column of all rows, which has to be of numbers. */
  ask(statements: string): Promise<number[]>;
}

/** With TLS as the server is configured (see `SqlServer`). @throws DomainError */
export async function connectMssql(server: SqlServer, connect: OutboundConnect): Promise<MssqlConnection> {
  const isRequired = requiresTls(server);
  if (server.tls === 'none') return logIn(server, connect, false);
  return logIn(server, connect, true).catch((error: unknown) => {
    if (isRequired || !(error instanceof WithoutTls)) throw error instanceof WithoutTls ? error.reason : error;
    return logIn(server, connect, false);
  });
}

/** Nothing was sent to it but the greeting: it has no TLS, or none that is trusted. */
class WithoutTls extends Error {
  readonly reason: Error;
  constructor(reason: Error) {
    super();
    this.reason = reason;
  }
}

interface LibraryError extends Error {
  readonly code?: string;
  readonly errors?: readonly Error[];
}

async function logIn(server: SqlServer, connect: OutboundConnect, encrypt: boolean): Promise<MssqlConnection> {
  const { host, port, database, username: userName, password, ca } = server;
  const line = await connect({ host, port, ...LASTING });
  // With the first use: it takes a while, and few installations have an SQL Server.
  const { default: tedious } = await import('tedious');
  let isTaken = false;
  const library = new tedious.Connection({
    server: host,
    authentication: { type: 'default', options: { userName, password } },
    options: {
      ...{ port, database, encrypt, trustServerCertificate: false, appName: 'coffer' },
      cryptoCredentialsDetails: { ...HANDSHAKE, ...(ca && { ca }) },
      ...{ connectTimeout: LOGIN_TIME, requestTimeout: CALL_TIME, maxRetriesOnTransientErrors: 0 },
      // A server can name another one to go on with: that is not followed.
      connector: () => {
        if (isTaken) return Promise.reject(new Error('There is one connection'));
        isTaken = true;
        return Promise.resolve(line.stream as never);
      },
    },
  });
  limitColumns(library as unknown as Internals);
  const meter = meterOf(line);
  // Such as for an answer that it cannot read: calls end with the connection.
  library.on('error', () => line.stream.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      library.connect((error) => (error ? reject(error) : resolve()));
    });
    return connectionOf(host, { line, meter }, library, tedious.Request);
  } catch (error) {
    const failure = failureOf(host, line, error as LibraryError);
    library.close();
    line.stream.destroy();
    throw failure;
  }
}

/** Members of the library that its types lack. */
interface Internals {
  readonly debug: { token: (token: { readonly name: string; readonly columns?: readonly unknown[] }) => void };
}

/** Ends an answer with too many columns, before its rows are read: those of some types take no octet. */
function limitColumns({ debug }: Internals): void {
  debug.token = ({ name, columns = [] }) => {
    if (name === 'COLMETADATA' && columns.length > MAX_DATABASE_COLUMNS) throw new Error('There are too many columns');
  };
}

/** Codes of a handshake or certificate that this side did not accept. */
const OF_TLS = /^(?:ERR_(?:TLS|SSL)_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/;

function failureOf(host: string, line: OutboundConnection, { code, message, cause }: LibraryError): Error {
  if (code === 'ELOGIN') return rejectedBy(host, message);
  if (code === 'EENCRYPT')
    return message.includes('requires encryption')
      ? rejectedBy(host, 'it requires TLS')
      : new WithoutTls(withoutTls(host));
  const { code: reason } = (cause ?? {}) as { code?: unknown };
  if (typeof reason === 'string' && OF_TLS.test(reason)) return new WithoutTls(asFailure(cause, host));
  return line.failure ?? notSpoken(host, 'the protocol of SQL Server');
}

/** The bytes that are left of the answers to the login, or to the present call. */
interface Meter {
  left: number;
}

/** Throws before the library receives an answer that is too long, which ends the connection: it would read all that it has. */
function meterOf({ stream }: OutboundConnection): Meter {
  const meter = { left: MAX_LOGIN };
  stream.on('data', (chunk: Buffer) => {
    meter.left -= chunk.length;
    if (meter.left < 0) throw new Error('An answer is too long');
  });
  return meter;
}

function connectionOf(
  host: string,
  { line, meter }: { readonly line: OutboundConnection; readonly meter: Meter },
  library: Connection,
  Request: (typeof import('tedious'))['Request'],
): MssqlConnection {
  const { stream } = line;
  const call = (begin: (settle: (error?: Error | null) => void) => void): Promise<void> => {
    meter.left = MAX_ANSWER;
    return new Promise((resolve, reject) => {
      const end = () => reject(new MssqlError());
      if (stream.destroyed) return end();
      stream.once('close', end);
      begin((error) => {
        stream.off('close', end);
        if (error) reject(asMssqlError(error));
        else resolve();
      });
    });
  };
  return {
    get isOpen() {
      return !stream.destroyed && !stream.readableEnded;
    },
    get failure() {
      return line.failure ?? notSpoken(host, 'the protocol of SQL Server');
    },
    async ask(statements) {
      const numbers: number[] = [];
      await call((settle) => {
        const request = new Request(statements, settle);
        request.on('row', (columns: readonly { readonly value: unknown }[]) => numbers.push(Number(columns[0]?.value)));
        library.execSqlBatch(request);
      });
      return numbers;
    },
    reset: () => call((settle) => library.reset(settle)),
    close: () => {
      library.close();
      stream.destroy();
    },
  };
}

/** A request fails with one error of the server, or with all of them. */
function asMssqlError(error: LibraryError): MssqlError {
  if (error.errors) return new MssqlError(error.errors.map(({ message }) => message).join('; '));
  return new MssqlError(error.code === 'EREQUEST' ? error.message : undefined);
}
