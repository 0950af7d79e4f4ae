import { defineCommand } from '../../table/command.ts';
import { typesFlags } from './flags.ts';

export const typesCommand = defineCommand({
  name: 'types',
  summary: 'write TypeScript declarations of the names of secrets, for process.env',
  flags: typesFlags,
  examples: ['coffer types -o src/secrets.d.ts'],
  load: async () => (await import('./types.ts')).writeTypes,
});
