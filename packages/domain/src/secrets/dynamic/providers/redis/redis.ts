import { openRedis, readCommands, renderCommands, type RedisSession } from '../../../../apps/redis/index.ts';
import { UsernameAndPassword } from '../../fields.ts';
import { defineProvider, type LeaseOf, type ProviderIo } from '../../provider.ts';
import { deleteLogin, leaseLogin, refuseIn } from '../../statement.ts';
import { Inputs } from './inputs.ts';

const FACTS = {
  creationStatement: ['username', 'password', 'expiration'],
  revocationStatement: ['username'],
  renewStatement: ['username', 'expiration'],
};

/** Users of a Redis, by commands that its owner writes. */
export const redis = defineProvider({
  type: 'redis',
  title: 'Redis',
  inputs: Inputs,
  data: UsernameAndPassword,
  username: () => ({ maxLength: 64, alphabet: /[A-Za-z0-9_.-]/ }),
  target: ({ host, port }) => `redis://${host}:${port}`,
  validate(inputs) {
    for (const field of Object.keys(FACTS) as (keyof typeof FACTS)[])
      if (inputs[field]) readCommands(inputs[field], FACTS[field], refuseIn(field));
  },
  check: (inputs, io) =>
    inSession(inputs, io, async (session) => {
      await session.run([['ACL', 'WHOAMI']]);
      await session.canLogIn('default');
    }),
  prepare: (_inputs, { username }) => username,
  issue(inputs, lease, io) {
    const password = io.password();
    const statement = render(inputs, 'creationStatement', lease, password);
    const login = { statement, password, username: lease.entityId, title: 'an enabled user' };
    return leaseLogin(login, (work) => inSession(inputs, io, work));
  },
  async renew(inputs, lease, io) {
    if (inputs.renewStatement)
      await inSession(inputs, io, (session) => session.run(render(inputs, 'renewStatement', lease)));
  },
  revoke: (inputs, lease, io) =>
    inSession(inputs, io, async (session) => {
      const statement = render(inputs, 'revocationStatement', lease);
      await deleteLogin(session, { statement, username: lease.entityId, title: 'the user' });
    }),
});

function inSession<T>(inputs: Inputs, io: ProviderIo, work: (session: RedisSession) => Promise<T>): Promise<T> {
  return io.usePooled(({ connect }) => openRedis(inputs, connect), work);
}

const render = (inputs: Inputs, field: keyof typeof FACTS, { entityId, expireAt }: LeaseOf, password = '') =>
  renderCommands(readCommands(inputs[field] ?? '', FACTS[field], refuseIn(field)), {
    username: entityId,
    password,
    expiration: expireAt.toISOString(),
  });
