import { placesFlags } from '../../place.ts';
import { cachedReadFlags } from '../../secrets.ts';
import { text, textOr, type Flags } from '../../table/command.ts';
import { loaderFlags } from '../../variables.ts';

export const exportFlags = {
  ...placesFlags,
  ...cachedReadFlags,
  ...loaderFlags,
  format: textOr('dotenv', 'form of the result', {
    short: 'f',
    choices: ['dotenv', 'dotenv-export', 'dotenv-eval', 'fish', 'docker', 'json', 'csv', 'yaml'],
  }),
  template: text('file with a template, as the agent has it: its result is written in place of a form', {
    placeholder: 'path',
    byCaller: true,
  }),
  'output-file': text('file or directory to write to, with mode 0600, in place of standard output', {
    short: 'o',
    placeholder: 'path',
    byCaller: true,
  }),
} as const satisfies Flags;
