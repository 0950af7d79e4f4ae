import { CommandError, failure } from '../../exit.ts';
import { formOf, render } from '../../format/output.ts';
import { tableOf } from '../../format/table.ts';
import type { Io } from '../../io.ts';
import { connect } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import type { changeFlags, createFlags, leaseFlags } from './flags.ts';
import { dynamicPlace } from './place.ts';

async function open(invocation: Invocation<typeof leaseFlags>) {
  const client = await connect(invocation);
  return { client, place: await dynamicPlace(invocation, client) };
}

const withTtl = ({ flags }: Invocation<typeof leaseFlags>) => (flags.ttl ? { ttl: flags.ttl } : {});

export const createLease: Action<typeof createFlags> = async (invocation) => {
  const { flags, io, args } = invocation;
  const { client, place } = await open(invocation);
  const config = {
    ...(flags.principals && { principals: flags.principals.split(',').map((one) => one.trim()) }),
    ...(flags['kubernetes-namespace'] && { namespace: flags['kubernetes-namespace'] }),
  };
  const input = {
    ...place,
    dynamicSecretName: args[0]!,
    ...withTtl(invocation),
    ...(Object.keys(config).length && { config }),
  };
  const { lease, data, dynamicSecret } = await client.dynamicSecretLeases.create.mutate(input);
  const form = formOf(flags);
  if (form === 'dotenv') return io.write(await inDotenv(data, lease.id, io));
  if (form) return io.write(await render(form, { lease, dynamicSecret, data }, io));
  const pairs = Object.entries(data).map(([name, value]) => [name, String(value)] as const);
  if (flags.plain) return io.write(pairs.map(([name, value]) => `${name}=${value}\n`).join(''));
  io.write(tableOf(['KEY', 'VALUE'], pairs));
  io.say('info', `Lease ${lease.id} of ${dynamicSecret.name} expires ${lease.expireAt}`);
};

/** @throws CommandError for credentials that dotenv cannot hold; the lease is there. */
async function inDotenv(data: Readonly<Record<string, unknown>>, leaseId: string, io: Io): Promise<string> {
  try {
    return await render('dotenv', data, io);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw failure(
      `${error.message}. The lease ${leaseId} is created`,
      `Revoke it: coffer dynamic-secrets lease delete ${leaseId}; then create one with -o json or yaml`,
    );
  }
}

export const listLeases: Action<typeof leaseFlags> = async (invocation) => {
  const { client, place } = await open(invocation);
  const { leases } = await client.dynamicSecrets.leases.query({ ...place, name: invocation.args[0]! });
  const { io } = invocation;
  const form = formOf(invocation.flags);
  if (form)
    return io.write(
      await render(
        form,
        leases.map((one) => ({ ...one })),
        io,
        { pair: ['id', 'expireAt'], areLabels: true },
      ),
    );
  io.write(
    tableOf(
      ['ID', 'EXPIRES', 'CREATED', 'STATUS'],
      leases.map((one) => [one.id, one.expireAt, one.createdAt, one.status ?? 'active']),
    ),
  );
};

export const renewLease: Action<typeof changeFlags> = async (invocation) => {
  const { client, place } = await open(invocation);
  const leaseId = invocation.args[0]!;
  const { lease } = await client.dynamicSecretLeases.renew.mutate({ ...place, leaseId, ...withTtl(invocation) });
  await show(invocation, lease, `Lease ${lease.id} expires ${lease.expireAt}`);
};

export const revokeLease: Action<typeof changeFlags> = async (invocation) => {
  const { client, place } = await open(invocation);
  const { lease } = await client.dynamicSecretLeases.revoke.mutate({ ...place, leaseId: invocation.args[0]! });
  await show(invocation, lease, `Lease ${lease.id} is revoked`);
};

async function show({ flags, io }: Invocation<typeof leaseFlags>, lease: object, message: string): Promise<void> {
  const form = formOf(flags);
  io.say('info', message);
  if (form) io.write(await render(form, { ...lease }, io));
}
