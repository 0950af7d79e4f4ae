import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Connection } from 'mysql2';
import {
  LASTING,
  MAX_DATABASE_ANSWER,
  MAX_DATABASE_VALUES,
  notSpoken,
  rejectedBy,
  withoutTls,
} from '../../family/index.ts';
import type { OutboundConnect, OutboundConnection } from '../../kernel/index.ts';
import { requiresTls, type SqlConnection, type SqlServer } from './client.ts';

/** Longer than any greeting, in bytes. */
const MAX_GREETING = 4096;
/**
 * Packets of a login: the greeting, another method, what that has to say, the result. For some of them the library encrypts the password
 * with a key of the server, whose exponent may be as long as it likes.
 */
const MAX_LOGIN_PACKETS = 6;

/** Errors of the server have a `sqlMessage`; the library's own errors do not. */
export interface MysqlError extends Error {
  readonly sqlMessage?: string;
}

/** A connection to MySQL or MariaDB. All calls reject with a `MysqlError`. */
export interface MysqlConnection extends SqlConnection {
  /** Runs statements; `onDone` is called after each. */
  run(statements: string, onDone?: () => void): Promise<void>;
  /** The rows of one statement with bound values. */
  ask<Row>(statement: string, values: readonly string[]): Promise<Row[]>;
}

/** With TLS as the server is configured (see `SqlServer`). @throws DomainError */
export async function connectMysql(server: SqlServer, connect: OutboundConnect): Promise<MysqlConnection> {
  const line = await reach(server, connect, { mayChange: server.tls !== 'none' });
  try {
    return connectionOf(server, line, await logIn(server, line));
  } catch (error) {
    if (line.refusal === undefined || requiresTls(server)) throw error;
    const plain = await reach(server, connect, { mayChange: false });
    return connectionOf(server, plain, await logIn(server, plain));
  }
}

function connectionOf({ host }: SqlServer, line: Line, library: Connection): MysqlConnection {
  const { stream } = line.current;
  return {
    get isOpen() {
      return !stream.destroyed && !stream.readableEnded;
    },
    get failure() {
      return line.current.failure ?? notSpoken(host, 'MySQL');
    },
    run: (statements, onDone = () => undefined) =>
      call(line, (settle) => library.query(statements, settle).on('fields', onDone)),
    ask: (statement, values) => call(line, (settle) => library.execute(statement, [...values], settle)),
    reset: () => call(line, (settle) => library.changeUser({}, settle), MAX_LOGIN_PACKETS),
    close: () => void stream.destroy(),
  };
}

type Settle = (error: Error | null, rows?: unknown) => void;

/** One call of the library, which forgets those whose answers it cannot read: they fail with the connection. */
function call<T>(line: Line, begin: (settle: Settle) => unknown, packets = Infinity): Promise<T> {
  const { stream } = line.current;
  [line.received, line.values, line.packets] = [0, 0, packets];
  return new Promise((resolve, reject) => {
    const settle: Settle = (error, rows) => {
      stream.off('close', end);
      if (error) reject(error);
      else resolve(rows as T);
    };
    const end = () => settle(new Error('The connection has ended'));
    if (stream.destroyed) return end();
    stream.once('close', end);
    begin(settle);
  });
}

/** A connection that may change to TLS on its way. */
interface Line {
  current: OutboundConnection;
  /** Bytes of the answer to the present call, and how many values are read of it. */
  received: number;
  values: number;
  /** Packets that it may still have. */
  packets: number;
  /** Whether it is to change. */
  readonly changes: boolean;
  /** Why it could not. */
  refusal?: Error;
}

/** Connects, and reads from the server's greeting whether it continues with TLS. */
async function reach(
  server: SqlServer,
  connect: OutboundConnect,
  { mayChange }: { mayChange: boolean },
): Promise<Line> {
  const { host, port } = server;
  const current = await connect({ host, port, ...LASTING });
  const mayBeSecure = await readGreeting(current, host);
  if (!requiresTls(server) || mayBeSecure)
    return { current, received: 0, values: 0, packets: 0, changes: mayChange && mayBeSecure };
  current.stream.destroy();
  throw withoutTls(host);
}

