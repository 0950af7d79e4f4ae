import { textOr, toggle, type Flags } from '../../table/command.ts';

export const agentFlags = {
  config: textOr('agent-config.yaml', 'file with the configuration of the agent', {
    placeholder: 'path',
    byCaller: true,
  }),
  once: toggle(false, 'write everything once, and end: for init containers', { byCaller: true }),
} as const satisfies Flags;
