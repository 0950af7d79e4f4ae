import { textOr, toggle, type Flags } from '../../table/command.ts';

export const certificateAgentFlags = {
  config: textOr('agent-config.yaml', 'file with the configuration of the agent', {
    placeholder: 'path',
    byCaller: true,
  }),
  once: toggle(false, 'bring all certificates up to date once, and end', { byCaller: true }),
  verbose: toggle(false, 'the same as --log-level debug', { short: 'v' }),
} as const satisfies Flags;
