import { proceduresOf, router, type ProcedureLike } from './kernel/index.ts';
import { accessApprovalRouter } from './access/access-approval.router.ts';
import { accessRouter } from './access/access.router.ts';
import { identityPrivilegeLegacyRouter } from './access/identity-privilege.legacy.router.ts';
import { identityPrivilegeRouter } from './access/identity-privilege.router.ts';
import { organizationRoleLegacyRouter } from './access/organization-role.legacy.router.ts';
import { organizationRoleRouter } from './access/organization-role.router.ts';
import { projectRoleLegacyRouter } from './access/project-role.legacy.router.ts';
import { projectRoleRouter } from './access/project-role.router.ts';
import { userPrivilegeRouter } from './access/user-privilege.router.ts';
import { serviceTokenRouter } from './access/service-token.router.ts';
import { auditLogRouter } from './audit/audit-log.router.ts';
import { historyRouter } from './secrets/history.router.ts';
import { importLegacyRouter, importRouter } from './secrets/import.router.ts';
import { approvalPolicyRouter } from './secrets/approval-policy.router.ts';
import { approvalRequestRouter } from './secrets/approval-request.router.ts';
import { secretLegacyRouter } from './secrets/secret.legacy.router.ts';
import { secretRouter } from './secrets/secret.router.ts';
import { watchRouter } from './secrets/watch.router.ts';
import { webhookRouter } from './secrets/webhook.router.ts';
import { accessTokenRouter } from './identities/access-token.router.ts';
import { identityRouter } from './identities/identity.router.ts';
import { loginMethodRouters } from './identities/login-methods.router.ts';
import { tokenAuthRouter } from './identities/token-auth.router.ts';
import { universalAuthRouter } from './identities/universal-auth.router.ts';
import { instanceRouter } from './instance/instance.router.ts';
import { instanceManagementRouter } from './instance/management.router.ts';
import { groupRouter } from './organizations/group.router.ts';
import { incidentContactRouter } from './organizations/incident-contact.router.ts';
import { invitationRouter } from './invitations/invitation.router.ts';
import { organizationMemberRouter } from './organizations/member.router.ts';
import { organizationRouter } from './organizations/organization.router.ts';
import { accountRouter } from './users/account.router.ts';
import { apiKeyRouter } from './users/api-key.router.ts';
import { commandLineRouter } from './users/command-line.router.ts';
import { recoveryRouter } from './users/recovery.router.ts';
import { sessionRouter } from './users/session.router.ts';
import { signUpRouter } from './instance/sign-up.router.ts';
import { alertLegacyRouter } from './pki/alert.legacy.router.ts';
import { alertRouter } from './pki/alert.router.ts';
import { collectionRouter } from './pki/collection.router.ts';
import { revocationRouter } from './pki/revocation.router.ts';
import { expiryRouter } from './expiry/expiry.router.ts';
import { kmsKeyRouter } from './kms/key.router.ts';
import { kmsUseRouter } from './kms/use.router.ts';
import { groupMemberRouter } from './projects/group-member.router.ts';
import { identityMemberRouter } from './projects/identity-member.router.ts';
import { projectIdentityRouter } from './projects/identity.router.ts';
import { appConnectionRouter, connectionRouters } from './connections/app-connection.router.ts';
import { rotationRouters, secretRotationRouter } from './connections/secret-rotation.router.ts';
import { integrationAuthRouter } from './connections/integration-auth.router.ts';
import { integrationListRouter } from './connections/integration-list.router.ts';
import { integrationRouter } from './connections/integration.router.ts';
import { secretSyncRouter, syncRouters } from './connections/secret-sync.router.ts';
import { projectMemberLegacyRouter } from './projects/member.legacy.router.ts';
import { projectEntryRouter } from './projects/enter.router.ts';
import { projectMemberRouter } from './projects/member.router.ts';
import { environmentRouter } from './secrets/environment.router.ts';
import { projectLegacyRouter } from './projects/project.legacy.router.ts';
import { projectRouter } from './projects/project.router.ts';
import { tagRouter } from './secrets/tag.router.ts';
import { trustedIpRouter } from './projects/trusted-ip.router.ts';
import { sshConfigRouter } from './ssh/config.router.ts';
import { sshHostGroupRouter } from './ssh/host-group.router.ts';
import { sshHostRouter } from './ssh/host.router.ts';
import { projectTemplateRouter } from './projects/template.router.ts';
import { acmeRouter } from './pki/acme.router.ts';
import { externalAuthorityRouters } from './pki/external-authority.router.ts';
import { estRouter } from './pki/est.router.ts';
import { authorityLegacyRouter } from './pki/authority.legacy.router.ts';
import { authorityRouter } from './pki/authority.router.ts';
import { certificateLegacyRouter } from './pki/certificate.legacy.router.ts';
import { certificateRouter } from './pki/certificate.router.ts';
import { certificateOrderRouter } from './pki/order.router.ts';
import { certificatePolicyRouter } from './pki/policy.router.ts';
import { certificateProfileRouter } from './pki/profile.router.ts';
import { subscriberRouter } from './pki/subscriber.router.ts';
import { pkiSyncRouter, pkiSyncRouters } from './pki/sync.router.ts';
import { certificateTemplateRouter } from './pki/template.router.ts';
import { sshAuthorityRouter } from './ssh/authority.router.ts';
import { sshCertificateRouter } from './ssh/certificate.router.ts';
import { sshTemplateRouter } from './ssh/template.router.ts';
import { dynamicSecretRouter, leaseRouter } from './secrets/dynamic-secret.router.ts';
import { snapshotLegacyRouter } from './secrets/snapshot.legacy.router.ts';
import { folderLegacyRouter } from './secrets/folder.legacy.router.ts';
import { folderRouter } from './secrets/folder.router.ts';

