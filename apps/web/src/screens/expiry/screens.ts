import { Hourglass } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';

/** What ends when, in a project and in the organization. */
export const expiryScreens: readonly Screen[] = [
  {
    path: '/projects/$projectId/expiry',
    label: 'What ends when',
    group: 'project',
    icon: Hourglass,
    load: () => import('./expiry.tsx'),
  },
  {
    path: '/organization/expiry',
    label: 'Credentials that end',
    group: 'organization',
    icon: Hourglass,
    load: () => import('./expiry.tsx'),
  },
];
