import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Connection } from 'mysql2';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';
import {
  debianProgram,
  freePorts,
  startServer,
  temporaryDirectory,
  type Login,
} from '../../../outbound/testing/server-process.ts';

const run = promisify(execFile);
const [MARIADBD, INSTALL] = ['/usr/sbin/mariadbd', '/usr/bin/mariadb-install-db'];

export const mariadb = debianProgram(MARIADBD, 'mariadb-server');

/** Who makes logins there, with the rights that the guide names and no others. */
export const MARIADB_MANAGER = { username: 'coffer', password: `it's a "manager"\\` } as const;
/** The same, and refused without TLS. */
export const MARIADB_SECURE_MANAGER = { ...MARIADB_MANAGER, username: 'coffer_tls' } as const;
/** May create logins, but not list them. */
export const MARIADB_BLIND_MANAGER = { ...MARIADB_MANAGER, username: 'coffer_blind' } as const;

export interface MariaDb {
  readonly port: number;
  readonly database: string;
  /** PEM of the root that vouches for it, under the name `127.0.0.1` alone. */
  readonly ca: string;
  /** Whether this login works, with its permissions. */
  works(login: Login): Promise<boolean>;
  /** Logs in and stays; `ended` resolves when the server ends the session. */
  stay(login: Login): Promise<{ readonly ended: Promise<unknown> }>;
  /** The rows of an administrator's statement. */
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const managers = [MARIADB_MANAGER, MARIADB_SECURE_MANAGER, MARIADB_BLIND_MANAGER].flatMap(({ username, password }) => [
  // The server reads them without backslashes as escapes.
  `create user '${username}'@'%' identified by ${quoted(password)}`,
  `grant create user, process, connection admin on *.* to '${username}'@'%'`,
  `grant all on shop.* to '${username}'@'%' with grant option`,
]);
const STATEMENTS = [
  'create database shop',
  'create table shop.orders (id integer)',
  'create table shop.until (name varchar(80) not null, at datetime)',
  ...managers,
  ...[MARIADB_MANAGER, MARIADB_SECURE_MANAGER].flatMap(({ username }) => [
    `grant select on mysql.user to '${username}'@'%'`,
    `grant select on mysql.global_priv to '${username}'@'%'`,
  ]),
  `alter user '${MARIADB_SECURE_MANAGER.username}'@'%' require ssl`,
  `set password for 'root'@'localhost' = password('root')`,
];

/**
 * Starts a separate MariaDB on a free port of 127.0.0.1, with TLS. Its settings are the worst case for writers of
 * statements: other quotes and backslashes, and a character set in which a backslash can end a character.
 */
export async function startMariaDb(): Promise<MariaDb> {
  mariadb.require();
  const path = await temporaryDirectory('mariadb');
  const [port] = (await freePorts(1)) as [number];
  const root = makeAuthority('Database root');
  const server = root.issue('127.0.0.1');
  const files = {
    'ca.pem': root.cert,
    'cert.pem': server.cert,
    'key.pem': server.key,
    'init.sql': `${STATEMENTS.join(';\n')};\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(`${path}/${name}`, text);
  const here = ['--no-defaults', `--datadir=${path}/data`, ...(process.getuid?.() === 0 ? ['--user=root'] : [])];
  const small = ['--innodb-buffer-pool-size=8M', '--innodb-log-file-size=4M'];
  await run(INSTALL, [...here, ...small, '--auth-root-authentication-method=normal', '--skip-test-db']);
  const child = await startServer(
    MARIADBD,
    [
      ...here,
      ...small,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${path}/socket`,
      `--pid-file=${path}/pid`,
      `--init-file=${path}/init.sql`,
      `--ssl-ca=${path}/ca.pem`,
      `--ssl-cert=${path}/cert.pem`,
      `--ssl-key=${path}/key.pem`,
      '--skip-name-resolve',
      '--skip-log-bin',
      '--innodb-flush-log-at-trx-commit=0',
      '--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES',
      '--character-set-server=gbk',
      '--skip-character-set-client-handshake',
    ],
    { port, directory: path },
  );
  const log = (options: object) => logIn({ host: '127.0.0.1', port, database: 'shop', ...options });
  const admin = await log({
    host: undefined,
    port: undefined,
    socketPath: `${path}/socket`,
    user: 'root',
    password: 'root',
  });
  await rowsOf(admin, 'set names utf8mb4');
  return {
    port,
    database: 'shop',
    ca: root.cert,
    async works({ username: user, password }) {
      try {
        const connection = await log({ user, password });
        await rowsOf(connection, 'select * from orders');
        connection.destroy();
        return true;
      } catch {
        return false;
      }
    },
    async stay({ username: user, password }) {
      const connection = await log({ user, password });
      return { ended: once(connection, 'error') };
    },
    query: (sql, values = []) => rowsOf(admin, sql, values),
    async stop() {
      admin.destroy();
      await child.stop();
    },
  };
}

async function logIn(options: object): Promise<Connection> {
  const { createConnection } = await import('mysql2');
  const connection = createConnection(options);
  return new Promise((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve(connection))));
}

const rowsOf = (connection: Connection, sql: string, values: readonly unknown[] = []) =>
  new Promise<Record<string, unknown>[]>((resolve, reject) =>
    connection.execute(sql, [...values] as string[], (error, rows) =>
      error ? reject(error) : resolve(rows as Record<string, unknown>[]),
    ),
  );
