import { publishWindow } from '../../access/index.ts';
import type { ChangedRole, MembershipRoleEntity } from '../../access/membership/index.ts';

export const toChangedRole = (row: MembershipRoleEntity): ChangedRole => ({
  id: row.id,
  role: row.role,
  projectMembershipId: row.membershipId,
  customRoleId: row.customRoleId ?? null,
  ...publishWindow(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
