import { defineCommand } from '../../table/command.ts';

export const manCommand = defineCommand({
  name: 'man',
  summary: 'print the manual page',
  examples: ['coffer man > /usr/local/share/man/man1/coffer.1'],
  load: async () => (await import('./man.ts')).printManual,
});
