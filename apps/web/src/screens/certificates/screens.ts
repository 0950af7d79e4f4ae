import {
  BellRing,
  FileBadge,
  Hourglass,
  LayoutTemplate,
  Library,
  Network,
  RefreshCw,
  Scale,
  ScrollText,
  Server,
} from 'lucide-react';
import type { Screen } from '../../app/screen.ts';
import { kindScreens } from '../../ui/kind-screens.ts';

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
  ...kindScreens({
    path: `${PATH}/profiles`,
    label: 'Certificate profiles',
    icon: ScrollText,
    load: () => import('./profiles.tsx'),
  }),
  ...kindScreens({
    path: `${PATH}/policies`,
    label: 'Certificate policies',
    icon: Scale,
    load: () => import('./policies.tsx'),
  }),
  ...kindScreens({
    path: `${PATH}/templates`,
    label: 'Certificate templates',
    icon: LayoutTemplate,
    load: () => import('./templates.tsx'),
  }),
  ...kindScreens({
    path: `${PATH}/subscribers`,
    label: 'Certificate subscribers',
    icon: Server,
    load: () => import('./subscribers.tsx'),
  }),
  ...kindScreens({
    path: `${PATH}/collections`,
    label: 'Certificate collections',
    icon: Library,
    load: () => import('./collections.tsx'),
  }),
  ...kindScreens({
    path: `${PATH}/alerts`,
    label: 'Certificate alerts',
    icon: BellRing,
    load: () => import('./alerts.tsx'),
  }),
  {
    path: `${PATH}/syncs`,
    label: 'Certificate syncs',
    group: 'project',
    icon: RefreshCw,
    isTab: true,
    load: () => import('./pki-syncs.tsx'),
  },
  {
    path: `${PATH}/syncs/$destination/$pkiSyncId`,
    label: 'Certificate sync',
    group: 'project',
    icon: RefreshCw,
    isDetail: true,
    load: () => import('./pki-sync.tsx'),
  },
];
