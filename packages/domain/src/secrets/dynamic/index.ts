export {
  CreateDynamicSecret,
  DeleteDynamicSecret,
  DynamicSecret,
  DynamicSecretOption,
  dynamicSecretPermissions,
  DynamicSecretPlace,
  DynamicSecretRef,
  DynamicSecretWithInputs,
  UpdateDynamicSecret,
} from './dynamic-secret.ts';
export * from './dynamic-secret.service.ts';
export * from './entra-users.ts';
export { createLease } from './lease/create.ts';
export {
  CreateKubernetesLease,
  CreateLease,
  IssuedLease,
  Lease,
  LeaseRef,
  LeaseWithSecret,
  RenewLease,
  RevokeLease,
} from './lease/lease.ts';
export * from './lease/list.ts';
export { isOwn as isOwnLease } from './lease/row.ts';
export { loginsOfDynamicSecrets, readableDynamicSecret } from './logins.ts';
export { makePassword } from './password.ts';
export { PasswordRequirements } from './password-requirements.ts';
export { providers } from './registry.ts';
export { leaseJob, orphanedLeases, reapLease, requeueOrphanedLeases } from './lease/reap.ts';
export { renewLease } from './lease/renew.ts';
export { deleteDynamicSecret, revokeLease } from './lease/revoke.ts';
