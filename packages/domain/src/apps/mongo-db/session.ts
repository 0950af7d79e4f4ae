import type { Duplex } from 'node:stream';
import type { Document } from 'bson';
import { badRequest, DomainError, type PooledClient } from '../../kernel/index.ts';
import {
  ambiguousOutcome,
  deriveInTurn,
  lastingTo,
  notSpoken,
  rejectedBy,
  type LoginIo,
  type SecurableServer,
} from '../../family/index.ts';
import { ReceiveBuffer } from '../../outbound/index.ts';
import { decodeMessage, encodeMessage, lengthOf, NoMessage } from './message.ts';
import { Scram, ScramError } from './scram.ts';

const MECHANISM = 'SCRAM-SHA-256';

/** Where a MongoDB is, and who logs in. */
export interface MongoServer extends SecurableServer {
  /** The database that the user is of. */
  readonly authSource: string;
  readonly username: string;
  readonly password: string;
}

/** An error response of MongoDB. */
export class MongoFault extends Error {
  readonly code: number;

  constructor(code: number, words: string) {
    super(words);
    this.code = code;
  }
}

/** An authenticated connection. */
export interface MongoSession {
  /**
   * Runs a command on a database.
   *
   * @throws MongoFault, DomainError if the server is unreachable or its reply is invalid
   */
  run(database: string, command: Document): Promise<Document>;
}

/**
 * Connects, and authenticates by SCRAM-SHA-256: the password is not sent, and a server that does not know it is
 * rejected.
 *
 * @throws DomainError 400 for a server that is not writable, rejects the login, is unreachable or uses another
 * protocol.
 */
export async function openMongo(server: MongoServer, io: LoginIo): Promise<PooledClient<MongoSession>> {
  const { host } = server;
  const bson = await import('bson');
  const connection = await io.connect(lastingTo(server));
  const { stream } = connection;
  const wire = new Wire(stream);
  let id = 0;
  const run = async (database: string, command: Document): Promise<Document> => {
    const asked = ++id;
    try {
      const reply = await wire.ask(encodeMessage(bson, asked, { ...command, $db: database }));
      return answerOf(decodeMessage(bson, reply, asked));
    } catch (error) {
      if (error instanceof MongoFault) throw error;
      stream.destroy();
      throw (error instanceof Ended ? connection.failure : undefined) ?? notSpoken(host, 'MongoDB');
    }
  };
  try {
    await greet(server, run);
    const inTurn: InTurn = (work) => deriveInTurn(io.organizationId, connection, work);
    await logIn(server, run, inTurn, (text) => new bson.Binary(Buffer.from(text)));
  } catch (error) {
    stream.destroy();
    throw error instanceof MongoFault ? rejectedBy(host, error.message) : error;
  }
  return { client: { run }, isOpen: () => !stream.destroyed, close: () => void stream.destroy() };
}

type Run = MongoSession['run'];
type InTurn = (work: () => Promise<string>) => Promise<string>;

/** Asks for the role of the server: users are created on the primary. */
async function greet({ host, username, authSource }: MongoServer, run: Run): Promise<void> {
  const hello = await run('admin', { hello: 1, saslSupportedMechs: `${authSource}.${username}` });
  const { isWritablePrimary, primary, saslSupportedMechs: mechanisms } = hello;
  if (isWritablePrimary !== true) {
    const where = typeof primary === 'string' && /^[\w.:[\]-]{1,255}$/.test(primary) ? `: ${primary} is` : '';
    throw badRequest('mongo_db.not_primary', `${host} is not the primary of its replica set${where}`);
  }
  if (Array.isArray(mechanisms) && mechanisms.length > 0 && !mechanisms.includes(MECHANISM))
    throw badRequest(
      'mongo_db.mechanism',
      `${username} has no ${MECHANISM} credentials on ${host}: set its password again`,
    );
}

