import { createHash, createHmac, pbkdf2Sync, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Binary, deserialize, serialize, type Document } from 'bson';
import { parseCidrs } from '../../../kernel/index.ts';
import { createOutbound } from '../../../outbound/index.ts';
import type { TestAuthority } from '../../../outbound/testing/certificates.ts';
import { openMongo } from '../../../apps/mongo-db/session.ts';

/** The stored data of a password in SCRAM (RFC 5802, section 5.1). */
interface StoredKeys {
  readonly salt: Buffer;
  readonly iterations: number;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

export interface MongoUser {
  readonly database: string;
  readonly name: string;
  keys: StoredKeys;
  readonly roles: string[];
  customData: Document | undefined;
}

class Refusal extends Error {
  readonly code: number;
  readonly codeName: string;

  constructor(code: number, codeName: string, message: string) {
    super(message);
    this.code = code;
    this.codeName = codeName;
  }
}

interface Conversation {
  readonly id: number;
  readonly bare: string;
  readonly serverFirst: string;
  readonly nonce: string;
  readonly user: MongoUser | undefined;
  proven?: MongoUser;
}

interface Session {
  user?: MongoUser | undefined;
  conversation?: Conversation | undefined;
}

const BUILT_IN = new Set([
  'read',
  'readWrite',
  'dbAdmin',
  'userAdmin',
  'dbOwner',
  'userAdminAnyDatabase',
  'readAnyDatabase',
]);
const ANY_DATABASE = /AnyDatabase$/;
/** The used privileges of the role userAdmin. */
const USER_ADMIN = [
  'changeCustomData',
  'changePassword',
  'createUser',
  'dropUser',
  'grantRole',
  'revokeRole',
  'viewUser',
];
const MOST = 48_000_000;

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

function keysOf(password: string): StoredKeys {
  const [salt, iterations] = [randomBytes(28), 15_000];
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  return { salt, iterations, storedKey: sha256(hmac(salted, 'Client Key')), serverKey: hmac(salted, 'Server Key') };
}

/**
 * A server with MongoDB's wire protocol for users: it accepts only OP_MSG, validates every field of a command, checks
 * permissions, and implements SCRAM-SHA-256 from the RFCs, independently of Coffer.
 */
export class MongoStandIn {
  readonly users = new Map<string, MongoUser>();
  /** The names of the commands that were taken, in order. */
  readonly commands: string[] = [];
  /** All connections that were ever made. */
  connections = 0;
  /** Of a replica set: where writes go instead. */
  primary: string | undefined;
  /** An injected response before the work (`before`) or after it (`after`); `lost` ends the connection. */
  fault: (name: string, command: Document) => { when: 'before' | 'after'; reply: Document | 'lost' } | undefined = () =>
    undefined;
  /** The mechanisms for which users have passwords. */
  mechanisms = ['SCRAM-SHA-1', 'SCRAM-SHA-256'];
  /** The server's signature after the client's proof. */
  serverFinal: (signature: string) => string = (signature) => `v=${signature}`;
  iterations: (given: number) => number = (given) => given;
  nonce: (given: string) => string = (given) => given;
  skipsEmptyExchange = true;
  /** Sets the flag for checksums, as servers may. */
  hasChecksums = false;
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #lastId = 0;

