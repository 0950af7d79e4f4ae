import { ambiguousOutcome, rejectedBy } from '../../family/index.ts';
import { badRequest } from '../../kernel/index.ts';
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
/**
 * Whether the managing account sees all of these: others see only themselves
 * (https://learn.microsoft.com/en-us/sql/relational-databases/security/metadata-visibility-configuration). Users of a database have
 * passwords if it is contained, or in Azure SQL (edition 5); from there, logins of the server can be neither made nor seen.
 */
const SEES_ALL = `select count(*) from sys.databases where name = db_name()
  and (cast(serverproperty('EngineEdition') as int) = 5
    or exists (select * from sys.database_principals where principal_id = user_id() and authentication_type = 2)
    or has_perms_by_name(null, null, 'ALTER ANY LOGIN') = 1 or has_perms_by_name(null, null, 'VIEW ANY DEFINITION') = 1)
  and (cast(serverproperty('EngineEdition') as int) <> 5 and containment = 0
    or has_perms_by_name(db_name(), 'DATABASE', 'ALTER ANY USER') = 1
    or has_perms_by_name(db_name(), 'DATABASE', 'VIEW DEFINITION') = 1)`;
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
      if (count !== 0) return true;
      const [seesAll] = await ask(SEES_ALL);
      if (seesAll === 1) return false;
      throw badRequest(
        'mssql.visibility',
        `The account that manages logins at ${host} cannot see them all, so it is unknown which exist: grant it ALTER ANY LOGIN, in a contained database ALTER ANY USER`,
      );
    },
    async endSessions(username) {
      // The managing account may lack the permission to see or to end sessions.
      const sessions = await connection.ask(renderSql(SESSIONS, { username })).catch(() => []);
      for (const id of sessions) await connection.ask(`kill ${id}`).catch(() => undefined);
    },
  };
}
