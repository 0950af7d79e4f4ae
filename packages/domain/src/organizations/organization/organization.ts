import { z } from 'zod';
import {
  defineEvent,
  defineUpdate,
  duration,
  Id,
  LeftElsewhere,
  parseDuration,
  slug,
  text,
  Timestamps,
  Uuid,
} from '../../kernel/schema.ts';
import type { OrganizationEntity } from './organization.entity.ts';

const FIVE_MINUTES = 5 * 60 * 1000;

export const OrganizationName = text(64).trim().min(1);

/** An organization as its members see it. What Coffer does not offer is `false` or null. */
export const Organization = z.object({
  id: Uuid,
  name: z.string(),
  slug: z.string(),
  customerId: z.string().nullable(),
  authEnforced: z.boolean(),
  scimEnabled: z.boolean(),
  kmsDefaultKeyId: z.string().nullable(),
  defaultMembershipRole: z.string().describe('The role of members who are invited without one'),
  enforceMfa: z.boolean(),
  selectedMfaMethod: z.string().nullable(),
  allowSecretSharingOutsideOrganization: z.boolean().nullable(),
  shouldUseNewPrivilegeSystem: z.boolean(),
  privilegeUpgradeInitiatedByUsername: z.string().nullable(),
  privilegeUpgradeInitiatedAt: z.string().nullable(),
  userTokenExpiration: z
    .string()
    .nullable()
    .describe('Maximum lifetime of an access token of a user in this organization, for example 8h'),
  auditLogsRetentionDays: z.int().nullable().describe('Days; null or 0: forever. Projects may have their own'),
  ...Timestamps.shape,
});
export type Organization = z.output<typeof Organization>;

export const toOrganization = (row: OrganizationEntity): Organization => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  customerId: null,
  authEnforced: false,
  scimEnabled: false,
  kmsDefaultKeyId: null,
  defaultMembershipRole: row.defaultMembershipRole,
  enforceMfa: false,
  selectedMfaMethod: null,
  allowSecretSharingOutsideOrganization: null,
  shouldUseNewPrivilegeSystem: false,
  privilegeUpgradeInitiatedByUsername: null,
  privilegeUpgradeInitiatedAt: null,
  userTokenExpiration: row.userTokenExpiration ?? null,
  auditLogsRetentionDays: row.auditLogsRetentionDays ?? null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

export const OrganizationRef = z.object({ organizationId: Id });
export type OrganizationRef = z.output<typeof OrganizationRef>;

export const CreateOrganization = z.object({ name: OrganizationName });
export type CreateOrganization = z.output<typeof CreateOrganization>;

export const UpdateOrganization = OrganizationRef.extend({
  name: OrganizationName.optional(),
  slug: slug(1, 64).optional().describe('Unique in the instance'),
  defaultMembershipRoleSlug: z.string().trim().min(1).max(64).optional(),
  userTokenExpiration: duration()
    .refine((given) => (parseDuration(given) ?? 0) >= FIVE_MINUTES, 'The minimum is 5m, so that it can be changed back')
    .nullish()
    .describe('For example 30m, 8h, 2d; null: the default of ten days'),
  auditLogsRetentionDays: z
    .int()
    .min(0)
    .max(36_500)
    .optional()
    .describe('How long audit events are kept whose project has no retention of its own; 0: forever'),
  authEnforced: z.boolean().optional(),
  scimEnabled: z.boolean().optional(),
  enforceMfa: z.boolean().optional(),
});
export type UpdateOrganization = z.output<typeof UpdateOrganization>;

/** A project in the list of an organization's projects. */
export const OrganizationProject = z.object({
  id: Uuid,
  name: z.string(),
  slug: z.string(),
  type: z.string(),
  organization: Uuid,
  environments: z.array(z.object({ id: Uuid, name: z.string(), slug: z.string() })),
});
export type OrganizationProject = z.output<typeof OrganizationProject>;

export const ListOrganizationProjects = OrganizationRef.extend({ type: z.string().max(64).optional() });
export type ListOrganizationProjects = z.output<typeof ListOrganizationProjects>;

const OrganizationEvent = z.object({
  organizationId: z.string(),
  name: z.string(),
  slug: z.string(),
  auditLogsRetentionDays: z.int().optional(),
});
export const organizationCreated = defineEvent('organization.created', 'create-organization', OrganizationEvent);
export const organizationUpdated = defineUpdate(
  'organization.updated',
  'update-organization',
  OrganizationEvent.extend({ defaultMembershipRoleSlug: z.string().optional() }),
);
export const organizationDeleted = defineEvent(
  'organization.deleted',
  'delete-organization',
  OrganizationEvent.extend({ left: LeftElsewhere.optional() }),
);
