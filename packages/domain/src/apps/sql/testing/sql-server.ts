import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';
import {
  done,
  encryptionOf,
  errorToken,
  loginAck,
  loginOf,
  MessageReader,
  PACKET,
  packets,
  prelogin,
  routing,
  rows,
  textOf,
  WrappedTls,
  type TdsMessage,
} from './tds.ts';
import { runBatch, SqlError, type Database, type Login, type Session } from './t-sql.ts';

const OFF = 2;
const ON = 1;

/** Stands in for an SQL Server with logins, on a port of 127.0.0.1: it speaks TDS 7.4, and runs the statements about logins. */
export class SqlServerStandIn {
  database: Database = { logins: new Map(), users: new Set() };
  /** Every batch, and by whom. */
  readonly batches: { readonly username: string; readonly sql: string }[] = [];
  /** Whether it offers TLS. */
  offersTls = false;
  /** Names another server after the login. */
  route: { readonly host: string; readonly port: number } | undefined;
  /** Sent in place of the answer to a batch. */
  accident: ((sql: string, socket: Socket) => boolean) | undefined;
  readonly authority = makeAuthority('SQL Server root');
  readonly #identity = this.authority.issue('127.0.0.1');
  readonly #server: Server;
  readonly #sessions = new Map<number, { readonly socket: Socket; username: string }>();
  #last = 50;

  private constructor() {
    this.#server = createServer((socket) => new Connection(this, socket, ++this.#last));
  }

  static async start(): Promise<SqlServerStandIn> {
    const standIn = new SqlServerStandIn();
    standIn.#server.listen(0, '127.0.0.1');
    await once(standIn.#server, 'listening');
    return standIn;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get identity() {
    return this.#identity;
  }

  add(name: string, password: string, more: Partial<Login> = {}): void {
    this.database.logins.set(name, { password, isDisabled: false, mayAlterAny: false, ...more });
  }

  logsIn(name: string, password: string): boolean {
    const login = this.database.logins.get(name);
    return login?.password === password && !login.isDisabled;
  }

  session(username: string): Session {
    return {
      database: this.database,
      username,
      sessionsOf: (name) => [...this.#sessions].flatMap(([one, session]) => (session.username === name ? [one] : [])),
      kill: (one) => void this.#sessions.get(one)?.socket.destroy(),
    };
  }

  enter(id: number, username: string, socket: Socket): void {
    this.#sessions.set(id, { socket, username });
    socket.on('close', () => this.#sessions.delete(id));
  }

  async stop(): Promise<void> {
    for (const { socket } of this.#sessions.values()) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** One connection, and its session. */
class Connection {
  readonly #server: SqlServerStandIn;
  readonly #socket: Socket;
  readonly #id: number;
  #reader = new MessageReader();
  #write: (bytes: Buffer) => unknown;
  #tls: WrappedTls | undefined;
  #username = '';
  /** What a rollback returns to. */
  #before: Database | undefined;

  constructor(server: SqlServerStandIn, socket: Socket, id: number) {
    [this.#server, this.#socket, this.#id] = [server, socket, id];
    this.#write = (bytes) => socket.write(bytes);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('close', () => this.#rollback());
  }

  #receive(chunk: Buffer): void {
    if (this.#tls && !this.#tls.isWrapped) return void this.#tls.push(chunk);
    for (const message of this.#reader.read(chunk)) {
      if (this.#tls) this.#tls.push(message.payload);
      else this.#answer(message);
    }
  }

  #answer({ type, payload, resets }: TdsMessage): void {
    if (type === PACKET.prelogin) return this.#greet(encryptionOf(payload));
    if (type === PACKET.login) return this.#logIn(payload);
    if (type !== PACKET.batch) throw new Error(`A packet of type ${type} is not known`);
    if (resets) this.#rollback();
    this.#run(textOf(payload));
  }

  #greet(asked: number): void {
    const isOn = this.#server.offersTls && asked === ON;
    this.#reply(prelogin(isOn ? ON : OFF));
    if (!isOn) return;
    const wrapped = new WrappedTls(this.#socket);
    this.#tls = wrapped;
    const secure = new TLSSocket(wrapped, { isServer: true, ...this.#server.identity, maxVersion: 'TLSv1.2' });
    const reader = new MessageReader();
    secure.on('error', () => this.#socket.destroy());
    secure.once('secure', () => setImmediate(() => (wrapped.isWrapped = false)));
    secure.on('data', (chunk: Buffer) => {
      for (const message of reader.read(chunk)) this.#answer(message);
    });
    this.#write = (bytes) => secure.write(bytes);
  }

  #logIn(payload: Buffer): void {
    const { username, password, database } = loginOf(payload);
    const refusal = !this.#server.logsIn(username, password)
      ? errorToken(18_456, `Login failed for user '${username}'.`)
      : database === 'shop'
        ? undefined
        : errorToken(4060, `Cannot open database "${database}" requested by the login. The login failed.`);
    if (refusal) {
      this.#reply(refusal, done({ isError: true }));
      return void this.#socket.end();
    }
    this.#username = username;
    this.#server.enter(this.#id, username, this.#socket);
    const { route } = this.#server;
    this.#reply(loginAck(), ...(route ? [routing(route.host, route.port)] : []), done());
  }

  #run(sql: string): void {
    const { accident } = this.#server;
    this.#server.batches.push({ username: this.#username, sql });
    if (accident?.(sql, this.#socket)) return;
    try {
      const found = this.#transact(sql);
      this.#reply(...(found.length > 0 ? [rows(found)] : []), done());
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      // With xact_abort.
      this.#rollback();
      this.#reply(errorToken(error.number, error.message), done({ isError: true }));
    }
  }

  /** A transaction is one copy of the database; its statements come alone or after settings. */
  #transact(sql: string): number[] {
    const [, control] = /(begin transaction|if @@trancount > 0 (?:commit|rollback))$/.exec(sql) ?? [];
    if (control === 'begin transaction') {
      const { logins, users } = this.#server.database;
      this.#before = {
        logins: new Map([...logins].map(([name, login]) => [name, { ...login }])),
        users: new Set(users),
      };
    } else if (control?.endsWith('commit')) this.#before = undefined;
    else if (control) this.#rollback();
    else return runBatch(this.#server.session(this.#username), sql);
    return [];
  }

  #rollback(): void {
    if (this.#before) this.#server.database = this.#before;
    this.#before = undefined;
  }

  #reply(...tokens: Buffer[]): void {
    this.#write(packets(PACKET.reply, Buffer.concat(tokens)));
  }
}
