import { ScrollText } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';
import { texts } from './screens.texts.ts';

/** What has happened, in a project and in the organization. */
export const auditScreens: readonly Screen[] = [
  {
    path: '/projects/$projectId/audit',
    label: texts.auditLog,
    group: 'project',
    icon: ScrollText,
    load: () => import('./audit.tsx'),
  },
  {
    path: '/organization/audit',
    label: texts.auditLog,
    group: 'organization',
    icon: ScrollText,
    load: () => import('./audit.tsx'),
  },
];
