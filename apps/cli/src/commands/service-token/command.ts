import { defineCommand } from '../../table/command.ts';
import { serviceTokenFlags } from './flags.ts';

export const serviceTokenCommand = defineCommand({
  name: 'service-token',
  summary: 'create service tokens',
  commands: [
    defineCommand({
      name: 'create',
      summary: 'create a service token of a project',
      flags: serviceTokenFlags,
      examples: ['coffer service-token create --scope prod:/app/** --access-level read --name ci'],
      load: async () => (await import('./service-token.ts')).createServiceToken,
    }),
  ],
});
