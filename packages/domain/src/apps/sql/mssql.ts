import { ambiguousOutcome, rejectedBy } from '../../family/index.ts';
import { pooled, type SqlClient, type SqlSession } from './client.ts';
import { connectMssql, type MssqlConnection, type MssqlError } from './mssql-connection.ts';
import { ownSql, renderSql } from './statement.ts';

/** Milliseconds that the server waits for locks: less than the deadline of a call. */
const LOCK_TIME = 12_000;

/** Microsoft SQL Server, and Azure SQL. */
export const mssql: SqlClient = {
  dialect: 'mssql',
  username: { maxLength: 128, alphabet: /[A-Za-z0-9_.-]/ },
  expiration: (time) => time.toISOString(),
  async open(server, { connect }) {
    const connection = await connectMssql(server, connect);
    return pooled(connection, sessionOf(server.host, connection));
  },
};

/** Settings of the session, whatever those of the server are; `statement.ts` reads names in double quotes. */
const BEGIN = `set quoted_identifier on; set implicit_transactions off; set xact_abort on; set lock_timeout ${LOCK_TIME};
begin transaction`;
/** The statements may have ended it. */
const COMMIT = 'if @@trancount > 0 commit';
const ROLLBACK = 'if @@trancount > 0 rollback';

const own = (text: string) => ownSql(text, 'mssql', ['username']);
/** Logins of the server, and users of a contained database that log in with a password of their own. */
const LOGINS = own(
  `select (select count(*) from sys.server_principals where name = N'{{username}}' and type = 'S' and is_disabled = 0)
  + (select count(*) from sys.database_principals where name = N'{{username}}' and authentication_type = 2)`,
);
const SESSIONS = own(`select session_id from sys.dm_exec_sessions where login_name = N'{{username}}'`);

function sessionOf(host: string, connection: MssqlConnection): SqlSession {
  const refuse = (error: MssqlError, said = rejectedBy): never => {
    throw error.said === undefined ? connection.failure : said(host, error.said);
  };
  const ask = (sql: string) => connection.ask(sql).catch((error: MssqlError) => refuse(error));
  return {
    async run(statements) {
      await ask(BEGIN);
      await connection.ask(statements).catch(async (error: MssqlError) => {
        const isUndone = await connection.ask(ROLLBACK).then(
          () => true,
          () => false,
        );
        refuse(error, isUndone ? rejectedBy : ambiguousOutcome);
      });
      await connection.ask(COMMIT).catch((error: MssqlError) => refuse(error, ambiguousOutcome));
    },
    async canLogIn(username) {
      const [count] = await ask(renderSql(LOGINS, { username }));
      return count !== 0;
    },
    async endSessions(username) {
      // The managing account may lack the permission to see or to end sessions.
      const sessions = await connection.ask(renderSql(SESSIONS, { username })).catch(() => []);
      for (const id of sessions) await connection.ask(`kill ${id}`).catch(() => undefined);
    },
  };
}
