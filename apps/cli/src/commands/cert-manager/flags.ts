import { machineFlags } from '../../daemon/flags.ts';
import { toggle, type Flags } from '../../table/command.ts';

export const certificateAgentFlags = {
  ...machineFlags('bring all certificates up to date once, and end'),
  verbose: toggle(false, 'the same as --log-level debug', { short: 'v' }),
} as const satisfies Flags;
