export * from './access/index.ts';
export * from './access-insight/plan/index.ts';
export {
  ActorAccess,
  ActorAccessQuery,
  AccessQuery,
  getActorAccess,
  getOwnAccess,
  AccessReport,
  whoCanAccess,
} from './access-insight/effective-access/index.ts';
export * from './access/approval-policy/index.ts';
export * from './approvals/index.ts';
export * from './access/privilege/index.ts';
export * from './access/service-token/index.ts';
export * from './audit/index.ts';
export * from './app/authentication.ts';
export * from './app/background.ts';
export * from './app/call.ts';
export * from './app/changes.ts';
export * from './app/coffer.ts';
export * from './app/ends.ts';
export * from './crypto/index.ts';
export * from './expiry/index.ts';
export * from './crypto/rotation/index.ts';
export { isSealedField } from './family/index.ts';
export * from './jobs/index.ts';
export * from './jobs/maintenance/index.ts';
export * from './kernel/index.ts';
export * from './mail/index.ts';
export * from './outbound/index.ts';
export * from './instance/index.ts';
export * from './identities/access-token/index.ts';
export * from './identities/auth-method/index.ts';
export * from './identities/identity/index.ts';
export * from './organizations/group/index.ts';
export * from './organizations/incident-contact/index.ts';
export * from './invitations/index.ts';
export * from './organizations/member/index.ts';
export * from './organizations/organization/index.ts';
export * from './users/account/index.ts';
export * from './users/api-key/index.ts';
export * from './users/command-line/index.ts';
export * from './users/recovery/index.ts';
export * from './users/session/index.ts';
export * from './instance/sign-up/index.ts';
export * from './users/user/index.ts';
export * from './pki/acme/index.ts';
export * from './pki/est/index.ts';
export * from './pki/authority/index.ts';
export * from './pki/authority-deletion/index.ts';
export * from './pki/certificate/index.ts';
export * from './pki/certificate-order/index.ts';
export * from './pki/external-authority/index.ts';
export * from './pki/policy/index.ts';
export * from './pki/profile/index.ts';
export * from './pki/subscriber/index.ts';
export * from './pki/sync/index.ts';
export * from './pki/template/index.ts';
export * from './ssh/authority/index.ts';
export * from './ssh/certificate/index.ts';
export * from './ssh/config/index.ts';
export * from './ssh/host-group/index.ts';
export * from './ssh/host/index.ts';
export * from './ssh/login-access/index.ts';
export * from './ssh/revocation/index.ts';
export * from './ssh/template/index.ts';
export * from './secrets/environment/environment.service.ts';
export * from './secrets/environment/index.ts';
export { listDeletedEnvironments, restoreEnvironment } from './secrets/environment/restore.ts';
export * from './projects/identity/index.ts';
export * from './connections/app-connection/index.ts';
export * from './connections/integration/index.ts';
export * from './connections/secret-sync/index.ts';
export * from './connections/rotation/index.ts';
export { followChanges, orphanedSyncs, runSync } from './connections/sync/index.ts';
export * from './projects/member/index.ts';
export * from './projects/project/index.ts';
export * from './projects/project/project.service.ts';
export * from './secrets/tag/index.ts';
export * from './secrets/tag/tag.service.ts';
export * from './projects/trusted-ip/index.ts';
export * from './projects/trusted-ip/trusted-ip.service.ts';
export * from './projects/template/index.ts';
export * from './secrets/dynamic/index.ts';
export * from './secrets/approval/index.ts';
export * from './secrets/folder/create.ts';
export * from './secrets/folder/index.ts';
export { environmentFolderTree, EnvironmentFolderTree } from './secrets/folder/environment-tree.ts';
export * from './secrets/folder/list.ts';
export {
  copyFolders,
  deleteFolder,
  readFolderUses,
  relocateFolders,
  updateFolder,
  updateFolders,
} from './secrets/tree/index.ts';
export * from './secrets/history/index.ts';
export * from './secrets/import/index.ts';
export * from './secrets/batch/index.ts';
export * from './secrets/overview/index.ts';
export * from './secrets/reminder/index.ts';
export * from './secrets/search/index.ts';
export * from './secrets/secret/index.ts';
export * from './secrets/watch/index.ts';
export * from './secrets/webhook/index.ts';
export * from './pki/alert/index.ts';
export * from './pki/collection/index.ts';
export * from './pki/collection/item.ts';
export * from './pki/revocation/index.ts';
export * from './kms/algorithm/names.ts';
export * from './kms/key/index.ts';
export * from './kms/use/index.ts';
