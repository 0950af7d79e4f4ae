import { dryRunFlags } from '../../dry-run.ts';
import { text, textOr, toggle, type Flags } from '../../table/command.ts';

const env = (name: string): readonly string[] => [`COFFER_ADMIN_${name}`, `INFISICAL_ADMIN_${name}`];

const NOT_OFFERED = 'secrets of Kubernetes are not offered';

export const bootstrapFlags = {
  ...dryRunFlags,
  email: text('e-mail address of the first administrator', { env: env('EMAIL') }),
  password: text('their password', { env: env('PASSWORD'), secret: true }),
  organization: text('name of the first organization', { env: env('ORGANIZATION') }),
  'setup-code': text('code from the log of the server, where it is on another machine', {
    env: ['COFFER_SETUP_CODE'],
    byCaller: true,
  }),
  output: textOr('', `${NOT_OFFERED}; the result is JSON on standard output`),
  'k8-secret-template': text(NOT_OFFERED),
  'k8-secret-name': text(NOT_OFFERED),
  'k8-secret-namespace': text(NOT_OFFERED),
  'ignore-if-bootstrapped': toggle(false, 'succeed without doing anything if there is an administrator'),
} as const satisfies Flags;
