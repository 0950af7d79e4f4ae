import type { PublishedRule } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { ask } from './ask.ts';
import { session } from './session.ts';
import { useStore } from './store.ts';

/** `may('member', 'edit')`: whether to offer it. The server decides: a rule may depend on more than a screen knows. */
export type May = (subject: string, action: string) => boolean;

const byRules =
  (rules: readonly PublishedRule[] | undefined, isRefused: boolean): May =>
  (subject, action) => {
    // Those who administer a project without being a member of it have no rules there.
    if (!rules) return isRefused;
    const about = rules.filter((rule) => rule.subject === subject && [rule.action].flat().includes(action));
    const last = about.findLastIndex(({ inverted, conditions }) => inverted && !conditions);
    return about.slice(last + 1).some(({ inverted }) => !inverted);
  };

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
