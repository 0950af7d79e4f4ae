import { useQuery } from '@tanstack/react-query';
import { ask } from './ask.ts';
import { byRules, type May } from './by-rules.ts';
import { session } from './session.ts';
import { useStore } from './store.ts';

export type { May } from './by-rules.ts';

/** Outside of a project there are none. */
export function useProjectRights(projectId = ''): May {
  const { data, isError } = useQuery({
    ...ask('projectMembersV1', 'permissions', { projectId }),
    enabled: projectId !== '',
  });
  return byRules(data?.data.permissions, isError);
}

export function useOrganizationRights(): May {
  const organizationId = useOrganizationId();
  const { data, isError } = useQuery(ask('organizations', 'permissions', { organizationId }));
  return byRules(data?.permissions, isError);
}

/** The organization that the user is in. */
export function useOrganizationId(): string {
  const now = useStore(session);
  return now.state === 'signed-in' ? now.organizationId : '';
}

/** The user who is signed in. */
export function useUserId(): string {
  const now = useStore(session);
  return now.state === 'signed-in' ? now.user.id : '';
}
