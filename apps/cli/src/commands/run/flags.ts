import { placesFlags } from '../../place.ts';
import { cachedReadFlags } from '../../secrets.ts';
import { numberOr, text, toggle, type Flags } from '../../table/command.ts';
import { loaderFlags } from '../../variables.ts';

export const runFlags = {
  ...placesFlags,
  ...cachedReadFlags,
  command: text('command line for the shell, in place of a program and its arguments', {
    short: 'c',
    placeholder: 'command',
    byCaller: true,
  }),
  watch: toggle(false, 'restart the program when secrets change'),
  'watch-interval': numberOr(10, 'seconds after which changes are looked for, besides being notified', { min: 5 }),
  ...loaderFlags,
  'keep-credentials': toggle(false, "leave Coffer's own credentials in the environment of the program", {
    byCaller: true,
  }),
} as const satisfies Flags;
