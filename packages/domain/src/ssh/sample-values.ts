/** Values as they look, for the documentation of operations. */
export const EXAMPLES = {
  publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBRPT5TwsSiE0GKRqckztFubASwF6M/nUMLz7leI3U43',
  signedKey: 'ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQt… ann',
  privateKey: '-----BEGIN OPENSSH PRIVATE KEY-----\n…\n-----END OPENSSH PRIVATE KEY-----\n',
  serialNumber: '4611686018427387904',
} as const;
