import { defineCommand } from '../../table/command.ts';
import { switchFlags, tokenFlags } from './flags.ts';

export const userCommand = defineCommand({
  name: 'user',
  summary: 'choose between logins, and read what is kept of them',
  commands: [
    defineCommand({
      name: 'switch',
      summary: 'use another login that is kept',
      flags: switchFlags,
      load: async () => (await import('./user.ts')).switchProfile,
    }),
    defineCommand({
      name: 'get',
      summary: 'read what is kept of a login',
      commands: [
        defineCommand({
          name: 'token',
          summary: 'print the access token',
          flags: tokenFlags,
          load: async () => (await import('./user.ts')).showToken,
        }),
      ],
    }),
    defineCommand({
      name: 'update',
      summary: 'change what is kept',
      commands: [
        defineCommand({
          name: 'domain',
          summary: 'set the server of logins without --domain',
          args: [{ name: 'url', summary: 'the URL of the server' }],
          load: async () => (await import('./user.ts')).updateDomain,
        }),
      ],
    }),
  ],
});

export const resetCommand = defineCommand({
  name: 'reset',
  summary: 'delete all logins and settings on this machine',
  load: async () => (await import('./user.ts')).reset,
});
