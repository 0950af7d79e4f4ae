import type { LucideIcon } from 'lucide-react';
import { Bot, Boxes, FolderKey } from 'lucide-react';
import type { ComponentType } from 'react';

/** Where a screen stands in the navigation. */
export type Group = 'organization' | 'project' | 'instance' | 'account';

export interface Screen {
  /** Its address, with `$projectId` for screens of a project. */
  readonly path: string;
  readonly label: string;
  readonly group: Group;
  readonly icon: LucideIcon;
  /** Loaded when it is first opened. */
  readonly load: () => Promise<{ readonly Screen: ComponentType }>;
  /** Reached from another screen: not in the navigation. */
  readonly isDetail?: boolean;
}

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
];
