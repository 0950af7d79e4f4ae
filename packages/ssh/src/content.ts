// What certificates are made of, as names and limits. No Node: schemas import it in browsers.

/** The published names of the algorithms with which keys are generated and certificates signed. */
export const SSH_KEY_ALGORITHMS = ['RSA_2048', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1', 'ED25519'] as const;
export type SshKeyAlgorithm = (typeof SSH_KEY_ALGORITHMS)[number];

export const SSH_CERTIFICATE_TYPES = ['user', 'host'] as const;
export type SshCertificateType = (typeof SSH_CERTIFICATE_TYPES)[number];

/** OpenSSH reads no more principals. */
export const MAX_PRINCIPALS = 256;

/** Names of options and their values; flags have the value ''. */
export type SshOptions = Readonly<Record<string, string>>;

/** Critical options of OpenSSH (PROTOCOL.certkeys), and whether they have a value. */
export const CRITICAL_OPTIONS: Readonly<Record<string, 'value' | 'flag'>> = {
  'force-command': 'value',
  'source-address': 'value',
  'verify-required': 'flag',
};

/** Extensions of OpenSSH, all of them flags. */
export const EXTENSIONS = [
  'no-touch-required',
  'permit-X11-forwarding',
  'permit-agent-forwarding',
  'permit-port-forwarding',
  'permit-pty',
  'permit-user-rc',
] as const;

/** The extensions that `ssh-keygen -s` gives user certificates. */
export const DEFAULT_EXTENSIONS: SshOptions = {
  'permit-X11-forwarding': '',
  'permit-agent-forwarding': '',
  'permit-port-forwarding': '',
  'permit-pty': '',
  'permit-user-rc': '',
};
