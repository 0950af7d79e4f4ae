import { z } from 'zod';
import { ownSql, renderSql, type Dialect, type SqlClient, type SqlSession } from '../apps/sql/index.ts';
import { CaCertificate } from '../crypto/index.ts';
import { isRemote, remoteError, sealed } from '../family/index.ts';
import { text } from '../kernel/index.ts';
import { defineConnector } from './connection/index.ts';
import { needed, serverHost } from './fields.ts';

const HOST = 'a host name or an address, without a port';
const TARGET = ['host', 'port', 'database', 'username', 'sslEnabled', 'sslRejectUnauthorized', 'sslCertificate'];

/** Where a database is, and as whom it is used. */
export const databaseFields = (port: number) =>
  z.object({
    host: serverHost(HOST, /^[^\s/?#@\\]+$/).meta({ examples: ['db.example.com'] }),
    port: z.int().min(1).max(65_535).default(port),
    database: needed('the name of the database', 255),
    username: needed('the name of the login', 255),
    password: sealed(text(1024).min(1), { sentTo: TARGET }),
    sslEnabled: z.boolean().default(true).describe('Whether TLS is required'),
    sslRejectUnauthorized: z
      .literal(true, 'Only true is supported: give the certificate of the issuer as sslCertificate')
      .default(true)
      .describe('The certificate of the server is always verified'),
    sslCertificate: CaCertificate.optional().describe(
      'PEM of the root certificate by which the server is trusted; default: the roots of the system',
    ),
  });

/** A database: does work in a session of its own, which it closes. */
export type SqlAccess = <T>(work: (session: SqlSession) => Promise<T>) => Promise<T>;

function statementOf(template: string, dialect: Dialect, values: Readonly<Record<string, string>>): string {
  const read = ownSql(template, dialect, Object.keys(values));
  try {
    return renderSql(read, values);
  } catch {
    throw remoteError('rejected', 'The username or the password has characters that cannot be part of a statement');
  }
}

/**
 * A connector to a kind of SQL database with a client.
 *
 * @param ownPassword Statements by which a login sets its own password, tried in this order: with `{{username}}`, `{{password}}` and
 * `{{oldPassword}}`.
 */
export const defineSqlConnector = <const App extends string>(
  app: App,
  title: string,
  port: number,
  client: SqlClient,
  ownPassword: readonly string[],
) =>
  defineConnector({
    app,
    title,
    methods: { 'username-and-password': { credentials: databaseFields(port) } },
    systemOf: ({ host, port: at }) => ({ name: `${host.replace(/\.$/, '')}:${at}` }),
    connect:
      ({ sslEnabled, sslCertificate, ...server }, remote): SqlAccess =>
      async (work) => {
        const tls = sslEnabled ? 'required' : 'none';
        const session = await client.open({ ...server, tls, ca: sslEnabled ? sslCertificate : null }, remote);
        try {
          return await work(session.client);
        } finally {
          session.close();
        }
      },
    check: (access) => access((session) => session.run('select 1')),
    async changeOwnPassword(access, { username, password: oldPassword }, password) {
      const values = { username: String(username), oldPassword: String(oldPassword), password };
      const statements = ownPassword.map((one) => statementOf(one, client.dialect, values));
      await access(async (session) => {
        let rejection: unknown;
        for (const statement of statements) {
          try {
            return await session.run(statement);
          } catch (error) {
            if (!isRemote(error, 'rejected')) throw error;
            rejection ??= error;
          }
        }
        throw rejection;
      });
    },
  });
