import { again } from '../../again.ts';
import { EXIT } from '../../exit.ts';
import { clientFor } from '../../client.ts';
import { printable } from '../../format/printable.ts';
import { authenticate } from '../../session.ts';
import { whoIs } from '../../who.ts';
import type { Action } from '../../table/command.ts';
import type { statusFlags } from './flags.ts';

export const showStatus: Action<typeof statusFlags> = async (invocation) => {
  const { io, flags } = invocation;
  const { domain, source, options, profile } = await authenticate(invocation);
  const found = await again(() => whoIs(clientFor(io, domain, options)), [200]);
  if (!found) {
    if (flags.json) io.write(`${JSON.stringify({ authenticated: false, domain, source })}\n`);
    io.say('error', `The login at ${domain} is not accepted any more: run coffer login`);
    return EXIT.notLoggedIn;
  }
  const organization = profile?.organization;
  if (flags.json)
    return io.write(`${JSON.stringify({ authenticated: true, domain, source, organization, ...found })}\n`);
  io.write(`Logged in at ${domain} as ${found.type} ${printable(found.name)} (${found.id})\n`);
};
