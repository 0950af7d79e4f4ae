import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';

// https://github.com/apache/cassandra/blob/trunk/doc/native_protocol_v4.spec, read and written by this file alone.

export interface CassandraRole {
  password: string;
  login: boolean;
  readonly isSuperuser: boolean;
  readonly grants: string[];
}

class Fault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
const invalid = (message: string) => new Fault(0x2200, message);
const unauthorized = () => new Fault(0x2100, 'User has no CREATE permission on <all roles> or any of its parents');

const u16 = (value: number) => Buffer.of(value >> 8, value & 0xff);
const i32 = (value: number) => Buffer.of((value >> 24) & 0xff, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff);
const text = (value: string) => Buffer.concat([u16(Buffer.byteLength(value)), Buffer.from(value)]);
const value = (bytes: Buffer) => Buffer.concat([i32(bytes.length), bytes]);

interface Column {
  readonly name: string;
  readonly type: Buffer;
}
const VARCHAR = u16(0x0d);
const BOOLEAN = u16(0x04);
const MAP = Buffer.concat([u16(0x21), VARCHAR, VARCHAR]);

/** Stands in for a node of Cassandra with roles, on a port of 127.0.0.1. */
export class CassandraStandIn {
  readonly roles = new Map<string, CassandraRole>();
  readonly dataCenter = 'datacenter1';
  readonly keyspaces = new Set(['shop']);
  readonly authority = makeAuthority('Cassandra root');
  /** Every statement, and by whom. */
  readonly statements: { readonly username: string; readonly cql: string }[] = [];
  /** Whether its answers to queries begin with warnings. */
  warns = false;
  /** An error in place of the answer to a statement. */
  accident: ((cql: string) => { code: number; message: string } | Buffer | undefined) | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(isSecure: boolean) {
    const identity = this.authority.issue('127.0.0.1');
    const accept = (socket: Socket) => this.#accept(socket);
    this.#server = isSecure ? createTlsServer(identity, accept) : createServer(accept);
  }

