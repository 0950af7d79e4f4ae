import { z } from 'zod';
import { RoleAssignments } from '../../access/membership/membership.ts';
import { CreateIdentity, Identity, UpdateIdentity } from '../../identities/identity/identity.ts';
import { count, Id, text } from '../../kernel/schema.ts';

/** A machine identity that belongs to one project: it cannot join another one, and is deleted with it. */
export const ProjectIdentity = Identity.omit({ authMethod: true }).extend({
  activeLockoutAuthMethods: z.array(z.string()).describe('Login methods with recent failed attempts'),
});
export type ProjectIdentity = z.output<typeof ProjectIdentity>;

const OfProject = z.object({ projectId: Id });

export const CreateProjectIdentity = CreateIdentity.pick({
  name: true,
  metadata: true,
  hasDeleteProtection: true,
}).extend({
  ...OfProject.shape,
  roles: RoleAssignments.default([{ role: 'no-access', isTemporary: false }]).describe('In the project'),
});
export type CreateProjectIdentity = z.output<typeof CreateProjectIdentity>;

export const ListProjectIdentities = OfProject.extend({
  offset: count(0, 1_000_000_000).default(0),
  limit: count(1, 1000).default(20),
  search: text(255).trim().optional().describe('A part of the name'),
});
export type ListProjectIdentities = z.output<typeof ListProjectIdentities>;

export const ProjectIdentityRef = OfProject.extend({ identityId: Id });
export type ProjectIdentityRef = z.output<typeof ProjectIdentityRef>;

export const UpdateProjectIdentity = UpdateIdentity.omit({ role: true }).extend(OfProject.shape);
export type UpdateProjectIdentity = z.output<typeof UpdateProjectIdentity>;
