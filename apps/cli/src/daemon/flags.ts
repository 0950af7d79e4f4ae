import { textOr, toggle, type Flags } from '../table/command.ts';

/** The flags of an agent of any kind. @param once What the agent does with `--once`. */
export const machineFlags = (once: string) =>
  ({
    config: textOr('agent-config.yaml', 'file with the configuration of the agent', {
      placeholder: 'path',
      byCaller: true,
    }),
    once: toggle(false, once, { byCaller: true }),
  }) as const satisfies Flags;
