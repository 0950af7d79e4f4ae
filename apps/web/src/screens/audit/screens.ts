import { ScrollText } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';

const shared = { label: 'Audit log', icon: ScrollText, load: () => import('./audit.tsx') } as const;

/** What has happened, in a project and in the organization. */
export const auditScreens: readonly Screen[] = [
  { ...shared, path: '/projects/$projectId/audit', group: 'project' },
  { ...shared, path: '/organization/audit', label: 'Organization log', group: 'organization' },
];
