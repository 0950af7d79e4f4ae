import { z } from 'zod';
import { badRequest } from '../../../../kernel/index.ts';
import { defineProvider, type LeaseOf, type ProviderIo } from '../../provider.ts';
import { refuseIn } from '../../statement.ts';
import { readCommands, renderCommands } from './commands.ts';
import { Inputs } from './inputs.ts';
import { openRedis, type RedisSession } from './session.ts';

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
  data: z.object({ DB_USERNAME: z.string(), DB_PASSWORD: z.string() }),
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
  async issue(inputs, lease, io) {
    const password = io.password();
    await inSession(inputs, io, async (session) => {
      await session.run(render(inputs, 'creationStatement', lease, password));
      if (!(await session.canLogIn(lease.entityId)))
        throw badRequest(
          'dynamic_secret.no_login',
          'The creationStatement did not create an enabled user named {{username}}',
        );
    });
    return { DB_USERNAME: lease.entityId, DB_PASSWORD: password };
  },
  async renew(inputs, lease, io) {
    if (inputs.renewStatement)
      await inSession(inputs, io, (session) => session.run(render(inputs, 'renewStatement', lease)));
  },
  revoke: (inputs, lease, io) =>
    inSession(inputs, io, async (session) => {
      let failure: unknown = badRequest('dynamic_secret.login_left', 'The revocationStatement did not delete the user');
      await session.run(render(inputs, 'revocationStatement', lease)).catch((error: unknown) => (failure = error));
      // The user has exactly this name: without it nothing is left, whatever error the statement had.
      if (await session.canLogIn(lease.entityId)) throw failure;
      await session.endSessions(lease.entityId);
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
