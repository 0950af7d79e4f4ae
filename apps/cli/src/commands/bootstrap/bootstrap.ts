import { usage } from '../../exit.ts';
import { readConfig } from '../../home.ts';
import { clientFor, domainOf } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { bootstrapFlags } from './flags.ts';

export const bootstrap: Action<typeof bootstrapFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const { email, password, organization, 'setup-code': setupCode } = flags;
  if (!email || !password || !organization)
    throw usage('coffer bootstrap needs --email, --password and --organization');
  if (flags.output) throw usage(`--output ${flags.output} is not offered: the result is JSON on standard output`);
  const client = clientFor(io, domainOf(invocation, readConfig(io.env)));
  if (flags['ignore-if-bootstrapped'] && (await client.instance.config.query()).config.initialized)
    return io.say('info', 'The instance has an administrator: nothing was done');
  const made = await client.instance.bootstrap.mutate({
    email,
    password,
    organization,
    ...(setupCode && { setupCode }),
  });
  io.write(`${JSON.stringify(made, undefined, 2)}\n`);
};
