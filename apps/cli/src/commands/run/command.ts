import { defineCommand } from '../../table/command.ts';
import { runFlags } from './flags.ts';

export const runCommand = defineCommand({
  name: 'run',
  summary: 'run a program with secrets in its environment',
  description:
    "Runs a program with secrets in its environment. The program takes the place of this one where the platform allows it: its exit code, signals and process ID are the program's.",
  args: [
    { name: 'program', summary: 'the program to run', optional: true },
    { name: 'argument', summary: 'its arguments', optional: true, many: true },
  ],
  flags: runFlags,
  passesArguments: true,
  examples: ['coffer run --env prod -- node server.js', 'coffer run --command "npm install && npm start"'],
  load: async () => (await import('./run.ts')).run,
});
