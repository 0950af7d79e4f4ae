import { text, textOr, toggle, type Flags } from '../../table/command.ts';

const env = (name: string): readonly string[] => [`COFFER_ADMIN_${name}`, `INFISICAL_ADMIN_${name}`];

export const bootstrapFlags = {
  email: text('e-mail address of the first administrator', { env: env('EMAIL') }),
  password: text('their password', { env: env('PASSWORD'), secret: true }),
  organization: text('name of the first organization', { env: env('ORGANIZATION') }),
  'setup-code': text('code from the log of the server, where it is on another machine', {
    env: ['COFFER_SETUP_CODE'],
    byCaller: true,
  }),
  output: textOr('', 'k8-secret is not offered; the result is JSON'),
  'ignore-if-bootstrapped': toggle(false, 'succeed without doing anything if there is an administrator'),
} as const satisfies Flags;