  private constructor(tls?: TestAuthority) {
    const take = (socket: Socket) => this.#converse(socket);
    this.#server = tls ? createTlsServer({ cert: tls.cert, key: tls.key }, take) : createServer(take);
    this.#server.on('connection', (socket: Socket) => {
      this.connections++;
      this.#sockets.add(socket.on('error', () => undefined));
    });
    // Clients that do not trust it disconnect.
    this.#server.on('tlsClientError', () => undefined);
    this.add('admin', 'keeper', 'keeps users', ['userAdminAnyDatabase']);
  }

  static async start(tls?: TestAuthority): Promise<MongoStandIn> {
    const server = new MongoStandIn(tls);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  add(database: string, name: string, password: string, roles: string[]): void {
    this.users.set(`${database}.${name}`, { database, name, keys: keysOf(password), roles, customData: undefined });
  }

  /** Whether a user can log in and has its permissions. */
  async logsIn(login: { database: string; username: string; password: string; ca?: string }): Promise<boolean> {
    const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
    const { database: authSource, ...rest } = login;
    try {
      const io = { ...outbound, organizationId: '' };
      const pooled = await openMongo({ host: '127.0.0.1', port: this.port, authSource, ...rest }, io);
      await pooled.client.run(authSource, { usersInfo: 1 }).finally(() => pooled.close());
      return true;
    } catch {
      return false;
    } finally {
      await outbound.close();
    }
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #converse(socket: Socket): void {
    const session: Session = {};
    let waiting = Buffer.alloc(0);
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        waiting = Buffer.concat([waiting, chunk]);
        while (waiting.length >= 4) {
          const length = waiting.readInt32LE(0);
          if (length < 26 || length > MOST) return void socket.destroy();
          if (waiting.length < length) return;
          const message = waiting.subarray(0, length);
          waiting = waiting.subarray(length);
          const reply = this.#answer(session, message);
          if (reply === undefined) return void socket.destroy();
          socket.write(reply);
        }
      });
  }

  /** `undefined` for what no client of MongoDB sends. */
  #answer(session: Session, message: Buffer): Buffer | undefined {
    const [id, responseTo, opCode, flags, kind] = [
      message.readInt32LE(4),
      message.readInt32LE(8),
      message.readInt32LE(12),
      message.readUInt32LE(16),
      message.readUInt8(20),
    ];
    const body = message.subarray(21);
    if (opCode !== 2013 || responseTo !== 0 || flags !== 0 || kind !== 0 || body.readInt32LE(0) !== body.length)
      return undefined;
    const reply = this.#reply(session, deserialize(body, { promoteBuffers: false }));
    if (reply === 'lost') return undefined;
    const document = serialize(reply);
    const checksum = this.hasChecksums ? 4 : 0;
    const header = Buffer.alloc(21);
    header.writeInt32LE(21 + document.length + checksum, 0);
    header.writeInt32LE(++this.#lastId, 4);
    header.writeInt32LE(id, 8);
    header.writeInt32LE(2013, 12);
    header.writeUInt32LE(this.hasChecksums ? 1 : 0, 16);
    return Buffer.concat([header, document, Buffer.alloc(checksum)]);
  }

  #reply(session: Session, command: Document): Document | 'lost' {
    const [name = ''] = Object.keys(command);
    const fault = this.fault(name, command);
    if (fault?.when === 'before') return fault.reply;
    try {
      const handler = this.#handlers[name];
      if (!handler) throw new Refusal(59, 'CommandNotFound', `no such command: '${name}'`);
      if (typeof command['$db'] !== 'string')
        throw new Refusal(40571, 'Location40571', 'OP_MSG requests require a $db argument');
      const answer = handler(session, command, command['$db']);
      this.commands.push(name);
      return fault?.reply ?? { ...answer, ok: 1 };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName };
    }
  }

  readonly #handlers: Record<string, (session: Session, command: Document, database: string) => Document> = {
    hello: (_session, command) => {
      fields(command, { hello: 'number', saslSupportedMechs: 'string' });
      const user = this.users.get(String(command['saslSupportedMechs']));
      const writable = this.primary === undefined;
      return {
        isWritablePrimary: writable,
        ...(writable ? {} : { secondary: true, setName: 'rs0', primary: this.primary }),
        maxBsonObjectSize: 16_777_216,
        maxMessageSizeBytes: MOST,
        maxWireVersion: 21,
        minWireVersion: 0,
        ...(user && { saslSupportedMechs: this.mechanisms }),
      };
    },
    saslStart: (session, command, database) => {
      fields(command, { saslStart: 'number', mechanism: 'string', payload: 'binary', options: 'object' });
      if (command['mechanism'] !== 'SCRAM-SHA-256')
        throw new Refusal(334, 'MechanismUnavailable', `Unsupported mechanism ${command['mechanism']}`);
      const [, bare = '', escaped = '', nonce = ''] =
        /^n,,(n=([^,]+),r=([!-+\--~]+))$/.exec(textOf(command['payload'])) ?? [];
      if (nonce.length < 16) throw unproven();
      const name = escaped.replaceAll('=2C', ',').replaceAll('=3D', '=');
      const user = this.users.get(`${database}.${name}`);
      // Unknown users are not disclosed.
      const keys = user?.keys ?? keysOf(randomUUID());
      const whole = this.nonce(nonce + randomBytes(18).toString('base64'));
      const serverFirst = `r=${whole},s=${keys.salt.toString('base64')},i=${this.iterations(keys.iterations)}`;
      session.conversation = { id: 1, bare, serverFirst, nonce: whole, user };
      return { conversationId: 1, done: false, payload: new Binary(Buffer.from(serverFirst)) };
    },
    saslContinue: (session, command, database) => {
      fields(command, { saslContinue: 'number', conversationId: 'number', payload: 'binary' });
      const { conversation } = session;
      if (
        !conversation ||
        command['conversationId'] !== conversation.id ||
        (conversation.user && conversation.user.database !== database)
      )
        throw new Refusal(17, 'ProtocolError', 'No SASL session state found');
      const given = textOf(command['payload']);
      if (conversation.proven) {
        if (given !== '') throw unproven();
        session.user = conversation.proven;
        session.conversation = undefined;
        return { conversationId: 1, done: true, payload: new Binary(Buffer.alloc(0)) };
      }
      const signature = proofOf(conversation, given);
      const done = this.skipsEmptyExchange;
      if (done) session.user = conversation.user;
      else conversation.proven = conversation.user!;
      return { conversationId: 1, done, payload: new Binary(Buffer.from(this.serverFinal(signature))) };
    },
    connectionStatus: (session, command) => {
      fields(command, { connectionStatus: 'number', showPrivileges: 'boolean' });
      const { name, database: db, roles } = this.#whoAsks(session);
      const privileges = roles.map((role) => ({
        resource: { db: ANY_DATABASE.test(role) ? '' : db, collection: '' },
        actions: role.startsWith('userAdmin') ? USER_ADMIN : ['find'],
      }));
      return {
        authInfo: {
          authenticatedUsers: [{ user: name, db }],
          authenticatedUserRoles: roles.map((role) => ({ role, db })),
          authenticatedUserPrivileges: [...privileges, { resource: { cluster: true }, actions: ['listDatabases'] }],
        },
      };
    },
    usersInfo: (session) => {
      const { name, database } = this.#whoAsks(session);
      return { users: [{ user: name, db: database }] };
    },
    createUser: (session, command, database) => {
      fields(command, {
        createUser: 'string',
        pwd: 'string',
        roles: 'object',
        customData: 'object',
        writeConcern: 'object',
      });
      this.#requireKeeper(session, 'createUser', database);
      requireMajority(command);
      const { createUser: name, pwd, roles, customData } = command;
      if (name === '' || pwd === '') throw new Refusal(2, 'BadValue', 'User document needs a name and a password');
      if (!Array.isArray(roles))
        throw new Refusal(14, 'TypeMismatch', "BSON field 'createUser.roles' is the wrong type");
      for (const role of roles as unknown[])
        if (typeof role !== 'string' || !BUILT_IN.has(role) || (ANY_DATABASE.test(role) && database !== 'admin'))
          throw new Refusal(31, 'RoleNotFound', `Could not find role: ${String(role)}@${database}`);
      if (this.users.has(`${database}.${name}`))
        throw new Refusal(51003, 'Location51003', `User "${name}@${database}" already exists`);
      this.users.set(`${database}.${name}`, { database, name, keys: keysOf(pwd), roles, customData });
      return {};
    },
    updateUser: (session, command, database) => {
      fields(command, { updateUser: 'string', pwd: 'string?', customData: 'object?', writeConcern: 'object' });
      this.#requireKeeper(session, 'updateUser', database);
      requireMajority(command);
      const user = this.#user(database, command['updateUser']);
      if (command['pwd'] === undefined && command['customData'] === undefined)
        throw new Refusal(2, 'BadValue', 'Must specify at least one field to update in updateUser');
      if (command['pwd'] !== undefined) user.keys = keysOf(command['pwd']);
      if (command['customData'] !== undefined) user.customData = command['customData'];
      return {};
    },
    dropUser: (session, command, database) => {
      fields(command, { dropUser: 'string', writeConcern: 'object' });
      this.#requireKeeper(session, 'dropUser', database);
      requireMajority(command);
      const { name } = this.#user(database, command['dropUser']);
      this.users.delete(`${database}.${name}`);
      return {};
    },
  };

  #user(database: string, name: string): MongoUser {
    const user = this.users.get(`${database}.${name}`);
    if (!user) throw new Refusal(11, 'UserNotFound', `User '${name}@${database}' not found`);
    return user;
  }

  /** A deleted user has no permissions, also on an open connection. */
  #whoAsks({ user }: Session): MongoUser {
    if (!user || this.users.get(`${user.database}.${user.name}`) !== user)
      throw new Refusal(13, 'Unauthorized', 'Command requires authentication');
    return user;
  }

  #requireKeeper(session: Session, command: string, database: string): void {
    const { roles, database: own } = this.#whoAsks(session);
    const may =
      (roles.includes('userAdmin') && own === database) || (roles.includes('userAdminAnyDatabase') && own === 'admin');
    if (!may)
      throw new Refusal(13, 'Unauthorized', `not authorized on ${database} to execute command { ${command}: 1 }`);
  }
}

