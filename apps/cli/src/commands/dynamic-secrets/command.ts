import { defineCommand } from '../../table/command.ts';
import { changeFlags, createFlags, dynamicFlags, leaseFlags } from './flags.ts';

const dynamicSecret = { name: 'name', summary: 'the name of a dynamic secret' } as const;
const leaseId = { name: 'lease-id', summary: 'the ID of a lease' } as const;

export const dynamicSecretsCommand = defineCommand({
  name: 'dynamic-secrets',
  summary: 'list dynamic secrets',
  flags: dynamicFlags,
  load: async () => (await import('./dynamic-secrets.ts')).listDynamicSecrets,
  commands: [
    defineCommand({
      name: 'lease',
      summary: 'create, list, renew and revoke leases',
      commands: [
        defineCommand({
          name: 'create',
          summary: 'create a lease, and print its credentials',
          args: [dynamicSecret],
          flags: createFlags,
          load: async () => (await import('./lease.ts')).createLease,
        }),
        defineCommand({
          name: 'list',
          summary: 'list the leases of a dynamic secret',
          args: [dynamicSecret],
          flags: leaseFlags,
          load: async () => (await import('./lease.ts')).listLeases,
        }),
        defineCommand({
          name: 'renew',
          summary: 'extend a lease',
          args: [leaseId],
          flags: changeFlags,
          load: async () => (await import('./lease.ts')).renewLease,
        }),
        defineCommand({
          name: 'delete',
          summary: 'revoke a lease',
          args: [leaseId],
          flags: changeFlags,
          load: async () => (await import('./lease.ts')).revokeLease,
        }),
      ],
    }),
  ],
});
