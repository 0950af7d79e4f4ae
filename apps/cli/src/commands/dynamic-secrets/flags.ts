import { dryRunFlags } from '../../dry-run.ts';
import { outputFlags } from '../../format/output.ts';
import { placeFlags } from '../../place.ts';
import { text, toggle, type Flags } from '../../table/command.ts';

export const dynamicFlags = {
  ...placeFlags,
  ...outputFlags,
  'project-slug': text('slug of the project, in place of its ID'),
} as const satisfies Flags;

export const leaseFlags = {
  ...dynamicFlags,
  ttl: text('lifetime, such as 30m', { placeholder: 'duration' }),
  plain: toggle(false, 'print NAME=value lines'),
} as const satisfies Flags;

export const changeFlags = { ...leaseFlags, ...dryRunFlags } as const satisfies Flags;

export const createFlags = {
  ...changeFlags,
  principals: text('login users of an SSH credential, separated by commas'),
  'kubernetes-namespace': text('namespace of a Kubernetes service account'),
} as const satisfies Flags;
