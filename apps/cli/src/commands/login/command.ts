import { defineCommand } from '../../table/command.ts';
import { loginFlags, statusFlags } from './flags.ts';

export const loginCommand = defineCommand({
  name: 'login',
  summary: 'log in, as a user or as a machine identity',
  flags: loginFlags,
  examples: [
    'coffer login --domain https://coffer.example.com',
    'export COFFER_TOKEN=$(coffer login --method universal-auth --plain --silent)',
  ],
  load: async () => (await import('./login.ts')).logIn,
  commands: [
    defineCommand({
      name: 'status',
      summary: 'show who is logged in',
      flags: statusFlags,
      load: async () => (await import('./status.ts')).showStatus,
    }),
  ],
});
