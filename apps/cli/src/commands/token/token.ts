import { notLoggedIn } from '../../exit.ts';
import { clientFor } from '../../client.ts';
import { authenticate } from '../../session.ts';
import type { Action } from '../../table/command.ts';

export const renewToken: Action = async (invocation) => {
  const { args, io, flags } = invocation;
  const { domain, options } = await authenticate(invocation, args[0]);
  if (typeof options.token !== 'string') throw notLoggedIn('There is no token to renew');
  const renewed = await clientFor(io, domain).accessTokens.renew.mutate({ accessToken: options.token });
  io.write(flags.json ? `${JSON.stringify(renewed)}\n` : `${renewed.accessToken}\n`);
};
