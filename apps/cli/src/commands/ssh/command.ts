import { defineCommand } from '../../table/command.ts';
import { issueFlags, signFlags, connectFlags, addHostFlags } from './flags.ts';

export const sshCommand = defineCommand({
  name: 'ssh',
  summary: 'issue SSH certificates, log in on hosts, register hosts',
  commands: [
    defineCommand({
      name: 'issue-credentials',
      summary: 'make a key with a certificate',
      flags: issueFlags,
      load: async () => (await import('./certificate.ts')).issueCredentials,
    }),
    defineCommand({
      name: 'sign-key',
      summary: 'issue a certificate for a public key',
      flags: signFlags,
      load: async () => (await import('./certificate.ts')).signKey,
    }),
    defineCommand({
      name: 'connect',
      summary: 'log in on a host that you may log in on',
      flags: connectFlags,
      load: async () => (await import('./connect.ts')).connectToHost,
    }),
    defineCommand({
      name: 'add-host',
      summary: 'register this machine as a host',
      flags: addHostFlags,
      load: async () => (await import('./add-host.ts')).addHost,
    }),
  ],
});
