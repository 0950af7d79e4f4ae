import {
  BookOpen,
  Bot,
  Boxes,
  FolderInput,
  FolderKey,
  History,
  Plug,
  RefreshCw,
  RotateCw,
  Scale,
  Timer,
} from 'lucide-react';
import { accessScreens } from '../screens/access/screens.ts';
import { accountScreens } from '../screens/account/screens.ts';
import { auditScreens } from '../screens/audit/screens.ts';
import { expiryScreens } from '../screens/expiry/screens.ts';
import { instanceScreens } from '../screens/instance/screens.ts';
import { entryScreens } from './entry-screens.ts';
import { certificateScreens } from '../screens/certificates/screens.ts';
import { keyScreens } from '../screens/keys/screens.ts';
import { sshScreens } from '../screens/ssh/screens.ts';
import type { Screen } from './screen.ts';
import { texts } from './screens.texts.ts';

/** All screens: from this list are the routes, the navigation and the command palette. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    label: texts.projects,
    group: 'organization',
    icon: Boxes,
    load: () => import('../screens/projects/projects.tsx'),
  },
  {
    path: '/projects/$projectId/secrets',
    label: texts.secrets,
    group: 'project',
    icon: FolderKey,
    load: () => import('../screens/secrets/secrets.tsx'),
  },
  {
    path: '/projects/$projectId/read-by-machine',
    label: texts.readByMachine,
    group: 'project',
    icon: Bot,
    load: () => import('../screens/first-run/read-by-machine.tsx'),
  },
  {
    path: '/app-connections',
    label: texts.appConnections,
    group: 'organization',
    icon: Plug,
    load: () => import('../screens/app-connections/app-connections.tsx'),
  },
  {
    path: '/app-connections/$app/$connectionId',
    label: texts.appConnection,
    group: 'organization',
    icon: Plug,
    load: () => import('../screens/app-connections/app-connection.tsx'),
    isDetail: true,
  },
  {
    path: '/organization/app-connections/github/oauth/callback',
    label: texts.authorization,
    group: 'organization',
    icon: Plug,
    load: () => import('../screens/app-connections/authorized.tsx'),
    isDetail: true,
  },
  {
    path: '/organization/app-connections/azure/oauth/callback',
    label: texts.authorization,
    group: 'organization',
    icon: Plug,
    load: () => import('../screens/app-connections/authorized.tsx'),
    isDetail: true,
  },
  {
    path: '/projects/$projectId/app-connections',
    label: texts.projectConnections,
    group: 'project',
    icon: Plug,
    load: () => import('../screens/app-connections/app-connections.tsx'),
  },
  {
    path: '/projects/$projectId/app-connections/$app/$connectionId',
    label: texts.projectConnection,
    group: 'project',
    icon: Plug,
    load: () => import('../screens/app-connections/app-connection.tsx'),
    isDetail: true,
  },
  {
    path: '/projects/$projectId/secret-syncs',
    label: texts.secretSyncs,
    group: 'project',
    icon: RefreshCw,
    load: () => import('../screens/secret-syncs/secret-syncs.tsx'),
  },
  {
    path: '/projects/$projectId/secret-syncs/$destination/$syncId',
    label: texts.secretSync,
    group: 'project',
    icon: RefreshCw,
    load: () => import('../screens/secret-syncs/secret-sync.tsx'),
    isDetail: true,
  },
  {
    path: '/projects/$projectId/secret-rotations',
    label: texts.secretRotations,
    group: 'project',
    icon: RotateCw,
    load: () => import('../screens/secret-rotations/secret-rotations.tsx'),
  },
  {
    path: '/projects/$projectId/secret-rotations/$type/$rotationId',
    label: texts.secretRotation,
    group: 'project',
    icon: RotateCw,
    load: () => import('../screens/secret-rotations/secret-rotation.tsx'),
    isDetail: true,
  },
  {
    path: '/projects/$projectId/dynamic-secrets',
    label: texts.dynamicSecrets,
    group: 'project',
    icon: Timer,
    load: () => import('../screens/dynamic-secrets/dynamic-secrets.tsx'),
  },
  {
    path: '/projects/$projectId/dynamic-secrets/$name',
    label: texts.dynamicSecret,
    group: 'project',
    icon: Timer,
    load: () => import('../screens/dynamic-secrets/dynamic-secret.tsx'),
    isDetail: true,
  },
  {
    path: '/projects/$projectId/imports',
    label: texts.secretImports,
    group: 'project',
    icon: FolderInput,
    load: () => import('../screens/secret-imports/secret-imports.tsx'),
  },
  {
    path: '/projects/$projectId/history',
    label: texts.history,
    group: 'project',
    icon: History,
    load: () => import('../screens/history/history.tsx'),
  },
  {
    path: '/projects/$projectId/approval-policies',
    label: texts.approvalPolicies,
    group: 'project',
    icon: Scale,
    load: () => import('../screens/approval-policies/approval-policies.tsx'),
  },
  ...certificateScreens,
  ...keyScreens,
  ...sshScreens,
  ...accessScreens,
  ...expiryScreens,
  ...auditScreens,
  ...accountScreens,
  ...instanceScreens,
  ...entryScreens,
  {
    path: '/api/docs',
    label: texts.apiReference,
    group: 'account',
    icon: BookOpen,
    isPublic: true,
    load: () => import('../screens/api-reference/api-reference.tsx'),
  },
  {
    path: '/api/docs/$operationId',
    label: texts.operation,
    group: 'account',
    icon: BookOpen,
    isPublic: true,
    isDetail: true,
    load: () => import('../screens/api-reference/api-reference.tsx'),
  },
];