/** Leaves the greeting in the stream, and the stream paused. */
async function readGreeting(connection: OutboundConnection, host: string): Promise<boolean> {
  const { stream } = connection;
  const closed = once(stream, 'close').then(() => {
    throw connection.failure ?? notSpoken(host, 'MySQL');
  });
  closed.catch(() => undefined);
  let read = Buffer.alloc(0);
  while (read.length < 4 || read.length < 4 + read.readUIntLE(0, 3)) {
    const data = once(stream, 'data') as Promise<[Buffer]>;
    stream.resume();
    const [chunk] = await Promise.race([data, closed]);
    stream.pause();
    read = Buffer.concat([read, chunk]);
    if (read.length > MAX_GREETING) {
      stream.destroy();
      throw notSpoken(host, 'MySQL');
    }
  }
  stream.unshift(read);
  return offersTls(read.subarray(4));
}

const PROTOCOL = 10;
const CLIENT_SSL = 0x08_00;

/** MySQL 8.4, Protocol::HandshakeV10: its version, ended by NUL, and 13 bytes precede the capabilities. */
function offersTls(greeting: Buffer): boolean {
  const at = greeting.indexOf(0, 1) + 14;
  return (
    greeting[0] === PROTOCOL && at > 14 && at + 2 <= greeting.length && (greeting.readUInt16LE(at) & CLIENT_SSL) > 0
  );
}

interface Packet {
  readonly sequenceId: number;
  length(): number;
}

/** Members of the library that its types lack. */
interface Internals {
  stream: Duplex;
  /** That the next packet has to have. */
  readonly sequenceId: number;
  readonly packetParser: { execute(data: Buffer): void; onPacket: (packet: Packet) => void };
  startTLS(onSecure: (error?: Error) => void): void;
}

/** @throws DomainError */
async function logIn({ host, database, username, password, ca }: SqlServer, line: Line): Promise<Connection> {
  const { createConnection } = await import('mysql2');
  const { stream } = line.current;
  const library = createConnection({
    user: username,
    password,
    database,
    stream,
    ...(line.changes && { ssl: {} }),
    charset: 'utf8mb4',
    multipleStatements: true,
    disableEval: true,
    // A server could ask for files.
    flags: ['-LOCAL_FILES'],
    connectTimeout: 0,
    // Called for each value: a row that is shorter than its columns is read on in the next ones.
    typeCast: (_field: unknown, next: () => unknown) => {
      if (++line.values > MAX_DATABASE_VALUES) line.current.stream.destroy(notSpoken(host, 'MySQL'));
      return next();
    },
  });
  // Running work receives the errors of the connection.
  library.on('error', () => undefined);
  const internals = library as unknown as Internals;
  endAtDisorder(internals, line, host);
  // Replaces the library's own connect, which would resolve the name itself.
  internals.startTLS = (onSecure) => {
    stream.removeAllListeners('data');
    const change = async () => {
      line.current = await line.current.secure({ ca: ca || undefined });
      internals.stream = line.current.stream;
      internals.stream.on('data', (data: Buffer) => internals.packetParser.execute(data));
    };
    const refuse = (error: Error) => {
      line.refusal = error;
      onSecure(new Error('TLS is not supported'));
    };
    change().then(() => onSecure(), refuse);
  };
  try {
    const begin = (settle: Settle) => {
      library.connect(settle);
      stream.resume();
    };
    await call(line, begin, MAX_LOGIN_PACKETS);
    return library;
  } catch (error) {
    const failure = line.refusal ?? line.current.failure ?? notSpoken(host, 'MySQL');
    line.current.stream.destroy();
    const { sqlMessage } = error as MysqlError;
    throw sqlMessage === undefined ? failure : rejectedBy(host, sqlMessage);
  }
}

/** The library continues after packets out of order, and logs a line for each; and with answers of any length. */
function endAtDisorder(internals: Internals, line: Line, host: string): void {
  const { packetParser } = internals;
  const take = packetParser.onPacket;
  packetParser.onPacket = (packet) => {
    if (internals.stream.destroyed) return;
    line.received += packet.length();
    const isShort = line.received <= MAX_DATABASE_ANSWER && line.packets-- > 0;
    if (packet.sequenceId === internals.sequenceId && isShort) take(packet);
    else internals.stream.destroy(notSpoken(host, 'MySQL'));
  };
}
