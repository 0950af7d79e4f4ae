export {
  createSshAuthority,
  deleteSshAuthoritiesOf,
  deleteSshAuthority,
  getSshAuthority,
  listSshAuthorities,
  updateSshAuthority,
} from './authority.service.ts';
export * from './authority.ts';
export * from './defaults.ts';
export { findSshAuthority, requireSshAuthority, SSH_AUTHORITY } from './find.ts';
export { formerSshKeys, wipeFormerSshKeys } from './former-keys.ts';
export { sshListsChanged } from './list-revision.ts';
export { getSshPublicKeys } from './public-key.ts';
export { rotateSshAuthority } from './rotate.ts';
export { disabled as sshAuthorityDisabled, sshSignerOf, sshTagOf, type SshSigner } from './signer.ts';