async function logIn(
  { host, username, password, authSource }: MongoServer,
  run: Run,
  inTurn: InTurn,
  binary: (text: string) => Document,
): Promise<void> {
  try {
    const scram = new Scram(username, password);
    const start = { saslStart: 1, mechanism: MECHANISM, options: { skipEmptyExchange: true } };
    const first = await run(authSource, { ...start, payload: binary(scram.first) });
    const { conversationId } = first;
    const proof = await inTurn(() => scram.prove(payloadOf(first)));
    const final = await run(authSource, { saslContinue: 1, conversationId, payload: binary(proof) });
    scram.verify(payloadOf(final));
    if (final['done'] === true) return;
    // Servers without skipEmptyExchange need one more empty message.
    const last = await run(authSource, { saslContinue: 1, conversationId, payload: binary('') });
    if (last['done'] !== true) throw new ScramError('It does not come to an end');
  } catch (error) {
    if (error instanceof MongoFault || error instanceof DomainError) throw error;
    throw notSpoken(host, 'MongoDB');
  }
}

function payloadOf({ payload }: Document): string {
  const { buffer } = (payload ?? {}) as { buffer?: unknown };
  if (!(buffer instanceof Uint8Array)) throw new ScramError('It has no payload');
  return Buffer.from(buffer).toString();
}

/** @throws MongoFault for a failed command, also for a write concern error */
function answerOf(reply: Document): Document {
  const { ok, code, codeName, errmsg, writeConcernError } = reply;
  if (ok !== 1) throw new MongoFault(typeof code === 'number' ? code : 0, wordsOf(codeName, errmsg));
  if (writeConcernError) {
    const { codeName: name, errmsg: message } = writeConcernError as Document;
    throw new MongoFault(WRITE_CONCERN_FAILED, wordsOf(name, message));
  }
  return reply;
}

const WRITE_CONCERN_FAILED = 64;
/** The error for a command about an unknown user. */
export const USER_NOT_FOUND = 11;
/** Write concern: majority of a replica set, with a timeout in milliseconds. */
export const MAJORITY = { w: 'majority', wtimeout: 10_000 };
/**
 * Codes after which the operation may have been done: MaxTimeMSExpired, ShutdownInProgress, PrimarySteppedDown,
 * ExceededTimeLimit, InterruptedAtShutdown, InterruptedDueToReplStateChange.
 */
const UNCLEAR = new Set([50, WRITE_CONCERN_FAILED, 91, 189, 262, 11_600, 11_602]);

/** The outcome of a command that changes something. */
export const outcomeOf = (host: string, { code, message }: MongoFault): DomainError =>
  (UNCLEAR.has(code) ? ambiguousOutcome : rejectedBy)(host, message);

const wordsOf = (...words: unknown[]): string =>
  words.filter((one) => typeof one === 'string' && one !== '').join(': ');

class Ended extends Error {}

interface Asked {
  resolve(answer: Buffer): void;
  reject(error: Error): void;
}

/** Messages on a stream: one request, one reply. */
class Wire {
  readonly #stream: Duplex;
  readonly #received = new ReceiveBuffer();
  #asked: Asked | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (chunk: Buffer) => this.#take(chunk)).once('close', () => this.#settle(new Ended()));
  }

  ask(message: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#stream.destroyed) return reject(new Ended());
      this.#received.clear();
      this.#asked = { resolve, reject };
      this.#stream.write(message);
    });
  }

  #take(chunk: Buffer): void {
    // No request is pending.
    if (!this.#asked) return void this.#stream.destroy();
    try {
      this.#received.append(chunk);
      const { bytes } = this.#received;
      const length = lengthOf(bytes);
      if (length === undefined || length > bytes.length) return;
      if (length < bytes.length) throw new NoMessage('More documents than requested');
      this.#settle(Buffer.from(bytes));
    } catch (error) {
      this.#settle(error as Error);
    }
  }

  #settle(outcome: Buffer | Error): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (outcome instanceof Error) asked?.reject(outcome);
    else asked?.resolve(outcome);
  }
}
