import { defineCommand } from '../../table/command.ts';
import { bootstrapFlags } from './flags.ts';

export const bootstrapCommand = defineCommand({
  name: 'bootstrap',
  summary: 'create the first administrator, organization and machine identity of an instance',
  flags: bootstrapFlags,
  load: async () => (await import('./bootstrap.ts')).bootstrap,
});
