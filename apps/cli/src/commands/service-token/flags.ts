import { dryRunFlags } from '../../dry-run.ts';
import { projectFlags } from '../../place.ts';
import { list, numberOr, text, toggle, type Flags } from '../../table/command.ts';

export const serviceTokenFlags = {
  ...projectFlags,
  ...dryRunFlags,
  scope: list('environment:path that it opens, such as dev:/app/**; can be repeated', {
    short: 's',
    placeholder: 'scope',
  }),
  'access-level': list('read or write; can be repeated', { short: 'a', choices: ['read', 'write'] }),
  name: text('its name', { short: 'n' }),
  'expiry-seconds': numberOr(86_400, 'seconds until it expires; 0: never', { short: 'e', min: 0 }),
  'token-only': toggle(false, 'print only the token'),
} as const satisfies Flags;
