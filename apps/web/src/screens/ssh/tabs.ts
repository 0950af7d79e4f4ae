import { screenTabs } from '../../ui/tabs.tsx';

/** The screens about logins on hosts. */
export const SshTabs = screenTabs('SSH', [
  ['/projects/$projectId/ssh', 'Hosts'],
  ['/projects/$projectId/ssh/host-groups', 'Host groups'],
  ['/projects/$projectId/ssh/logins', 'Who may log in'],
  ['/projects/$projectId/ssh/certificates', 'Certificates'],
  ['/projects/$projectId/ssh/templates', 'Templates'],
  ['/projects/$projectId/ssh/authorities', 'Authorities'],
]);
