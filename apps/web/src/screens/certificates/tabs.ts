import { screenTabs } from '../../ui/tabs.tsx';
import { texts } from './enrolment.texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The screens about certificates. */
export const CertificateTabs = screenTabs(words.certificates, [
  ['/projects/$projectId/certificates', words.certificates],
  ['/projects/$projectId/certificates/authorities', texts.authorities],
  ['/projects/$projectId/certificates/requests', texts.requests],
  ['/projects/$projectId/certificates/profiles', texts.profiles],
  ['/projects/$projectId/certificates/policies', texts.policies],
  ['/projects/$projectId/certificates/templates', texts.templates],
  ['/projects/$projectId/certificates/subscribers', texts.subscribers],
  ['/projects/$projectId/certificates/collections', texts.collections],
  ['/projects/$projectId/certificates/alerts', texts.alerts],
  ['/projects/$projectId/certificates/syncs', texts.syncs],
]);
