import { rejectedBy, ambiguousOutcome } from '../../family/index.ts';
import { pooled, type SqlClient, type SqlSession } from './client.ts';
import { connectMysql, type MysqlConnection, type MysqlError } from './mysql-connection.ts';

/**
 * Seconds that the server waits for locks, or that MariaDB works, for one statement: less than the deadline of a call.
 */
const STATEMENT_TIME = 12;

/** MySQL, and MariaDB. */
export const mysql: SqlClient = {
  dialect: 'mysql',
  // MariaDB accepts longer ones.
  username: { maxLength: 32, alphabet: /[A-Za-z0-9_.-]/ },
  expiration: (time) => time.toISOString().slice(0, 19).replace('T', ' '),
  async open(server, { connect }) {
    const connection = await connectMysql(server, connect);
    return pooled(connection, sessionOf(server.host, connection));
  },
};

/**
 * Session settings, independent of the server's: UTF-8, backslash escapes, `"` for strings. GRANT does not create users
 * (always so in MySQL; `M!` comments are for MariaDB only), and times are in UTC.
 */
const SETTINGS = `set names utf8mb4, time_zone = '+00:00', lock_wait_timeout = ${STATEMENT_TIME},
  innodb_lock_wait_timeout = ${STATEMENT_TIME}, sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'
  /*M!, sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,NO_AUTO_CREATE_USER', max_statement_time = ${STATEMENT_TIME} */`;
/** MariaDB ignores comments for MySQL 5.7, and MySQL those for MariaDB. */
const LOGINS = `select count(*) as count from mysql.user
  where user = ? /*!50706 and account_locked = 'N' */ /*M!100400 and is_role = 'N' */`;
/** MariaDB's own table, readable only with privileges. */
const UNLOCKED = `select count(*) as count from mysql.global_priv
  where user = ? and not coalesce(json_value(priv, '$.account_locked'), 0)`;
const SESSIONS = 'select id from information_schema.processlist where user = ?';

function sessionOf(host: string, connection: MysqlConnection): SqlSession {
  const refuse = (error: MysqlError, said = rejectedBy): never => {
    throw error.sqlMessage === undefined ? connection.failure : said(host, error.sqlMessage);
  };
  const begin = () => connection.run(SETTINGS).catch((error: MysqlError) => refuse(error));
  const count = async (sql: string, username: string) => {
    const [row] = await connection.ask<{ count: number }>(sql, [username]);
    return Number(row?.count);
  };
  return {
    async run(statements) {
      await begin();
      let done = 0;
      await connection
        .run(statements, () => (done += 1))
        .catch((error: MysqlError) => refuse(error, done > 0 ? ambiguousOutcome : rejectedBy));
    },
    async canLogIn(username) {
      await begin();
      const there = await count(LOGINS, username).catch((error: MysqlError) => refuse(error));
      if (there === 0) return false;
      return (await count(UNLOCKED, username).catch(() => there)) !== 0;
    },
    async endSessions(username) {
      // The managing account may lack the privilege to see or to end sessions.
      const sessions = await connection.ask<{ id: number }>(SESSIONS, [username]).catch(() => []);
      for (const { id } of sessions) await connection.ask(`kill ${id}`, []).catch(() => undefined);
    },
  };
}
