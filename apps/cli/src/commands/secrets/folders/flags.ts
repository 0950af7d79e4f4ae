import { dryRunFlags } from '../../../dry-run.ts';
import { outputFlags } from '../../../format/output.ts';
import { placeFlags } from '../../../place.ts';
import { text, type Flags } from '../../../table/command.ts';

export const folderFlags = { ...placeFlags, ...outputFlags } as const satisfies Flags;

export const namedFolderFlags = {
  ...folderFlags,
  ...dryRunFlags,
  name: text('name of the folder', { short: 'n' }),
} as const satisfies Flags;