  static async start({ isSecure = false } = {}): Promise<CassandraStandIn> {
    const standIn = new CassandraStandIn(isSecure);
    standIn.#server.listen(0, '127.0.0.1');
    await once(standIn.#server, 'listening');
    return standIn;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  add(name: string, password: string, more: Partial<CassandraRole> = {}): void {
    this.roles.set(name, { password, login: true, isSuperuser: false, grants: [], ...more });
  }

  logsIn(name: string, password: string): boolean {
    const role = this.roles.get(name);
    return role?.login === true && role.password === password;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    let username = '';
    let rest: Buffer = Buffer.alloc(0);
    const reply = (opcode: number, body: Buffer, flags = 0) =>
      socket.write(Buffer.concat([Buffer.of(0x84, flags, 0, 0, opcode), i32(body.length), body]));
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 9 && rest.length >= 9 + rest.readInt32BE(5)) {
        const [version, opcode, body] = [rest[0], rest[4], rest.subarray(9, 9 + rest.readInt32BE(5))];
        rest = rest.subarray(9 + body.length);
        try {
          if (version !== 4) throw new Fault(0x000a, `Invalid or unsupported protocol version (${version})`);
          if (opcode === 0x01 && body.includes('CQL_VERSION'))
            reply(0x03, text('org.apache.cassandra.auth.PasswordAuthenticator'));
          else if (opcode === 0x0f) {
            username = this.#logIn(body);
            reply(0x10, i32(-1));
          } else if (opcode === 0x07 && username !== '') this.#answer(socket, reply, username, body);
          else throw new Fault(0x000a, 'Unexpected message');
        } catch (error) {
          const { code, message } = error as Fault;
          reply(0x00, Buffer.concat([i32(code), text(message)]));
        }
      }
    });
  }

  /** SASL PLAIN. */
  #logIn(body: Buffer): string {
    const [identity, username = '', password = ''] = body.subarray(4).toString().split('\0');
    if (body.readInt32BE(0) !== body.length - 4 || identity !== '' || !this.logsIn(username, password))
      throw new Fault(0x0100, `Provided username ${username} and/or password are incorrect`);
    return username;
  }

  #answer(
    socket: Socket,
    reply: (opcode: number, body: Buffer, flags?: number) => unknown,
    username: string,
    body: Buffer,
  ): void {
    const length = body.readInt32BE(0);
    const cql = body.subarray(4, 4 + length).toString();
    if (body.length !== length + 7) throw new Fault(0x000a, 'A query has other parameters');
    this.statements.push({ username, cql });
    const accident = this.accident?.(cql);
    if (Buffer.isBuffer(accident)) return void socket.write(accident);
    if (accident) throw new Fault(accident.code, accident.message);
    const result = this.#run(username, cql);
    const warnings = Buffer.concat([u16(1), text('mind the gap')]);
    reply(0x08, this.warns ? Buffer.concat([warnings, result]) : result, this.warns ? 8 : 0);
  }

  /** One statement: names and strings are replaced by signs, and read by themselves. */
  #run(username: string, cql: string): Buffer {
    const values: string[] = [];
    const shape = cql
      .trim()
      .replaceAll(/'((?:[^']|'')*)'|"((?:[^"]|"")*)"/g, (_all, string?: string, name?: string) => {
        values.push(string?.replaceAll("''", "'") ?? name!.replaceAll('""', '"'));
        return string === undefined ? 'N' : 'S';
      })
      .replaceAll(/\s+/g, ' ')
      .toLowerCase()
      .replaceAll(/\b(role|to|of|exists) s\b/g, '$1 n');
    const [name = '', second = ''] = values;
    const may = () => {
      if (!this.roles.get(username)?.isSuperuser) throw unauthorized();
    };
    const existing = (of: string) => {
      const role = this.roles.get(of);
      if (!role) throw invalid(`${of} doesn't exist`);
      return role;
    };
    if (shape === 'select data_center from system.local')
      return rows([{ name: 'data_center', type: VARCHAR }], [[Buffer.from(this.dataCenter)]]);
    if (shape === 'use n') {
      if (!this.keyspaces.has(name)) throw invalid(`Keyspace '${name}' does not exist`);
      return Buffer.concat([i32(3), text(name)]);
    }
    if (shape === 'list roles of n norecursive') {
      const role = existing(name);
      if (name !== username) may();
      const columns = [
        { name: 'role', type: VARCHAR },
        { name: 'super', type: BOOLEAN },
        { name: 'login', type: BOOLEAN },
        { name: 'options', type: MAP },
      ];
      return rows(columns, [
        [Buffer.from(name), Buffer.of(Number(role.isSuperuser)), Buffer.of(Number(role.login)), i32(0)],
      ]);
    }
    if (/^create role n with password = s and login = true$/.test(shape)) {
      may();
      if (this.roles.has(name)) throw invalid(`${name} already exists`);
      this.add(name, second);
    } else if (/^alter role n with login = false$/.test(shape)) {
      may();
      existing(name).login = false;
    } else if (/^drop role (?:if exists )?n$/.test(shape)) {
      may();
      if (!shape.includes('if exists')) existing(name);
      this.roles.delete(name);
    } else if (/^grant select on keyspace (?:n|shop) to n$/.test(shape)) {
      may();
      const keyspace = values.length === 2 ? name : 'shop';
      if (!this.keyspaces.has(keyspace)) throw invalid(`Resource <keyspace ${keyspace}> doesn't exist`);
      existing(values.at(-1)!).grants.push(keyspace);
    } else throw new Fault(0x2000, `line 1:0 no viable alternative at input '${cql.trim().slice(0, 20)}'`);
    return i32(1);
  }
}

function rows(columns: readonly Column[], content: readonly (readonly Buffer[])[]): Buffer {
  const specs = columns.flatMap(({ name, type }) => [text(name), type]);
  const cells = content.flatMap((row) => row.map(value));
  const metadata = [i32(1), i32(columns.length), text('system'), text('local'), ...specs];
  return Buffer.concat([i32(2), ...metadata, i32(content.length), ...cells]);
}
