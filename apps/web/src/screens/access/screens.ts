import { Cpu, Inbox, ScanEye, ShieldCheck, Users, UsersRound } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';
import { InboxBadge } from '../inbox/badge.tsx';
import { texts } from './screens.texts.ts';

/** Who may do what, and what waits for approval. */
export const accessScreens: readonly Screen[] = [
  {
    path: '/projects/$projectId/inbox',
    label: texts.inbox,
    group: 'project',
    icon: Inbox,
    Badge: InboxBadge,
    load: () => import('../inbox/inbox.tsx'),
  },
  {
    path: '/projects/$projectId/inbox/$requestId',
    label: texts.changeRequest,
    group: 'project',
    icon: Inbox,
    isDetail: true,
    load: () => import('../inbox/change.tsx'),
  },
  {
    path: '/projects/$projectId/access',
    label: texts.access,
    group: 'project',
    icon: Users,
    load: () => import('../project-access/project-access.tsx'),
  },
  {
    path: '/projects/$projectId/who',
    label: texts.whoCanAccess,
    group: 'project',
    icon: ScanEye,
    load: () => import('../who/who.tsx'),
  },
  {
    path: '/projects/$projectId/effective',
    label: texts.effectivePermissions,
    group: 'project',
    icon: ScanEye,
    isDetail: true,
    load: () => import('../effective/effective.tsx'),
  },
  {
    path: '/projects/$projectId/roles',
    label: texts.roles,
    group: 'project',
    icon: ShieldCheck,
    load: () => import('../roles/project-roles.tsx'),
  },
  {
    path: '/projects/$projectId/role',
    label: texts.role,
    group: 'project',
    icon: ShieldCheck,
    isDetail: true,
    load: () => import('../roles/project-role.tsx'),
  },
  {
    path: '/organization/effective',
    label: texts.effectivePermissionsInOrganization,
    group: 'organization',
    icon: ScanEye,
    isDetail: true,
    load: () => import('../effective/effective.tsx'),
  },
  {
    path: '/organization/people',
    label: texts.people,
    group: 'organization',
    icon: Users,
    load: () => import('../organization-members/organization-members.tsx'),
  },
  {
    path: '/organization/groups',
    label: texts.groups,
    group: 'organization',
    icon: UsersRound,
    load: () => import('../organization-groups/organization-groups.tsx'),
  },
  {
    path: '/organization/identities',
    label: texts.machineIdentities,
    group: 'organization',
    icon: Cpu,
    load: () => import('../identities/identities.tsx'),
  },
  {
    path: '/organization/identities/$identityId',
    label: texts.machineIdentity,
    group: 'organization',
    icon: Cpu,
    isDetail: true,
    load: () => import('../identities/identity.tsx'),
  },
  {
    path: '/organization/roles',
    label: texts.organizationRoles,
    group: 'organization',
    icon: ShieldCheck,
    load: () => import('../roles/organization-roles.tsx'),
  },
  {
    path: '/organization/role',
    label: texts.organizationRole,
    group: 'organization',
    icon: ShieldCheck,
    isDetail: true,
    load: () => import('../roles/organization-role.tsx'),
  },
];
