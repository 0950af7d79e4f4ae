import { CofferError } from '@coffer/client';
import { failure, usage } from '../../exit.ts';
import { readConfig } from '../../home.ts';
import { clientFor } from '../../client.ts';
import { withoutChanges } from '../../dry-run.ts';
import { domainOf, isDryRun } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { bootstrapFlags } from './flags.ts';

const OF_KUBERNETES = ['k8-secret-template', 'k8-secret-name', 'k8-secret-namespace'] as const;

export const bootstrap: Action<typeof bootstrapFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const { email, password, organization, 'setup-code': setupCode } = flags;
  if (!email || !password || !organization)
    throw usage('coffer bootstrap needs --email, --password and --organization');
  if (flags.output || OF_KUBERNETES.some((name) => flags[name] !== undefined))
    throw usage(
      'coffer bootstrap writes no secrets of Kubernetes: its result is JSON on standard output',
      'For example: kubectl create secret generic coffer --from-literal=token="$(coffer bootstrap … | jq -r .identity.credentials.token)"',
    );
  const sending = clientFor(io, domainOf(invocation, readConfig(io.env)));
  const client = isDryRun(invocation) ? withoutChanges(sending) : sending;
  if (flags['ignore-if-bootstrapped'] && (await client.instance.config.query()).config.initialized)
    return io.say('info', 'The instance has an administrator: nothing was done');
  const account = { email, password, organization, ...(setupCode && { setupCode }) };
  const made = await client.instance.bootstrap.mutate(account).catch((error: unknown) => {
    if (!(error instanceof CofferError) || error.reason !== 'instance.bootstrapped') throw error;
    throw failure('This instance already has an administrator', 'Log in: coffer login');
  });
  io.write(`${JSON.stringify(made, undefined, 2)}\n`);
};
