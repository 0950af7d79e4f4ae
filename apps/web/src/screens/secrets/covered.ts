import { useQueries } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import type { Draft } from './drafts.ts';

/** Whether a change policy covers one of the drafts, so that all of them become a request. Not known to those who may not read policies. */
export function useIsCovered(projectId: string, drafts: readonly Draft[]): boolean {
  const may = useProjectRights(projectId);
  const places = new Map(drafts.map((draft) => [`${draft.environment}\n${draft.secretPath}`, draft]));
  return useQueries({
    queries: [...places.values()].map(({ environment, secretPath }) => ({
      ...ask('secretApprovals', 'board', { workspaceId: projectId, environment, secretPath }),
      enabled: may('secret-approval', 'read'),
    })),
    combine: (boards) => boards.some(({ data }) => data !== undefined && data.policies.length > 0),
  });
}