const procedures = (): ReadonlyMap<string, ProcedureLike> => new Map(proceduresOf(appRouter));

/** Apart from the others: the compiler writes out the type of each, up to a length. */
const connectionRoutes = {
  appConnections: appConnectionRouter,
  ...connectionRouters,
  ...externalAuthorityRouters,
  secretRotations: secretRotationRouter,
  ...rotationRouters,
  integrationAuths: integrationAuthRouter,
  integrationLists: integrationListRouter,
  integrations: integrationRouter,
  secretSyncs: secretSyncRouter,
  ...syncRouters,
  pkiSyncs: pkiSyncRouter,
  ...pkiSyncRouters,
};

const routes = {
  access: accessRouter(procedures),
  organizationRoles: organizationRoleRouter,
  organizationRolesV1: organizationRoleLegacyRouter,
  projectRoles: projectRoleRouter,
  projectRolesV1: projectRoleLegacyRouter,
  identityPrivileges: identityPrivilegeRouter,
  identityPrivilegesV1: identityPrivilegeLegacyRouter,
  userPrivileges: userPrivilegeRouter,
  serviceTokens: serviceTokenRouter,
  accessApprovals: accessApprovalRouter,
  projectEntry: projectEntryRouter,
  projectMembers: projectMemberRouter,
  projectMembersV1: projectMemberLegacyRouter,
  projectGroups: groupMemberRouter,
  projectIdentities: identityMemberRouter,
  projectOwnedIdentities: projectIdentityRouter,
  auditLog: auditLogRouter,
  instance: instanceRouter,
  identities: identityRouter,
  ...loginMethodRouters,
  universalAuth: universalAuthRouter,
  tokenAuth: tokenAuthRouter,
  accessTokens: accessTokenRouter,
  instanceManagement: instanceManagementRouter,
  sessions: sessionRouter,
  account: accountRouter,
  apiKeys: apiKeyRouter,
  commandLine: commandLineRouter,
  recovery: recoveryRouter,
  signUp: signUpRouter,
  organizations: organizationRouter,
  organizationMembers: organizationMemberRouter,
  groups: groupRouter,
  invitations: invitationRouter,
  incidentContacts: incidentContactRouter,
  projectTemplates: projectTemplateRouter,
  projects: projectRouter,
  projectsV1: projectLegacyRouter,
  environments: environmentRouter,
  tags: tagRouter,
  trustedIps: trustedIpRouter,
  sshConfigs: sshConfigRouter,
  sshHosts: sshHostRouter,
  sshHostGroups: sshHostGroupRouter,
  acme: acmeRouter,
  est: estRouter,
  certificateAuthorities: authorityRouter,
  certificateAuthoritiesV1: authorityLegacyRouter,
  certificates: certificateRouter,
  certificatesV1: certificateLegacyRouter,
  certificateTemplates: certificateTemplateRouter,
  sshAuthorities: sshAuthorityRouter,
  sshTemplates: sshTemplateRouter,
  sshCertificates: sshCertificateRouter,
  certificatePolicies: certificatePolicyRouter,
  certificateProfiles: certificateProfileRouter,
  certificateOrders: certificateOrderRouter,
  certificateSubscribers: subscriberRouter,
  dynamicSecrets: dynamicSecretRouter,
  dynamicSecretLeases: leaseRouter,
  folders: folderRouter,
  foldersV1: folderLegacyRouter,
  secrets: secretRouter,
  secretsV3: secretLegacyRouter,
  webhooks: webhookRouter,
  secretEvents: watchRouter,
  history: historyRouter,
  snapshotsV1: snapshotLegacyRouter,
  secretApprovals: approvalPolicyRouter,
  secretApprovalRequests: approvalRequestRouter,
  secretImports: importRouter,
  secretImportsV1: importLegacyRouter,
  revocation: revocationRouter,
  certificateCollections: collectionRouter,
  certificateAlerts: alertRouter,
  certificateAlertsV1: alertLegacyRouter,
  kmsKeys: kmsKeyRouter,
  kms: kmsUseRouter,
  expiry: expiryRouter,
};
type Routes = typeof routes & typeof connectionRoutes;

/** Annotated, so that its declaration stays a name and no text of half a megabyte. */
export type AppRouter = ReturnType<typeof router<Routes>>;
export const appRouter: AppRouter = router({ ...routes, ...connectionRoutes });
