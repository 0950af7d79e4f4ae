export {
  enqueueEnding,
  endingAuthorities,
  getAutoRenewal,
  renewAuthorityJob,
  updateAutoRenewal,
} from './auto-renewal.ts';
export { toAuthority } from './answer.ts';
export * from './authority.entity.ts';
export * from './authority.service.ts';
export * from './authority.ts';
export {
  COMPROMISING,
  notCompromised,
  requireNotCompromised,
  spkiHashOf,
  type CompromiseEvidence,
} from './compromised.ts';
export { createAuthority, createAuthorityV1 } from './create.ts';
export {
  holdAuthority,
  keepAuthority,
  lockAuthority,
  lockPermittedAuthority,
  projectOfAuthority,
  requireAuthority,
} from './find.ts';
export { importAuthorityCertificate } from './import.ts';
export { moment } from './moment.ts';
export { renewAuthority } from './renew.ts';
export { inPathsTransaction, lockPaths } from './paths.ts';
export { disableRevoked, endCompromised, isAnyRevoked, wholeOf } from './revoked.ts';
export { getAuthorityRequest, prepareAuthorityKey } from './request.ts';
export { signIntermediate } from './sign-intermediate.ts';
export { openKeyAt, sealKey } from './sealed-key.ts';
export { signerOf, signerOfKey, tagOf, type Signer } from './signer.ts';
export { getSigningConfig, setSigningConfig } from './signing-config.ts';
export { keysOf } from './stored.ts';
