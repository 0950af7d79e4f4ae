import type { ChangedRole, MembershipRoleEntity } from '../../access/membership/index.ts';

export const toChangedRole = (row: MembershipRoleEntity): ChangedRole => ({
  id: row.id,
  role: row.role,
  projectMembershipId: row.membershipId,
  customRoleId: row.customRoleId ?? null,
  isTemporary: row.isTemporary,
  temporaryMode: row.temporaryMode ?? null,
  temporaryRange: row.temporaryRange ?? null,
  temporaryAccessStartTime: row.temporaryAccessStartTime ?? null,
  temporaryAccessEndTime: row.temporaryAccessEndTime ?? null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
