import { screenTabs } from '../../ui/tabs.tsx';

/** The screens about certificates. */
export const CertificateTabs = screenTabs('Certificates', [
  ['/projects/$projectId/certificates', 'Certificates'],
  ['/projects/$projectId/certificates/authorities', 'Authorities'],
  ['/projects/$projectId/certificates/requests', 'Requests'],
  ['/projects/$projectId/certificates/profiles', 'Profiles'],
  ['/projects/$projectId/certificates/policies', 'Policies'],
  ['/projects/$projectId/certificates/templates', 'Templates'],
  ['/projects/$projectId/certificates/subscribers', 'Subscribers'],
  ['/projects/$projectId/certificates/collections', 'Collections'],
  ['/projects/$projectId/certificates/alerts', 'Alerts'],
  ['/projects/$projectId/certificates/syncs', 'Syncs'],
]);
