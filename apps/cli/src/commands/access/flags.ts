import { outputFlags } from '../../format/output.ts';
import { placeFlags } from '../../place.ts';
import { text, toggle, type Flags } from '../../table/command.ts';

export const accessFlags = {
  ...placeFlags,
  ...outputFlags,
  action: text('only who may do this, such as readValue'),
  me: toggle(false, 'what you may do yourself, and why'),
} as const satisfies Flags;
