import { defineCommand } from '../../table/command.ts';
import { exportFlags } from './flags.ts';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write secrets in a form that other programs read',
  description:
    'Writes secrets in a form that other programs read. Values are written exactly: dotenv-export and dotenv-eval are safe for eval in any POSIX shell, fish for source in fish; what a form cannot hold is an error.',
  flags: exportFlags,
  examples: [
    'coffer export --env prod --format yaml -o secrets.yaml',
    'eval "$(coffer export --format dotenv-eval)"',
    'coffer export --format fish | source',
  ],
  load: async () => (await import('./export.ts')).exportSecrets,
});
