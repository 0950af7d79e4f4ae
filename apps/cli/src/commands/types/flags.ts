import { placesFlags } from '../../place.ts';
import { readFlags } from '../../secrets.ts';
import { text, type Flags } from '../../table/command.ts';

export const typesFlags = {
  ...placesFlags,
  'include-imports': readFlags['include-imports'],
  recursive: readFlags.recursive,
  tags: readFlags.tags,
  'output-file': text('file to write to, in place of standard output', {
    short: 'o',
    placeholder: 'path',
    byCaller: true,
  }),
} as const satisfies Flags;
