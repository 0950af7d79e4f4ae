import { CofferError } from '@coffer/client';
import { failure, usage } from '../../exit.ts';
import { readConfig } from '../../home.ts';
import { clientFor } from '../../client.ts';
import { domainOf } from '../../session.ts';
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
  const account = { email, password, organization, ...(setupCode && { setupCode }) };
  const made = await client.instance.bootstrap.mutate(account).catch((error: unknown) => {
    if (!(error instanceof CofferError) || error.reason !== 'instance.bootstrapped') throw error;
    throw failure('This instance already has an administrator', 'Log in: coffer login');
  });
  io.write(`${JSON.stringify(made, undefined, 2)}\n`);
};
