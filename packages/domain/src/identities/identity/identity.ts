import { z } from 'zod';
import { MembershipRole } from '../../access/membership/membership.ts';
import { CustomRole } from '../../access/role/role.ts';
import { count, defineEvent, defineUpdate, Id, Metadata, page, Timestamps, Uuid } from '../../kernel/schema.ts';

const Name = z.string().trim().min(1).max(255);
const RoleSlug = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .describe('A built-in role of the organization, or the slug of a custom role');

const PublishedMetadata = z.object({ id: Uuid, key: z.string(), value: z.string() });

/** A machine identity: what applications and CI jobs log in as. */
export const Identity = z.object({
  id: Uuid,
  name: z.string(),
  orgId: Uuid,
  projectId: z.string().nullable().describe('null: the organization owns it'),
  hasDeleteProtection: z.boolean().describe('true: it cannot be deleted'),
  metadata: z.array(PublishedMetadata),
  authMethods: z.array(z.string()).describe('The attached login methods, for example `universal-auth`'),
  authMethod: z.string().nullable().describe('The first of the attached login methods'),
  ...Timestamps.shape,
});
export type Identity = z.output<typeof Identity>;

const MemberIdentity = z.object({
  id: Uuid,
  name: z.string(),
  projectId: z.string().nullable().describe('null: the organization owns it'),
  hasDeleteProtection: z.boolean(),
  authMethods: z.array(z.string()),
});

/** An identity as a member of its organization. */
export const IdentityMembership = z.object({
  id: Uuid.describe('ID of the membership'),
  role: z.string().describe('A built-in role, or `custom`'),
  roleId: z.string().nullable().describe('ID of the custom role'),
  customRole: CustomRole.nullable(),
  orgId: Uuid,
  identityId: Uuid,
  metadata: z.array(PublishedMetadata),
  identity: MemberIdentity,
  ...Timestamps.shape,
});
export type IdentityMembership = z.output<typeof IdentityMembership>;

/** An identity as a member of one project. */
export const IdentityProject = z.object({
  id: Uuid.describe('ID of the membership'),
  identityId: Uuid,
  roles: z.array(MembershipRole),
  identity: MemberIdentity,
  project: z.object({ id: Uuid, name: z.string(), slug: z.string(), type: z.string() }),
  ...Timestamps.shape,
});
export type IdentityProject = z.output<typeof IdentityProject>;

/** The data that an identity may read about itself without a permission. */
export const IdentityDetails = z.object({
  identity: Identity,
  organization: z.object({ id: Uuid, name: z.string(), slug: z.string() }),
});
export type IdentityDetails = z.output<typeof IdentityDetails>;

export const IdentityRef = z.object({ identityId: Id });
export type IdentityRef = z.output<typeof IdentityRef>;

/** The default role in the organization, also for every identity of a project. */
export const NO_ACCESS = 'no-access';

export const CreateIdentity = z.object({
  name: Name,
  organizationId: Id,
  role: RoleSlug.default(NO_ACCESS),
  metadata: Metadata.max(100).default([]),
  hasDeleteProtection: z.boolean().default(false),
});
export type CreateIdentity = z.output<typeof CreateIdentity>;

export const UpdateIdentity = z.object({
  identityId: Id,
  name: Name.optional(),
  role: RoleSlug.optional(),
  metadata: Metadata.max(100).optional(),
  hasDeleteProtection: z.boolean().optional(),
});
export type UpdateIdentity = z.output<typeof UpdateIdentity>;

const text = z.string().max(255);

/** The condition on a field: a text means equality. Several operators must all match. */
const Match = z.union([
  text.transform((value) => ({ $eq: value })),
  z
    .object({
      $eq: text,
      $ne: text,
      $contains: text.describe('Substring, case-insensitive'),
      $in: z.array(text).max(100),
    })
    .partial(),
]);

const Fields = z.object({ name: Match, role: Match }).partial();

/** `name` and `role` must both match and, if `$or` is given, also one of its elements. */
export const IdentitySearch = Fields.extend({ $or: z.array(Fields).max(20).optional() });
export type IdentitySearch = z.output<typeof IdentitySearch>;

const Order = z.object({
  orderBy: z.enum(['name', 'role']).default('name'),
  orderDirection: z.enum(['asc', 'desc']).default('asc'),
});

export const SearchIdentities = z.object({
  ...Order.shape,
  ...page({ limit: 50 }).shape,
  search: IdentitySearch.default({}),
});
export type SearchIdentities = z.output<typeof SearchIdentities>;

export const CountIdentities = SearchIdentities.pick({ search: true });
export type CountIdentities = z.output<typeof CountIdentities>;

export const ListIdentities = z.object({ orgId: Id });
export type ListIdentities = z.output<typeof ListIdentities>;

export const ListIdentityMemberships = z.object({
  orgId: Id,
  ...Order.shape,
  offset: count(0, 1_000_000_000).default(0),
  limit: count(1, 20_000).default(100),
  search: text.optional().describe('A part of the name'),
});
export type ListIdentityMemberships = z.output<typeof ListIdentityMemberships>;

const IdentityEvent = z.object({ identityId: z.string(), name: z.string() });
export const identityCreated = defineEvent(
  'identity.created',
  'create-identity',
  IdentityEvent.extend({ role: z.string() }),
);
export const identityUpdated = defineUpdate(
  'identity.updated',
  'update-identity',
  IdentityEvent.extend({ role: z.string().nullable() }),
);
export const identityDeleted = defineEvent('identity.deleted', 'delete-identity', IdentityEvent);
