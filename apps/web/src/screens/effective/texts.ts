import type { ReactNode } from 'react';
import { rich } from '../../ui/rich.ts';

export const texts = {
  whatMayDo: (name: string) => `What ${name} may do`,
  effectivePermissions: 'Effective permissions',
  allRolesGroupsAndPrivileges: 'All roles, groups and privileges together. Later grants override earlier ones.',
  theyHoldNothingHere: 'They hold nothing here. Invited people do as soon as they have accepted.',
  thisChangesWhenGrant: (time: ReactNode) => rich`This changes ${time}, when a grant begins or ends.`,
  grantsInOrder: 'Grants, in order',
  grants: 'Grants',
  noGrantAtAll: 'No grant at all.',
  grant: 'Grant',
  whatFollows: 'What follows',
  permissions: 'Permissions',
  nothingIsAllowed: 'Nothing is allowed.',
  always: 'Always',
  underConditions: 'Under conditions',
  never: 'Never',
  ruleThatYouMayNotRead: 'A rule that you may not read',
};
