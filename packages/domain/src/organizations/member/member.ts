import { z } from 'zod';
import { MembershipRole } from '../../access/membership/membership.ts';
import { defineEvent, defineUpdate, Id, Instant, Metadata, Timestamps, Uuid } from '../../kernel/schema.ts';
import { Person } from '../../users/user/user.ts';

/** A user's membership in an organization. */
export const OrganizationMembership = z.object({
  id: Uuid,
  orgId: Uuid,
  userId: z.string().nullable(),
  role: z.string().describe('A built-in role, or `custom`'),
  roleId: z.string().nullable().describe('The custom role'),
  status: z.string().describe('`invited` or `accepted`'),
  inviteEmail: z.string().nullable(),
  isActive: z.boolean(),
  projectFavorites: z.array(z.string()).nullable(),
  ...Timestamps.shape,
});
export type OrganizationMembership = z.output<typeof OrganizationMembership>;

export const OrganizationMember = OrganizationMembership.extend({ user: Person });
export type OrganizationMember = z.output<typeof OrganizationMember>;

export const MemberDetails = OrganizationMember.extend({
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
});
export type MemberDetails = z.output<typeof MemberDetails>;

export const MemberRef = z.object({ organizationId: Id, membershipId: Id });
export type MemberRef = z.output<typeof MemberRef>;

export const UpdateMember = MemberRef.extend({
  role: z.string().trim().min(1).max(64).optional().describe('A built-in role, or the slug of a custom role'),
  isActive: z.boolean().optional().describe('false: the member loses all access to the organization immediately'),
  metadata: Metadata.max(100).optional(),
});
export type UpdateMember = z.output<typeof UpdateMember>;

export const RemoveMembers = z.object({ organizationId: Id, membershipIds: z.array(Id).min(1).max(1000) });
export type RemoveMembers = z.output<typeof RemoveMembers>;

/** A member's role in one of the organization's projects. */
export const MemberProject = z.object({
  id: Uuid,
  userId: z.string().nullable(),
  projectId: Uuid,
  createdAt: Instant,
  user: Person,
  project: z.object({ id: Uuid, name: z.string(), slug: z.string(), type: z.string() }),
  roles: z.array(MembershipRole),
});
export type MemberProject = z.output<typeof MemberProject>;

const MemberEvent = z.object({ membershipId: z.string(), userId: z.string() });
export const memberUpdated = defineUpdate(
  'organization_member.updated',
  'update-organization-membership',
  MemberEvent.extend({ role: z.string().optional(), isActive: z.boolean().optional() }),
);
export const memberRemoved = defineEvent('organization_member.removed', 'delete-organization-membership', MemberEvent);
