export { getRevocationList, getWholeRevocationList, type RevocationList } from './list.ts';
export * from './ocsp.ts';
export * from './of-authority.ts';
export { dueResponders, makeDueResponder } from './responder.ts';
export { deleteAuthoritiesOf, isUnprepared, prepareRetiring, reapRetiredKeys, retireAuthority } from './retire.ts';
export { dueLists, rebuildList } from './rebuild.ts';
export * from './revocation.ts';
export * from './revoked.ts';
