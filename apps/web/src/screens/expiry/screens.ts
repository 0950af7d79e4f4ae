import { Hourglass } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';
import { texts } from './screens.texts.ts';

/** What ends when, in a project and in the organization. */
export const expiryScreens: readonly Screen[] = [
  {
    path: '/projects/$projectId/expiry',
    label: texts.whatEndsWhen,
    group: 'project',
    icon: Hourglass,
    load: () => import('./expiry.tsx'),
  },
  {
    path: '/organization/expiry',
    label: texts.credentialsThatEnd,
    group: 'organization',
    icon: Hourglass,
    load: () => import('./expiry.tsx'),
  },
];
