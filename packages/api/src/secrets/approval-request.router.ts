import {
  changeStatus,
  ChangeStatus,
  countRequests,
  getRequest,
  GetRequest,
  ListedRequest,
  ListRequests,
  listRequests,
  MergeRequest,
  mergeRequest,
  Proposed,
  RequestDetails,
  Review,
  ReviewRequest,
  reviewRequest,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, restForServices, router, Workspace } from '../kernel/index.ts';

const people = { actors: ['user'] } as const;

/** Changes of secrets that wait for approvals, or did. */
export const approvalRequestRouter = router({
  list: procedure
    .meta(
      restForServices('GET', '/api/v1/secret-approval-requests', 'member', 'List change requests, newest first', {
        description:
          'Lists the requests that the caller made or may approve; with `read` on `secret-approval`, all requests of the project.',
      }),
    )
    .input(ListRequests.omit({ projectId: true }).extend(Workspace.shape))
    .output(z.object({ approvals: z.array(ListedRequest) }))
    .query(async ({ ctx, input: { workspaceId: projectId, ...input } }) => ({
      approvals: await listRequests(ctx, { projectId, ...input }),
    })),
  count: procedure
    .meta(restForServices('GET', '/api/v1/secret-approval-requests/count', 'member', 'Count change requests'))
    .input(Workspace)
    .output(z.object({ approvals: z.object({ open: z.int(), closed: z.int() }) }))
    .query(async ({ ctx, input: { workspaceId: projectId } }) => ({
      approvals: await countRequests(ctx, { projectId }),
    })),
  get: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v1/secret-approval-requests/{id}',
        'member',
        'Read a change request with its difference',
        {
          description:
            'Values are included for callers who may read them, unless `viewSecretValue` is `false`; other callers see only that a value changes.',
        },
      ),
    )
    .input(GetRequest)
    .output(z.object({ approval: RequestDetails }))
    .query(async ({ ctx, input }) => ({ approval: await getRequest(ctx, input) })),
  review: procedure
    .meta(
      rest('POST', '/api/v1/secret-approval-requests/{id}/review', 'member', 'Approve or reject a change request', {
        ...people,
        description:
          'For approvers. The latest review of each approver counts, and only for the present content of the request.',
      }),
    )
    .input(ReviewRequest)
    .output(z.object({ review: Review }))
    .mutation(async ({ ctx, input }) => ({ review: await reviewRequest(ctx, input) })),
  merge: procedure
    .meta(
      restForServices('POST', '/api/v1/secret-approval-requests/{id}/merge', 'member', 'Merge a change request', {
        description:
          'Applies exactly what was approved, with the rights of the committer. If the folder has changed since, the response is a 400 that lists the conflicts. Without all approvals a `bypassReason` is needed, and every covering policy must have soft enforcement.',
      }),
    )
    .input(MergeRequest)
    .output(Proposed)
    .mutation(async ({ ctx, input }) => ({ approval: await mergeRequest(ctx, input) })),
  status: procedure
    .meta(
      restForServices(
        'POST',
        '/api/v1/secret-approval-requests/{id}/status',
        'member',
        'Close or reopen a change request',
        {
          description: 'A reopened request is compared with the present secrets and needs new approvals.',
        },
      ),
    )
    .input(ChangeStatus)
    .output(Proposed)
    .mutation(async ({ ctx, input }) => ({ approval: await changeStatus(ctx, input) })),
});
