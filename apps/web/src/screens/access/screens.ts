import { Cpu, Inbox, ScanEye, ShieldCheck, Users, UsersRound } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';
import { InboxBadge } from '../inbox/badge.tsx';

/** Who may do what, and what waits for approval. */
export const accessScreens: readonly Screen[] = [
  {
    path: '/projects/$projectId/inbox',
    label: 'Inbox',
    group: 'project',
    icon: Inbox,
    Badge: InboxBadge,
    load: () => import('../inbox/inbox.tsx'),
  },
  {
    path: '/projects/$projectId/inbox/$requestId',
    label: 'Change request',
    group: 'project',
    icon: Inbox,
    isDetail: true,
    load: () => import('../inbox/change.tsx'),
  },
  {
    path: '/projects/$projectId/access',
    label: 'Access',
    group: 'project',
    icon: Users,
    load: () => import('../project-access/project-access.tsx'),
  },
  {
    path: '/projects/$projectId/who',
    label: 'Who can access',
    group: 'project',
    icon: ScanEye,
    load: () => import('../who/who.tsx'),
  },
  {
    path: '/projects/$projectId/effective',
    label: 'Effective permissions',
    group: 'project',
    icon: ScanEye,
    isDetail: true,
    load: () => import('../effective/effective.tsx'),
  },
  {
    path: '/projects/$projectId/roles',
    label: 'Roles',
    group: 'project',
    icon: ShieldCheck,
    load: () => import('../roles/project-roles.tsx'),
  },
  {
    path: '/projects/$projectId/role',
    label: 'Role',
    group: 'project',
    icon: ShieldCheck,
    isDetail: true,
    load: () => import('../roles/project-role.tsx'),
  },
  {
    path: '/organization/people',
    label: 'People',
    group: 'organization',
    icon: Users,
    load: () => import('../organization-members/organization-members.tsx'),
  },
  {
    path: '/organization/groups',
    label: 'Groups',
    group: 'organization',
    icon: UsersRound,
    load: () => import('../organization-groups/organization-groups.tsx'),
  },
  {
    path: '/organization/identities',
    label: 'Machine identities',
    group: 'organization',
    icon: Cpu,
    load: () => import('../identities/identities.tsx'),
  },
  {
    path: '/organization/identities/$identityId',
    label: 'Machine identity',
    group: 'organization',
    icon: Cpu,
    isDetail: true,
    load: () => import('../identities/identity.tsx'),
  },
  {
    path: '/organization/roles',
    label: 'Organization roles',
    group: 'organization',
    icon: ShieldCheck,
    load: () => import('../roles/organization-roles.tsx'),
  },
  {
    path: '/organization/role',
    label: 'Organization role',
    group: 'organization',
    icon: ShieldCheck,
    isDetail: true,
    load: () => import('../roles/organization-role.tsx'),
  },
];
