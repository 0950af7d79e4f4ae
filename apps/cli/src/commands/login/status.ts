import { EXIT } from '../../exit.ts';
import { CofferError } from '@coffer/client';
import { authenticate, clientFor } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { statusFlags } from './flags.ts';

export const showStatus: Action<typeof statusFlags> = async (invocation) => {
  const { io, flags } = invocation;
  const { domain, source, options, profile } = await authenticate(invocation);
  const client = clientFor(io, domain, options);
  const who = await client.account.me.query().then(
    ({ user }) => ({ type: 'user', id: user.id, name: user.username }),
    () => undefined,
  );
  const found = who ?? (await identityOrToken(client));
  if (!found) {
    if (flags.json) io.write(`${JSON.stringify({ authenticated: false, domain, source })}\n`);
    io.say('error', `The login at ${domain} is not accepted any more: run coffer login`);
    return EXIT.notLoggedIn;
  }
  const organization = profile?.organization;
  if (flags.json)
    return io.write(`${JSON.stringify({ authenticated: true, domain, source, organization, ...found })}\n`);
  io.write(`Logged in at ${domain} as ${found.type} ${found.name} (${found.id})\n`);
};

async function identityOrToken(client: ReturnType<typeof clientFor>) {
  try {
    const { identity } = await client.identities.own.query();
    return { type: 'identity', id: identity.id, name: identity.name };
  } catch (error) {
    if (!(error instanceof CofferError) || error.status === 0) throw error;
  }
  return client.serviceTokens.own.query().then(
    ({ id, name }) => ({ type: 'service token', id, name }),
    () => undefined,
  );
}
