import { Bot, Boxes, FolderKey, Plug, RefreshCw, RotateCw, Timer } from 'lucide-react';
import { accessScreens } from '../screens/access/screens.ts';
import { accountScreens } from '../screens/account/screens.ts';
import { entryScreens } from './entry-screens.ts';
import type { Screen } from './screen.ts';

/** All screens: from this list are the routes, the navigation and the command palette. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    label: 'Projects',
    group: 'organization',
    icon: Boxes,
    load: () => import('../screens/projects/projects.tsx'),
  },
  {
    path: '/projects/$projectId/secrets',
    label: 'Secrets',
    group: 'project',
    icon: FolderKey,
    load: () => import('../screens/secrets/secrets.tsx'),
  },
  {
    path: '/projects/$projectId/read-by-machine',
    label: 'Read by a machine',
    group: 'project',
    icon: Bot,
    load: () => import('../screens/first-run/read-by-machine.tsx'),
  },
  {
    path: '/app-connections',
    label: 'App connections',
    group: 'organization',
    icon: Plug,
    load: () => import('../screens/app-connections/app-connections.tsx'),
  },
  {
    path: '/app-connections/$app/$connectionId',
    label: 'App connection',
    group: 'organization',
    icon: Plug,
    load: () => import('../screens/app-connections/app-connection.tsx'),
    isDetail: true,
  },
  {
    path: '/organization/app-connections/github/oauth/callback',
    label: 'Authorization',
    group: 'organization',
    icon: Plug,
    load: () => import('../screens/app-connections/authorized.tsx'),
    isDetail: true,
  },
  {
    path: '/organization/app-connections/azure/oauth/callback',
    label: 'Authorization',
    group: 'organization',
    icon: Plug,
    load: () => import('../screens/app-connections/authorized.tsx'),
    isDetail: true,
  },
  {
    path: '/projects/$projectId/app-connections',
    label: 'Project connections',
    group: 'project',
    icon: Plug,
    load: () => import('../screens/app-connections/app-connections.tsx'),
  },
  {
    path: '/projects/$projectId/app-connections/$app/$connectionId',
    label: 'Project connection',
    group: 'project',
    icon: Plug,
    load: () => import('../screens/app-connections/app-connection.tsx'),
    isDetail: true,
  },
  {
    path: '/projects/$projectId/secret-syncs',
    label: 'Secret syncs',
    group: 'project',
    icon: RefreshCw,
    load: () => import('../screens/secret-syncs/secret-syncs.tsx'),
  },
  {
    path: '/projects/$projectId/secret-syncs/$destination/$syncId',
    label: 'Secret sync',
    group: 'project',
    icon: RefreshCw,
    load: () => import('../screens/secret-syncs/secret-sync.tsx'),
    isDetail: true,
  },
  {
    path: '/projects/$projectId/secret-rotations',
    label: 'Secret rotations',
    group: 'project',
    icon: RotateCw,
    load: () => import('../screens/secret-rotations/secret-rotations.tsx'),
  },
  {
    path: '/projects/$projectId/secret-rotations/$type/$rotationId',
    label: 'Secret rotation',
    group: 'project',
    icon: RotateCw,
    load: () => import('../screens/secret-rotations/secret-rotation.tsx'),
    isDetail: true,
  },
  {
    path: '/projects/$projectId/dynamic-secrets',
    label: 'Dynamic secrets',
    group: 'project',
    icon: Timer,
    load: () => import('../screens/dynamic-secrets/dynamic-secrets.tsx'),
  },
  {
    path: '/projects/$projectId/dynamic-secrets/$name',
    label: 'Dynamic secret',
    group: 'project',
    icon: Timer,
    load: () => import('../screens/dynamic-secrets/dynamic-secret.tsx'),
    isDetail: true,
  },
  ...accessScreens,
  ...accountScreens,
  ...entryScreens,
];
