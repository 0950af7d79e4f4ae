import { defineCommand } from '../../table/command.ts';
import { accessFlags } from './flags.ts';

export const accessCommand = defineCommand({
  name: 'access',
  summary: 'show who can access a secret or a folder, and by which grant',
  args: [{ name: 'name', summary: 'the name of a secret; without it, the folder', optional: true }],
  flags: accessFlags,
  examples: ['coffer access DATABASE_URL --env prod --action readValue', 'coffer access DATABASE_URL --me'],
  load: async () => (await import('./access.ts')).showAccess,
});
