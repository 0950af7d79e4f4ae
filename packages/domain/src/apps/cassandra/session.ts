import {
  ambiguousOutcome,
  isRemote,
  lastingTo,
  notSpoken,
  rejectedBy,
  remoteError,
  type SecurableServer,
} from '../../family/index.ts';
import { badRequest, type OutboundConnect, type OutboundConnection, type PooledClient } from '../../kernel/index.ts';
import { credentialsBody, errorOf, NoFrame, OPCODE, queryBody, rowsOf, startupBody } from './frame.ts';
import { Ended, Wire, type Frame } from './wire.ts';

/** A cluster of Cassandra or ScyllaDB, and who manages its roles. */
export interface CassandraServer extends Omit<SecurableServer, 'host'> {
  /** Nodes, tried in this order. */
  readonly hosts: readonly string[];
  /** The data center that they have to be in. */
  readonly localDataCenter: string;
  readonly keyspace?: string | null | undefined;
  readonly username: string;
  readonly password: string;
}

/** A connection of the account that manages roles. Errors of Cassandra are thrown as `rejectedBy`. */
export interface CassandraSession {
  /** Runs statements one after the other: there are no transactions. */
  run(statements: readonly string[]): Promise<void>;
  /** Whether a role with this name exists and can log in. */
  canLogIn(username: string): Promise<boolean>;
  /** Does nothing: connections cannot be ended. What a dropped role may do there ends with the cache of permissions. */
  endSessions(username: string): Promise<void>;
}

/** Codes of errors (section 9): of requests that may have been carried out in part. */
const TIMEOUTS = new Set([0x1100, 0x1200, 0x1500, 0x1600]);
const [OVERLOADED, BOOTSTRAPPING] = [0x1001, 0x1002];
const INVALID = 0x2200;
const PROTOCOL = 'the protocol of Cassandra';

/** An error response. */
class CassandraError extends Error {
  readonly code: number;
  constructor({ code, message }: { code: number; message: string }) {
    super(message);
    this.code = code;
  }
}

/** Connects to the first node that answers. @throws DomainError 400 */
export async function openCassandra(
  server: CassandraServer,
  connect: OutboundConnect,
): Promise<PooledClient<CassandraSession>> {
  const [host, ...others] = server.hosts;
  if (host === undefined) throw badRequest('cassandra.hosts', 'There is no host');
  try {
    return await openNode(host, server, connect);
  } catch (error) {
    // A node that has answered speaks for all of them.
    if (others.length === 0 || isRemote(error, 'rejected', 'ambiguous')) throw error;
    return openCassandra({ ...server, hosts: others }, connect);
  }
}

async function openNode(
  host: string,
  server: CassandraServer,
  connect: OutboundConnect,
): Promise<PooledClient<CassandraSession>> {
  const connection = await connect(lastingTo({ ...server, host }));
  const { stream } = connection;
  const node = new Node(host, connection);
  try {
    await node.logIn(server);
    await node.requireDataCenter(server.localDataCenter);
    const use = async () => {
      if (server.keyspace) await node.tell(`use ${quoted(server.keyspace)}`);
    };
    await use();
    return { client: node, isOpen: () => !stream.destroyed, reset: use, close: () => void stream.destroy() };
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

/** A quoted name, in which everything but a quote stands for itself. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** One node, through one connection. */
class Node implements CassandraSession {
  readonly #host: string;
  readonly #connection: OutboundConnection;
  readonly #wire: Wire;

  constructor(host: string, connection: OutboundConnection) {
    this.#host = host;
    this.#connection = connection;
    this.#wire = new Wire(connection.stream);
  }

  async logIn({ username, password }: CassandraServer): Promise<void> {
    try {
      const { opcode } = await this.#ask(OPCODE.startup, startupBody());
      if (opcode === OPCODE.ready) throw rejectedBy(this.#host, 'it asks for no password: set an authenticator');
      if (opcode !== OPCODE.authenticate) throw notSpoken(this.#host, PROTOCOL);
      const answer = await this.#ask(OPCODE.authResponse, credentialsBody(username, password));
      if (answer.opcode !== OPCODE.authSuccess) throw notSpoken(this.#host, PROTOCOL);
    } catch (error) {
      throw this.#asFailure(error);
    }
  }

  async requireDataCenter(expected: string): Promise<void> {
    const [row] = await this.tell('select data_center from system.local');
    const found = row?.['data_center']?.toString();
    if (found === undefined) throw notSpoken(this.#host, PROTOCOL);
    if (found !== expected)
      throw rejectedBy(this.#host, `it is in the data center ${found}, and localDataCenter is ${expected}`);
  }

  async run(statements: readonly string[]): Promise<void> {
    for (const [done, statement] of statements.entries())
      await this.#query(statement).catch((error: unknown) => {
        throw this.#asFailure(error, done > 0);
      });
  }

  async canLogIn(username: string): Promise<boolean> {
    try {
      const [role] = await this.#query(`list roles of ${quoted(username)} norecursive`);
      if (!role) return false;
      const { login } = role;
      if (login?.length !== 1) throw new NoFrame();
      return login[0] === 1;
    } catch (error) {
      // The role does not exist.
      if (error instanceof CassandraError && error.code === INVALID) return false;
      throw this.#asFailure(error);
    }
  }

  endSessions(): Promise<void> {
    return Promise.resolve();
  }

  /** The rows of one statement. */
  tell(statement: string): Promise<Record<string, Buffer | null>[]> {
    return this.#query(statement).catch((error: unknown) => {
      throw this.#asFailure(error);
    });
  }

  async #query(statement: string): Promise<Record<string, Buffer | null>[]> {
    const { opcode, body } = await this.#ask(OPCODE.query, queryBody(statement));
    if (opcode !== OPCODE.result) throw new NoFrame();
    return rowsOf(body);
  }

  async #ask(opcode: number, body: Buffer): Promise<Frame> {
    const answer = await this.#wire.ask(opcode, body);
    if (answer.opcode === OPCODE.error) throw new CassandraError(errorOf(answer.body));
    return answer;
  }

  /** @param isPartlyDone Statements before this one were carried out. */
  #asFailure(error: unknown, isPartlyDone = false): Error {
    if (error instanceof CassandraError) {
      const { code, message } = error;
      if (code === OVERLOADED || code === BOOTSTRAPPING)
        return remoteError(isPartlyDone ? 'ambiguous' : 'unavailable', `${this.#host} reports: ${message}`);
      return (isPartlyDone || TIMEOUTS.has(code) ? ambiguousOutcome : rejectedBy)(this.#host, message);
    }
    if (!(error instanceof NoFrame || error instanceof Ended)) return error as Error;
    this.#connection.stream.destroy();
    return (error instanceof Ended ? this.#connection.failure : undefined) ?? notSpoken(this.#host, PROTOCOL);
  }
}
