import { defineCommand } from '../../table/command.ts';

export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'print a script that completes commands and flags in a shell',
  args: [{ name: 'shell', summary: 'bash, zsh or fish' }],
  examples: ['source <(coffer completion bash)', 'coffer completion fish > ~/.config/fish/completions/coffer.fish'],
  load: async () => (await import('./completion.ts')).printCompletion,
});
