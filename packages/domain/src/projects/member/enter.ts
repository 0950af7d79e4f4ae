import { z } from 'zod';
import { accessAllProjects, authorize, FOREVER, organizationOf, requireUntil } from '../../access/index.ts';
import { requireMayLetIn } from '../../access/approval-policy/index.ts';
import {
  addMember,
  keepingAnAdmin,
  lockOwnMembership,
  MembershipEntity,
  replaceRoles,
  rolesOf,
  type RoleAssignment,
} from '../../access/membership/index.ts';
import { endPrivileges } from '../../access/privilege/index.ts';
import {
  defineEvent,
  forbidden,
  inTransaction,
  page,
  record,
  text,
  Timestamps,
  Uuid,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { findProject, Project, searchProjects } from '../project/index.ts';
import { notifyAdministrators } from './administrators-mail.ts';

export const ListAllProjects = z.object({
  ...page({ limit: 50, maxLimit: 100 }).shape,
  search: text(255).trim().optional().describe('A part of the name'),
});
export type ListAllProjects = z.output<typeof ListAllProjects>;

export const EnterableProject = Project.pick({
  id: true,
  name: true,
  description: true,
  type: true,
  slug: true,
  autoCapitalization: true,
  orgId: true,
  createdAt: true,
  updatedAt: true,
  version: true,
  upgradeStatus: true,
  pitVersionLimit: true,
  kmsCertificateKeyId: true,
  auditLogsRetentionDays: true,
});
export const AllProjects = z.object({ projects: z.array(EnterableProject), count: z.int() });
export type AllProjects = z.output<typeof AllProjects>;

/** All projects of the organization by name, for callers who may enter them. */
export async function listAllProjects(ctx: Context, { search: name, ...asked }: ListAllProjects): Promise<AllProjects> {
  await authorize(ctx, accessAllProjects);
  const found = await searchProjects(ctx, { ...asked, name, orderBy: 'name', orderDirection: 'asc' });
  return { projects: found.projects, count: found.totalCount };
}

/** The membership of an actor that has entered a project. */
export const EnteredMembership = z.object({
  id: Uuid,
  userId: z.string().nullable().describe('null for a machine identity'),
  identityId: Uuid.optional().describe('Only for a machine identity'),
  projectId: Uuid,
  ...Timestamps.shape,
});
export type EnteredMembership = z.output<typeof EnteredMembership>;

export const projectEntered = defineEvent(
  'project.entered',
  'org-admin-accessed-project',
  z.object({
    projectId: z.string(),
    membershipId: z.string(),
    userId: z.string().nullable(),
    identityId: z.string().nullable(),
  }),
);

const ADMIN = { role: 'admin', isTemporary: false } as const;

/**
 * Makes the caller an administrator of a project of the organization, member or not. Its other roles and privileges in
 * the project are removed; denials of its groups stay. No effect for a current administrator. If the right to enter all
 * projects is temporary, so is the role.
 *
 * @throws DomainError 403 for callers who may not enter all projects, and for those with a temporary right who are in
 * the project already or are named by a policy of it that they may not permanently edit; 404 for a project outside of
 * the organization.
 */
export async function enterProject(ctx: Context, { projectId }: { projectId: string }): Promise<EnteredMembership> {
  await authorize(ctx, accessAllProjects, { projectId });
  const organizationId = organizationOf(ctx);
  const { userId = null, identityId = null } = holderOf(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockOwnMembership(tx);
    const until = await requireUntil(tx, { organizationId }, accessAllProjects);
    await findProject(tx, projectId);
    return keepingAnAdmin(tx, organizationId, projectId, async () => {
      const of = { organizationId, projectId, userId, identityId };
      const known = await tx.em.findOne(MembershipEntity, of);
      if (!known) await requireMayLetIn(tx, { holderIds: [userId ?? identityId!], projectIds: [projectId], until });
      const hasChanged = !known || (await becomeAdmin(tx, known, until));
      const membership =
        known ?? (await addMember(tx, { organizationId, projectId, ...holderOf(ctx), roles: [adminUntil(tx, until)] }));
      await tx.em.flush();
      const { id, createdAt, updatedAt } = membership;
      if (hasChanged) {
        record(tx, projectEntered, { projectId, membershipId: id, userId, identityId }, { projectId });
        notifyAdministrators(tx, { organizationId, projectId, about: 'entered' });
      }
      return { id, userId, ...(identityId !== null && { identityId }), projectId, createdAt, updatedAt };
    });
  });
}

function holderOf({ actor }: Context): { userId?: string; identityId?: string } {
  if (actor.type === 'user') return { userId: actor.id };
  if (actor.type === 'identity') return { identityId: actor.id };
  throw forbidden('auth.wrong_actor', 'Only users and machine identities can be members');
}

function adminUntil(tx: Transaction, until: number): RoleAssignment {
  if (until === FOREVER) return ADMIN;
  const now = tx.now();
  return {
    role: ADMIN.role,
    isTemporary: true,
    temporaryMode: 'relative',
    temporaryRange: `${until - now.getTime()}ms`,
    temporaryAccessStartTime: now,
  };
}

/**
 * Whether that changed anything. Existing roles would be removed permanently and replaced by a temporary one: so a
 * temporary right does not replace them.
 */
async function becomeAdmin(tx: Transaction, membership: MembershipEntity, until: number): Promise<boolean> {
  const [held, ...others] = (await rolesOf(tx, [membership.id])).get(membership.id) ?? [];
  const isAdmin = held?.role === ADMIN.role && others.length === 0;
  if (until !== FOREVER) {
    if (isAdmin && (!held.isTemporary || held.temporaryAccessEndTime!.getTime() >= until)) return false;
    throw forbidden(
      'permission.boundary',
      `You may enter projects only until ${new Date(until).toISOString()} and are already in this one: ask an administrator of the project for more rights`,
      { name: 'PermissionBoundaryError', details: { missingPermissions: [], heldUntil: new Date(until) } },
    );
  }
  const hasEnded = await endPrivileges(tx, membership);
  if (!hasEnded && isAdmin && !held.isTemporary) return false;
  await replaceRoles(tx, membership, [ADMIN]);
  membership.updatedAt = tx.now();
  return true;
}
