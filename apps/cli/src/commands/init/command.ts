import { defineCommand } from '../../table/command.ts';
import { initFlags } from './flags.ts';

export const initCommand = defineCommand({
  name: 'init',
  summary: 'connect this directory to a project, by a file .coffer.json',
  flags: initFlags,
  load: async () => (await import('./init.ts')).init,
});
