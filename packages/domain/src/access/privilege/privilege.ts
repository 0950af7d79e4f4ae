import { z } from 'zod';
import { defineEvent, defineUpdate, Id, type Rule, slug, Timestamps, Uuid } from '../../kernel/schema.ts';
import { projectPermissions } from '../catalogue.ts';
import { ProjectRules, PublishedRule } from '../rule.ts';
import { PublishedWindow, RecordedPeriod, Temporarily } from '../temporary.ts';

/** The kinds of members with privileges. Each has its own paths and its own permission subject. */
export const privilegePermissions = {
  identity: projectPermissions('identity'),
  user: projectPermissions('member'),
};
export type PrivilegeHolder = keyof typeof privilegePermissions;

/** Rules that a member of a project has beside its roles, forever or for a time. */
export const Privilege = z.object({
  id: Uuid,
  slug: z.string().describe('Unique among the privileges of the member'),
  projectMembershipId: Uuid.describe('ID of the membership'),
  ...PublishedWindow,
  permissions: z.array(PublishedRule).describe('Later rules override earlier ones and those of the roles'),
  ...Timestamps.shape,
});
export type Privilege = z.output<typeof Privilege>;
export const PrivilegeSummary = Privilege.omit({ permissions: true });

/** A privilege of a person. */
export const UserPrivilege = Privilege.extend({ userId: Uuid, projectId: Uuid });
export const UserPrivilegeSummary = UserPrivilege.omit({ permissions: true });

/** A privilege with whose it is. */
export interface HeldPrivilege extends Privilege {
  readonly projectId: string;
  /** The person or the machine identity. */
  readonly holderId: string;
}

export const PrivilegeSlug = slug(1, 60);

/** Forever, or from a start for a duration. */
export const PrivilegeType = z
  .discriminatedUnion('isTemporary', [z.object(Temporarily), z.object({ isTemporary: z.literal(false) })])
  .meta({ examples: [{ isTemporary: false }] });

/** A change of the time window, in the form of older clients. */
export const WindowChanges = z.object({ ...Temporarily, isTemporary: z.boolean() }).partial();

const content = {
  slug: PrivilegeSlug.optional().describe('Default: generated'),
  permissions: ProjectRules,
  type: PrivilegeType,
};

/** The machine identity of a project that has privileges. */
export const IdentityOfProject = z.object({ identityId: Id, projectId: Id });
export type IdentityOfProject = z.output<typeof IdentityOfProject>;
/** The person of a project that has privileges, by the membership. */
export const UserOfProject = z.object({ projectMembershipId: Id });
export type UserOfProject = z.output<typeof UserOfProject>;

export const CreatePrivilege = z.object(content);
export type CreatePrivilege = z.output<typeof CreatePrivilege>;
export const CreateIdentityPrivilege = IdentityOfProject.extend(content);
export const CreateUserPrivilege = UserOfProject.extend(content);

export const UpdatePrivilege = CreatePrivilege.partial();
/** Absent fields stay unchanged, also those of a time window. */
export interface UpdatePrivilege {
  readonly slug?: string | undefined;
  readonly permissions?: Rule[] | undefined;
  readonly type?: z.output<typeof WindowChanges> | undefined;
}

/** A slug to search for; an invalid one matches nothing. */
export const PrivilegeBySlug = IdentityOfProject.extend({ privilegeSlug: z.string().trim().toLowerCase().min(1) });
/** By its id, or, for machine identities, by its slug. */
export type PrivilegeRef = { readonly privilegeId: string } | z.output<typeof PrivilegeBySlug>;

const data = z.object({ privilegeId: z.string(), slug: z.string(), membershipId: z.string(), holderId: z.string() });
const creation = data.extend({ permissions: z.array(PublishedRule), ...RecordedPeriod });
const update = creation.partial({ permissions: true });
export const privilegeEvents = {
  identity: {
    created: defineEvent('identity_privilege.created', 'create-identity-project-additional-privilege', creation),
    updated: defineUpdate('identity_privilege.updated', 'update-identity-project-additional-privilege', update),
    deleted: defineEvent('identity_privilege.deleted', 'delete-identity-project-additional-privilege', data),
  },
  user: {
    created: defineEvent('user_privilege.created', 'create-user-project-additional-privilege', creation),
    updated: defineUpdate('user_privilege.updated', 'update-user-project-additional-privilege', update),
    deleted: defineEvent('user_privilege.deleted', 'delete-user-project-additional-privilege', data),
  },
};
