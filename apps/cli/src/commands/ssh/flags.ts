import { dryRunFlags } from '../../dry-run.ts';
import { projectFlags } from '../../place.ts';
import { text, textOr, toggle, type Flags } from '../../table/command.ts';

const token = projectFlags.token;

const certificateFlags = {
  token,
  ...dryRunFlags,
  certificateTemplateId: text('ID of the certificate template', { placeholder: 'id' }),
  principals: text('login users or host names, separated by commas'),
  certType: textOr('user', 'kind of certificate', { choices: ['user', 'host'] }),
  ttl: text('lifetime, such as 8h', { placeholder: 'duration' }),
  keyId: text('what sshd logs at a login'),
  outFilePath: text('file for the result; the certificate is beside the key as …-cert.pub', {
    placeholder: 'path',
    byCaller: true,
  }),
} as const satisfies Flags;

export const issueFlags = {
  ...certificateFlags,
  keyAlgorithm: textOr('ED25519', 'algorithm of the new key', {
    choices: ['RSA_2048', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1', 'ED25519'],
  }),
  addToAgent: toggle(false, 'add the key to the SSH agent, and write no files'),
} as const satisfies Flags;

export const signFlags = {
  ...certificateFlags,
  publicKey: text('public key to sign, in the form of OpenSSH'),
  publicKeyFilePath: text('file with the public key to sign', { placeholder: 'path', byCaller: true }),
} as const satisfies Flags;

export const connectFlags = {
  token,
  hostname: text('host to log in on, or an alias without dots, in place of a choice'),
  'login-user': text('login user, in place of a choice', { env: ['COFFER_SSH_LOGIN_USER'] }),
  'out-file-path': text('directory for the key and certificate, in place of a login', {
    placeholder: 'directory',
    byCaller: true,
  }),
  'write-host-ca-to-file': toggle(true, 'add the authority of the host to ~/.ssh/known_hosts', { byCaller: true }),
} as const satisfies Flags;

export const addHostFlags = {
  ...projectFlags,
  ...dryRunFlags,
  hostname: text('name that clients connect to'),
  alias: text('a second name, for people'),
  'write-user-ca-to-file': toggle(false, 'write the authority of users to a file', { byCaller: true }),
  'user-ca-out-file-path': textOr('/etc/ssh/coffer_user_ca.pub', 'this file', { placeholder: 'path', byCaller: true }),
  'write-host-cert-to-file': toggle(
    false,
    'request a certificate for the key of the host, and write it beside the key',
    { byCaller: true },
  ),
  'configure-sshd': toggle(false, 'write the configuration of sshd to /etc/ssh/sshd_config.d/coffer.conf', {
    byCaller: true,
  }),
  'host-key-path': textOr('/etc/ssh/ssh_host_ed25519_key.pub', 'public key of the host', {
    placeholder: 'path',
    byCaller: true,
  }),
  'sshd-config-path': textOr('/etc/ssh/sshd_config.d/coffer.conf', 'configuration file for sshd', {
    placeholder: 'path',
    byCaller: true,
  }),
  force: toggle(false, 'replace files that exist', { byCaller: true }),
} as const satisfies Flags;