const unproven = () => new Refusal(18, 'AuthenticationFailed', 'Authentication failed.');

/** The server's signature, for a proof that is right (RFC 5802, section 3). */
function proofOf({ bare, serverFirst, nonce, user }: Conversation, final: string): string {
  const [, withoutProof = '', given = '', proof = ''] = /^(c=biws,r=([^,]+)),p=([A-Za-z0-9+/]{43}=)$/.exec(final) ?? [];
  if (!user || given !== nonce) throw unproven();
  const message = `${bare},${serverFirst},${withoutProof}`;
  const signature = hmac(user.keys.storedKey, message);
  const clientKey = Buffer.from(Buffer.from(proof, 'base64').map((octet, i) => octet ^ signature[i]!));
  if (!sha256(clientKey).equals(user.keys.storedKey)) throw unproven();
  return hmac(user.keys.serverKey, message).toString('base64');
}

function textOf(payload: unknown): string {
  return Buffer.from((payload as Binary).buffer).toString();
}

/** A command has exactly the fields of its kind with their types; `?` marks optional ones. */
function fields(command: Document, types: Readonly<Record<string, string>>): void {
  const [name = ''] = Object.keys(command);
  for (const [field, value] of Object.entries(command)) {
    if (field === '$db') continue;
    const type = types[field]?.replace('?', '');
    if (type === undefined)
      throw new Refusal(40415, 'Location40415', `BSON field '${name}.${field}' is an unknown field.`);
    const actual = value instanceof Binary ? 'binary' : typeof value;
    if (actual !== type)
      throw new Refusal(
        14,
        'TypeMismatch',
        `BSON field '${name}.${field}' is the wrong type '${actual}', expected type '${type}'`,
      );
  }
  const missing = Object.entries(types).find(([field, type]) => !type.endsWith('?') && !(field in command));
  if (missing)
    throw new Refusal(40414, 'Location40414', `BSON field '${name}.${missing[0]}' is missing but a required field`);
}

function requireMajority({ writeConcern }: Document): void {
  const { w, wtimeout } = writeConcern as Document;
  if (w !== 'majority' || typeof wtimeout !== 'number')
    throw new Refusal(9, 'FailedToParse', 'w has to be a number or a string');
}
