import { FileBadge, Hourglass, Network } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';

const PATH = '/projects/$projectId/certificates';

/** Certificates, their authorities, and what governs them. */
export const certificateScreens: readonly Screen[] = [
  {
    path: PATH,
    label: 'Certificates',
    group: 'project',
    icon: FileBadge,
    load: () => import('./certificates.tsx'),
  },
  {
    path: `${PATH}/$id`,
    label: 'Certificate',
    group: 'project',
    icon: FileBadge,
    isDetail: true,
    load: () => import('./certificate.tsx'),
  },
  {
    path: `${PATH}/authorities`,
    label: 'Certificate authorities',
    group: 'project',
    icon: Network,
    isTab: true,
    load: () => import('./authorities.tsx'),
  },
  {
    path: `${PATH}/authorities/$id`,
    label: 'Certificate authority',
    group: 'project',
    icon: Network,
    isDetail: true,
    load: () => import('./authority.tsx'),
  },
  {
    path: `${PATH}/external-authorities/$type/$id`,
    label: 'External authority',
    group: 'project',
    icon: Network,
    isDetail: true,
    load: () => import('./external-authority.tsx'),
  },
  {
    path: `${PATH}/expiry`,
    label: 'What ends when',
    group: 'project',
    icon: Hourglass,
    isTab: true,
    load: () => import('./expiry.tsx'),
  },
];
