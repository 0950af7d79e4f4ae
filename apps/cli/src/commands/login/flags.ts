import { text, textOr, toggle, type Flags } from '../../table/command.ts';

/** `COFFER_X`, and the published name. */
const env = (name: string): readonly string[] => [`COFFER_${name}`, `INFISICAL_${name}`];

const METHODS = [
  'user',
  'universal-auth',
  'kubernetes',
  'azure',
  'gcp-id-token',
  'gcp-iam',
  'aws-iam',
  'oidc-auth',
  'jwt-auth',
  'ldap-auth',
] as const;

export const loginFlags = {
  method: textOr('user', 'who logs in, and how', { choices: METHODS, env: env('AUTH_METHOD') }),
  'client-id': text('client ID of universal auth', { env: env('UNIVERSAL_AUTH_CLIENT_ID') }),
  'client-secret': text('client secret of universal auth', { env: env('UNIVERSAL_AUTH_CLIENT_SECRET'), secret: true }),
  'machine-identity-id': text('ID of the machine identity, for the other methods', { env: env('MACHINE_IDENTITY_ID') }),
  'service-account-token-path': text('file with the token of a Kubernetes service account', {
    placeholder: 'path',
    env: env('KUBERNETES_SERVICE_ACCOUNT_TOKEN_PATH'),
    byCaller: true,
  }),
  'service-account-key-file-path': text('file with the key of a Google Cloud service account', {
    placeholder: 'path',
    env: env('GCP_IAM_SERVICE_ACCOUNT_KEY_FILE_PATH'),
    byCaller: true,
  }),
  jwt: text('token of the external issuer', { env: env('JWT'), secret: true }),
  username: text('user name in the directory', { env: env('LDAP_USERNAME') }),
  email: text('e-mail address of the user', { env: env('EMAIL') }),
  password: text('password of the user', { env: env('PASSWORD'), secret: true }),
  'organization-id': text('organization to work in', { env: env('ORGANIZATION_ID') }),
  'organization-slug': text('organization to work in', { env: env('ORGANIZATION_SLUG') }),
  interactive: toggle(false, 'ask in the terminal for e-mail address and password, in place of the browser', {
    short: 'i',
  }),
  browser: toggle(false, 'log in by the browser, also where there is no terminal'),
  plain: toggle(false, 'print the token, and keep nothing'),
  'clear-domains': toggle(false, 'remove the logins of other servers'),
} as const satisfies Flags;

export const statusFlags = {
  token: text('access token to check', { secret: true }),
} as const satisfies Flags;
