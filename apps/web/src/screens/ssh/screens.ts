import { Award, LayoutTemplate, Network, Server, ServerCog, SquareTerminal, UserCheck } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';
import { kindScreens } from '../../ui/kind-screens.ts';
import { texts } from './screens.texts.ts';

/** Hosts, who may log in there, and what signs for that. */
export const sshScreens: readonly Screen[] = [
  {
    path: '/projects/$projectId/ssh',
    label: texts.ssh,
    group: 'project',
    icon: SquareTerminal,
    load: () => import('./hosts.tsx'),
  },
  {
    path: '/projects/$projectId/ssh/hosts/$id',
    label: texts.sshHost,
    group: 'project',
    icon: Server,
    isDetail: true,
    load: () => import('./host.tsx'),
  },
  ...kindScreens({
    path: '/projects/$projectId/ssh/host-groups',
    label: texts.sshHostGroups,
    group: 'project',
    icon: ServerCog,
    load: () => import('./host-groups.tsx'),
  }),
  {
    path: '/projects/$projectId/ssh/logins',
    label: texts.whoMayLogInBySsh,
    group: 'project',
    icon: UserCheck,
    isTab: true,
    load: () => import('./logins.tsx'),
  },
  {
    path: '/projects/$projectId/ssh/certificates',
    label: texts.sshCertificates,
    group: 'project',
    icon: Award,
    isTab: true,
    load: () => import('./certificates.tsx'),
  },
  {
    path: '/projects/$projectId/ssh/certificates/$serialNumber',
    label: texts.sshCertificate,
    group: 'project',
    icon: Award,
    isDetail: true,
    load: () => import('./certificate.tsx'),
  },
  ...kindScreens({
    path: '/projects/$projectId/ssh/templates',
    label: texts.sshCertificateTemplates,
    group: 'project',
    icon: LayoutTemplate,
    load: () => import('./templates.tsx'),
  }),
  ...kindScreens({
    path: '/projects/$projectId/ssh/authorities',
    label: texts.sshAuthorities,
    group: 'project',
    icon: Network,
    load: () => import('./authorities.tsx'),
  }),
];
