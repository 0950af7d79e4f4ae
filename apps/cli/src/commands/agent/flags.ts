import { machineFlags } from '../../daemon/flags.ts';

export const agentFlags = machineFlags('write everything once, and end: for init containers');
