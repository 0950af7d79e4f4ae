import type { Naming } from './difference.ts';
import type { ConfiguredSync } from './sync.ts';

/** How a sync names its items. */
export const namingOf = ({ sync, options }: ConfiguredSync): Naming => ({
  ...options,
  nameOf: sync.nameOf?.bind(sync),
});
