import { router } from './kernel/index.ts';
import { organizationRoleRouter } from './access/organization-role.router.ts';
import { projectRoleLegacyRouter } from './access/project-role.legacy.router.ts';
import { projectRoleRouter } from './access/project-role.router.ts';
import { auditLogRouter } from './audit/audit-log.router.ts';
import { importLegacyRouter, importRouter } from './secrets/import.router.ts';
import { secretLegacyRouter } from './secrets/secret.legacy.router.ts';
import { secretRouter } from './secrets/secret.router.ts';
import { accessTokenRouter } from './identities/access-token.router.ts';
import { identityRouter } from './identities/identity.router.ts';
import { tokenAuthRouter } from './identities/token-auth.router.ts';
import { universalAuthRouter } from './identities/universal-auth.router.ts';
import { instanceRouter } from './instance/instance.router.ts';
import { instanceManagementRouter } from './instance/management.router.ts';
import { incidentContactRouter } from './organizations/incident-contact.router.ts';
import { invitationRouter } from './organizations/invitation.router.ts';
import { organizationMemberRouter } from './organizations/member.router.ts';
import { organizationRouter } from './organizations/organization.router.ts';
import { accountRouter } from './users/account.router.ts';
import { sessionRouter } from './users/session.router.ts';
import { signUpRouter } from './users/sign-up.router.ts';
import { identityMemberRouter } from './projects/identity-member.router.ts';
import { projectMemberLegacyRouter } from './projects/member.legacy.router.ts';
import { projectMemberRouter } from './projects/member.router.ts';
import { environmentRouter } from './projects/environment.router.ts';
import { projectLegacyRouter } from './projects/project.legacy.router.ts';
import { projectRouter } from './projects/project.router.ts';
import { tagRouter } from './projects/tag.router.ts';
import { folderLegacyRouter } from './secrets/folder.legacy.router.ts';
import { folderRouter } from './secrets/folder.router.ts';

const routes = {
  organizationRoles: organizationRoleRouter,
  projectRoles: projectRoleRouter,
  projectRolesV1: projectRoleLegacyRouter,
  projectMembers: projectMemberRouter,
  projectMembersV1: projectMemberLegacyRouter,
  projectIdentities: identityMemberRouter,
  auditLog: auditLogRouter,
  instance: instanceRouter,
  identities: identityRouter,
  universalAuth: universalAuthRouter,
  tokenAuth: tokenAuthRouter,
  accessTokens: accessTokenRouter,
  instanceManagement: instanceManagementRouter,
  sessions: sessionRouter,
  account: accountRouter,
  signUp: signUpRouter,
  organizations: organizationRouter,
  organizationMembers: organizationMemberRouter,
  invitations: invitationRouter,
  incidentContacts: incidentContactRouter,
  projects: projectRouter,
  projectsV1: projectLegacyRouter,
  environments: environmentRouter,
  tags: tagRouter,
  folders: folderRouter,
  foldersV1: folderLegacyRouter,
  secrets: secretRouter,
  secretsV3: secretLegacyRouter,
  secretImports: importRouter,
  secretImportsV1: importLegacyRouter,
};
type Routes = typeof routes;

/** Annotated, so that its declaration stays a name and no text of half a megabyte. */
export type AppRouter = ReturnType<typeof router<Routes>>;
export const appRouter: AppRouter = router(routes);
