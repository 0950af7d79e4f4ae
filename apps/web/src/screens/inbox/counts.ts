import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';

/** How many requests wait in a project; `undefined` until it is known. */
export function useInboxCounts(projectId: string): { readonly changes?: number; readonly access?: number } {
  const { data: projects } = useQuery(ask('projects', 'list', {}));
  const projectSlug = projects?.projects.find(({ id }) => id === projectId)?.slug ?? '';
  const { data: changes } = useQuery({
    ...ask('secretApprovalRequests', 'count', { workspaceId: projectId }),
    enabled: projectId !== '',
  });
  const { data: access } = useQuery({
    ...ask('accessApprovals', 'count', { projectSlug }),
    enabled: projectSlug !== '',
  });
  return {
    ...(changes && { changes: changes.approvals.open }),
    ...(access && { access: access.pendingCount }),
  };
}
