import { foldedName } from '../../kernel/index.ts';
import { ownSql, renderSql, type Dialect } from '../../apps/sql/index.ts';
import { makePassword } from '../../secrets/dynamic/index.ts';
import type { Connector } from '../connection/index.ts';
import type { SqlAccess } from '../sql-database.ts';
import { defineRotation, type Credential, type RotationTarget } from './rotation.ts';
import { twoLogins } from './two-logins.ts';

/** What is different about a kind of SQL database. */
interface SqlRotation<Type extends string> {
  readonly type: Type;
  readonly title: string;
  readonly connector: Connector<SqlAccess>;
  readonly dialect: Dialect;
  /** Sets the password of a login: with `{{username}}` and `{{password}}`. */
  readonly statement: string;
  /** The usual names of the secrets begin with it. */
  readonly prefix: string;
}

/** The name that a database takes for a login, whichever way it is spelled. */
const CANONICAL: Record<Dialect, (name: string) => string> = {
  // https://www.postgresql.org/docs/current/sql-syntax-lexical.html: longer names are cut.
  postgres: (name) => cut(name, 63),
  // https://dev.mysql.com/doc/refman/8.4/en/account-names.html: names are stored in columns that do not keep trailing blanks.
  mysql: (name) => name.trimEnd(),
  // The usual collations ignore case, width, the kind of kana, invisible characters and trailing blanks, some accents, and
  // take ß for ss: https://learn.microsoft.com/en-us/sql/relational-databases/collations/collation-and-unicode-support.
  mssql: (name) => foldedName(name).trimEnd(),
  cql: (name) => name,
};

/** As many whole characters as have no more than so many bytes. */
function cut(name: string, bytes: number): string {
  let left = bytes;
  const characters = Array.from(name);
  const end = characters.findIndex((character) => (left -= Buffer.byteLength(character)) < 0);
  return end < 0 ? name : characters.slice(0, end).join('');
}

/** The passwords of two logins of an SQL database, in turn. */
export function defineSqlRotation<const Type extends string>(declared: SqlRotation<Type>) {
  const { type, title, connector, dialect, statement, prefix } = declared;
  const template = ownSql(statement, dialect, ['username', 'password']);
  const setPassword = ({ client }: RotationTarget<SqlAccess>, values: Credential) =>
    client((session) => session.run(renderSql(template, values)));
  return defineRotation({
    ...twoLogins(CANONICAL[dialect]),
    type,
    title,
    connector,
    mapping: { username: `${prefix}_USERNAME`, password: `${prefix}_PASSWORD` },
    secret: ['password'],
    async apply(target, { plan }) {
      await setPassword(target, plan);
      return plan;
    },
    async verify({ as }, { username, password }) {
      const access = await as({ username, password });
      await access((session) => session.run('select 1'));
    },
    // The logins are not Coffer's: they stay, with passwords that nobody knows.
    async revoke(target, { plan: { username } }) {
      if (await target.client((session) => session.canLogIn(username)))
        await setPassword(target, { username, password: makePassword() });
    },
    canReconcile: true,
  });
}
