import {
  mssql,
  mysql,
  postgres,
  readSql,
  renderSql,
  type SqlClient,
  type SqlSession,
} from '../../../../apps/sql/index.ts';
import { newId } from '../../../../kernel/index.ts';
import { UsernameAndPassword } from '../../fields.ts';
import { defineProvider, type LeaseOf, type ProviderIo } from '../../provider.ts';
import { deleteLogin, leaseLogin, refuseIn } from '../../statement.ts';
import { Inputs } from './inputs.ts';

const clients = { postgres, mysql2: mysql, mssql } satisfies Record<Inputs['client'], SqlClient>;
/** The apps whose connections reach the same databases. */
const APPS = { postgres: 'postgres', mysql2: 'mysql', mssql: 'mssql' } satisfies Record<Inputs['client'], string>;

const FACTS = {
  creationStatement: ['username', 'password', 'expiration', 'database'],
  revocationStatement: ['username', 'database'],
  renewStatement: ['username', 'expiration', 'database'],
};

/** Logins of a database, by statements that its owner writes. */
export const sqlDatabase = defineProvider({
  type: 'sql-database',
  title: 'SQL database',
  inputs: Inputs,
  data: UsernameAndPassword,
  username: ({ client }) => clients[client].username,
  target: ({ client, host, port, database }) => `${client}://${host}:${port}/${database}`,
  logins: {
    apps: Object.values(APPS),
    of: ({ client, host, port, username }) => [
      { app: APPS[client], credentials: { method: 'username-and-password', host, port, username } },
    ],
  },
  validate(inputs) {
    const { dialect } = clients[inputs.client];
    for (const field of Object.keys(FACTS) as (keyof typeof FACTS)[])
      if (inputs[field]) readSql(inputs[field], dialect, FACTS[field], refuseIn(field));
  },
  check: (inputs, io) =>
    inSession(inputs, io, async (session) => {
      await session.run('select 1');
      // A name that nobody has: whether it exists is what a revocation has to know.
      await session.canLogIn(newId());
    }),
  prepare: (_inputs, { username }) => username,
  issue(inputs, lease, io) {
    const password = io.password(inputs.passwordRequirements);
    const statement = render(inputs, 'creationStatement', lease, password);
    const login = { statement, password, username: lease.entityId, title: 'a login' };
    return leaseLogin(login, (work) => inSession(inputs, io, work));
  },
  async renew(inputs, lease, io) {
    if (inputs.renewStatement)
      await inSession(inputs, io, (session) => session.run(render(inputs, 'renewStatement', lease)));
  },
  revoke: (inputs, lease, io) =>
    inSession(inputs, io, async (session) => {
      await session.endSessions(lease.entityId);
      const statement = render(inputs, 'revocationStatement', lease);
      await deleteLogin(session, { statement, username: lease.entityId, title: 'the login' });
    }),
});

function inSession<T>(inputs: Inputs, io: ProviderIo, work: (session: SqlSession) => Promise<T>): Promise<T> {
  return io.usePooled((lasting) => clients[inputs.client].open(inputs, lasting), work);
}

function render(inputs: Inputs, field: keyof typeof FACTS, { entityId, expireAt }: LeaseOf, password = ''): string {
  const client = clients[inputs.client];
  return renderSql(readSql(inputs[field] ?? '', client.dialect, FACTS[field], refuseIn(field)), {
    username: entityId,
    password,
    expiration: client.expiration(expireAt),
    database: inputs.database,
  });
}
