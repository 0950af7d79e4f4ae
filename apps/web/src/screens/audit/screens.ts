import { ScrollText } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';

/** What has happened, in a project and in the organization. */
export const auditScreens: readonly Screen[] = [
  {
    path: '/projects/$projectId/audit',
    label: 'Audit log',
    group: 'project',
    icon: ScrollText,
    load: () => import('./audit.tsx'),
  },
  {
    path: '/organization/audit',
    label: 'Organization log',
    group: 'organization',
    icon: ScrollText,
    load: () => import('./audit.tsx'),
  },
];
