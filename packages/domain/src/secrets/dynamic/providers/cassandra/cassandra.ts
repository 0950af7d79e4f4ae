import { openCassandra, type CassandraSession } from '../../../../apps/cassandra/index.ts';
import { readStatements, renderSql } from '../../../../apps/sql/index.ts';
import { UsernameAndPassword } from '../../fields.ts';
import { defineProvider, type LeaseOf, type ProviderIo } from '../../provider.ts';
import { deleteLogin, leaseLogin, refuseIn } from '../../statement.ts';
import { Inputs } from './inputs.ts';

const FACTS = {
  creationStatement: ['username', 'password', 'expiration', 'keyspace'],
  revocationStatement: ['username', 'keyspace'],
  renewStatement: ['username', 'expiration', 'keyspace'],
};

/** Roles of Cassandra or ScyllaDB, by statements that their owner writes. */
export const cassandra = defineProvider({
  type: 'cassandra',
  title: 'Cassandra',
  inputs: Inputs,
  data: UsernameAndPassword,
  username: () => ({ maxLength: 63, alphabet: /[A-Za-z0-9_.-]/ }),
  target: ({ host, port }) => `cassandra://${host}:${port}`,
  prepare: (_inputs, { username }) => username,
  validate(inputs) {
    for (const field of Object.keys(FACTS) as (keyof typeof FACTS)[]) if (inputs[field]) read(inputs, field);
  },
  check: (inputs, io) => inSession(inputs, io, async (session) => void (await session.canLogIn(inputs.username))),
  issue(inputs, lease, io) {
    const password = io.password();
    const statement = render(inputs, 'creationStatement', lease, password);
    const login = { statement, password, username: lease.entityId, title: 'a role with LOGIN' };
    return leaseLogin(login, (work) => inSession(inputs, io, work));
  },
  async renew(inputs, lease, io) {
    const statements = render(inputs, 'renewStatement', lease);
    if (statements.length > 0) await inSession(inputs, io, (session) => session.run(statements));
  },
  revoke: (inputs, lease, io) =>
    inSession(inputs, io, (session) =>
      deleteLogin(session, {
        statement: render(inputs, 'revocationStatement', lease),
        username: lease.entityId,
        title: 'the role',
      }),
    ),
});

function inSession<T>(inputs: Inputs, io: ProviderIo, work: (session: CassandraSession) => Promise<T>): Promise<T> {
  const hosts = inputs.host.split(',').filter((host) => host !== '');
  return io.usePooled(({ connect }) => openCassandra({ ...inputs, hosts }, connect), work);
}

const read = (inputs: Inputs, field: keyof typeof FACTS) =>
  readStatements(inputs[field] ?? '', 'cql', FACTS[field], refuseIn(field));

const render = (inputs: Inputs, field: keyof typeof FACTS, { entityId, expireAt }: LeaseOf, password = '') =>
  read(inputs, field).map((statement) =>
    renderSql(statement, {
      username: entityId,
      password,
      expiration: expireAt.toISOString(),
      keyspace: inputs.keyspace ?? '',
    }),
  );
