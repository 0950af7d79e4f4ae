import { z } from 'zod';
import { readSql, renderSql, type Dialect } from '../../apps/sql/index.ts';
import { badRequest } from '../../kernel/index.ts';
import { makePassword } from '../../secrets/dynamic/index.ts';
import type { Connector } from '../connection/index.ts';
import { needed } from '../fields.ts';
import { defineRotation, type Credential, type RotationTarget } from './rotation.ts';
import type { SqlAccess } from '../sql-database.ts';

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

const login = (which: string) =>
  needed(`the name of the ${which} login`, 255)
    .regex(/^[^\p{Cc}]+$/u, `the name of the ${which} login`)
    .describe(`The ${which} of the two logins, which exists in the database`);
const Parameters = z.object({ username1: login('first'), username2: login('second') });

const impossible = (why: string) => new Error(`A statement of a rotation cannot be read: ${why}`);

/** The passwords of two logins of an SQL database, in turn. */
export function defineSqlRotation<const Type extends string>(declared: SqlRotation<Type>) {
  const { type, title, connector, dialect, statement, prefix } = declared;
  const template = readSql(statement, dialect, ['username', 'password'], impossible);
  const setPassword = ({ client }: RotationTarget<SqlAccess>, values: Credential) =>
    client((session) => session.run(renderSql(template, values)));
  return defineRotation({
    type,
    title,
    connector,
    parameters: Parameters,
    mapping: { username: `${prefix}_USERNAME`, password: `${prefix}_PASSWORD` },
    secret: ['password'],
    slots: 2,
    accounts: ({ username1, username2 }) => [username1, username2],
    validate({ username1, username2 }, credentials) {
      if (username1 === username2)
        throw badRequest('secret_rotation.parameters', 'username1 and username2 must be two logins');
      if ([username1, username2].includes(String(credentials['username'])))
        throw badRequest(
          'secret_rotation.parameters',
          'username1 and username2 must be other logins than that of the connection, which changes their passwords',
        );
    },
    generate: ({ username1, username2 }, { slot, password }) => ({
      username: slot === 0 ? username1 : username2,
      password: password(),
    }),
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
  });
}
