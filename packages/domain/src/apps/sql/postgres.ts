import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, DatabaseError } from 'pg';
import { deriveInTurn, LASTING, notSpoken, rejectedBy, withoutTls } from '../../family/index.ts';
import { DomainError, type OutboundConnect, type OutboundConnection } from '../../kernel/index.ts';
import { requiresTls, type SqlClient, type SqlServer, type SqlSession } from './client.ts';
import { checkMessages } from './postgres-messages.ts';

/** Milliseconds that the server allows for one statement: less than the deadline of a call. */
const STATEMENT_TIME = 12_000;
/** PostgreSQL 18, 54.7: SSLRequest, asks whether the server supports TLS. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

export const postgres: SqlClient = {
  dialect: 'postgres',
  username: { maxLength: 63, alphabet: /[A-Za-z0-9_.-]/ },
  expiration: (time) => time.toISOString(),
  async open(server, { connect, organizationId }) {
    const connection = await reach(server, connect);
    const client = await logIn(server, connection, organizationId);
    const translated = <T>(work: Promise<T>) => work.catch((error: unknown) => refuse(error, server, connection));
    const readStrings = await translated(readStringsAsWritten(client)).catch((error: unknown) => {
      connection.stream.destroy();
      throw error;
    });
    let isOpen = true;
    connection.stream.once('close', () => (isOpen = false));
    return {
      client: sessionOf(client, translated),
      isOpen: () => isOpen,
      reset: () => client.query('discard all').then(readStrings),
      close: () => {
        isOpen = false;
        connection.stream.destroy();
      },
    };
  },
};

/** The maximum time of a statement: the server cancels it, also after the client is gone. */
const BEGIN = `begin; set local statement_timeout = ${STATEMENT_TIME}; set local lock_timeout = ${STATEMENT_TIME};`;

const sessionOf = (client: Client, translated: <T>(work: Promise<T>) => Promise<T>): SqlSession => ({
  async run(statements) {
    // Lines of their own: the statements may end in a comment.
    await translated(
      client.query(`${BEGIN}\n${statements}\n;commit`).catch(async (error: unknown) => {
        await client.query('rollback').catch(() => undefined);
        throw error;
      }),
    );
  },
  async canLogIn(username) {
    const { rows } = await translated(
      client.query<{ can: string }>('select rolcanlogin as can from pg_catalog.pg_roles where rolname = $1', [
        username,
      ]),
    );
    return rows[0]?.can === 't';
  },
  async endSessions(username) {
    await client
      .query(
        `select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
         where usename = $1 and pid <> pg_catalog.pg_backend_pid()`,
        [username],
      )
      // The managing account may lack the privilege to end sessions.
      .catch(() => undefined);
  },
});

/**
 * `statement.ts` quotes strings for databases with `standard_conforming_strings`, the default that owners can change.
 * Returns what must run after each `discard all`.
 */
async function readStringsAsWritten(client: Client): Promise<() => Promise<unknown>> {
  const { rows } = await client.query<Record<string, string>>('show standard_conforming_strings');
  const isUsual = Object.values(rows[0] ?? {})[0] === 'on';
  const set = () => (isUsual ? Promise.resolve() : client.query('set standard_conforming_strings = on'));
  await set();
  return set;
}

/** Values as the server writes them: those of other types are parsed, which takes as long as the server likes. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/**
 * Iterations of PBKDF2 that a server may ask for. They occupy one of the threads that all of the process shares, some 50 ms. An option
 * that the types of the library lack.
 */
const DERIVATION = { scramMaxIterations: 100_000 };

/** A method of the library that its types lack: derives the key, and sends the proof. */
const PROVE = '_handleAuthSASLContinue';
type Internals = Record<typeof PROVE, (message: unknown) => Promise<void>>;

async function logIn(server: SqlServer, connection: OutboundConnection, organizationId: string) {
  const { host, port, database, username, password } = server;
  const { stream } = connection;
  checkMessages(stream);
  const client = new Client({
    host,
    port,
    database,
    user: username,
    password,
    ssl: false,
    application_name: 'coffer',
    types: AS_TEXT,
    ...DERIVATION,
    stream: () => connected(stream),
  });
  const internals = client as unknown as Internals;
  const prove = internals[PROVE].bind(client);
  // Without its turn the connection has ended, and with it the login.
  internals[PROVE] = (message) => deriveInTurn(organizationId, connection, () => prove(message)).catch(() => undefined);
  // Running work receives the errors of the connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    stream.destroy();
    throw error instanceof DatabaseError ? rejectedBy(host, error.message) : notSpoken(host, 'PostgreSQL');
  }
}

/** The library connects by itself; here the connection exists already. */
const connected = (stream: Duplex) =>
  Object.assign(stream, {
    connect: () => setImmediate(() => stream.emit('connect')),
    setNoDelay: () => stream,
  });

/** With TLS as the server is configured (see `SqlServer`). */
async function reach(server: SqlServer, connect: OutboundConnect): Promise<OutboundConnection> {
  const { host, port, ca } = server;
  const open = () => connect({ host, port, ...LASTING });
  if (server.tls === 'none') return open();
  const connection = await open();
  const answer = await offersTls(connection, host);
  const isRequired = requiresTls(server);
  if (answer && isRequired) return connection.secure({ ca: ca || undefined });
  if (isRequired) {
    connection.stream.destroy();
    throw withoutTls(host);
  }
  return answer ? connection.secure({}).catch(open) : connection;
}

async function offersTls(connection: OutboundConnection, host: string): Promise<boolean> {
  const { stream } = connection;
  stream.write(SSL_REQUEST);
  const closed = once(stream, 'close').then(() => {
    throw connection.failure ?? notSpoken(host, 'PostgreSQL');
  });
  closed.catch(() => undefined);
  const [data] = (await Promise.race([once(stream, 'data'), closed])) as [Buffer];
  const answer = data.toString('latin1');
  // Further bytes in plaintext would be read as if received through TLS.
  if (answer === 'S' || answer === 'N') return answer === 'S';
  stream.destroy();
  throw notSpoken(host, 'PostgreSQL');
}

function refuse(error: unknown, { host }: SqlServer, connection: OutboundConnection): never {
  if (error instanceof DomainError) throw error;
  if (error instanceof DatabaseError) throw rejectedBy(host, error.message);
  throw connection.failure ?? notSpoken(host, 'PostgreSQL');
}
