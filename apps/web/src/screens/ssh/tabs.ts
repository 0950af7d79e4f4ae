import { screenTabs } from '../../ui/tabs.tsx';
import { texts as screens } from './screens.texts.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The screens about logins on hosts. */
export const SshTabs = screenTabs(screens.ssh, [
  ['/projects/$projectId/ssh', texts.hosts],
  ['/projects/$projectId/ssh/host-groups', texts.hostGroups],
  ['/projects/$projectId/ssh/logins', texts.whoMayLogIn],
  ['/projects/$projectId/ssh/certificates', words.certificates],
  ['/projects/$projectId/ssh/templates', texts.templates],
  ['/projects/$projectId/ssh/authorities', texts.authorities],
]);
