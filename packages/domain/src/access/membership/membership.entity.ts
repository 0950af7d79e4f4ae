import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { base, type Metadata } from '../../kernel/index.ts';
import { RoleEntity } from '../role/role.entity.ts';
import { windowColumns } from '../window-columns.ts';

/** A membership of a user, an identity or a group in an organization (no project) or in one of its projects. */
export const MembershipEntity = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    ...base,
    organizationId: p.uuid(),
    projectId: p.uuid().nullable(),
    userId: p.uuid().nullable(),
    identityId: p.uuid().nullable(),
    groupId: p.uuid().nullable(),
    status: p.text().$type<'invited' | 'accepted'>().default('accepted'),
    isActive: p.boolean().default(true),
    inviteEmail: p.text().nullable(),
    inviteHash: p.blob().nullable().hidden(),
    /** Whether the link of an open invitation went to the mailbox alone. */
    inviteIsMailed: p.boolean().default(false),
    inviteExpiresAt: p.datetime().nullable(),
    metadata: p
      .json()
      .$type<Metadata>()
      .onCreate(() => []),
    projectFavorites: p.json().$type<string[]>().nullable(),
  },
});
export type MembershipEntity = InferEntity<typeof MembershipEntity>;

/** One role of a membership: a built-in one by name, or `custom` with the role; forever, or between two instants. */
export const MembershipRoleEntity = defineEntity({
  name: 'MembershipRole',
  tableName: 'membership_roles',
  properties: {
    ...base,
    organizationId: p.uuid(),
    membershipId: () => p.manyToOne(MembershipEntity).mapToPk().fieldName('membership_id'),
    role: p.text(),
    customRoleId: () => p.manyToOne(RoleEntity).mapToPk().fieldName('custom_role_id').nullable(),
    ...windowColumns,
  },
});
export type MembershipRoleEntity = InferEntity<typeof MembershipRoleEntity>;
