import {
  changeStatus,
  ChangeStatus,
  countRequests,
  getRequest,
  Id,
  ListedRequest,
  ListRequests,
  listRequests,
  MergeRequest,
  mergeRequest,
  Proposed,
  RequestDetails,
  RequestRef,
  Review,
  ReviewRequest,
  reviewRequest,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, restForServices, router } from '../kernel/index.ts';

const Workspace = { workspaceId: Id.describe("The project's id") };
const people = { actors: ['user'] } as const;

/** Changes of secrets that wait for approvals, or did. */
export const approvalRequestRouter = router({
  list: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v1/secret-approval-requests',
        'member',
        'List the requests for changes, newest first',
        {
          description:
            'Those that the caller made or may approve; with `read` on `secret-approval`, all of the project.',
        },
      ),
    )
    .input(ListRequests.omit({ projectId: true }).extend(Workspace))
    .output(z.object({ approvals: z.array(ListedRequest) }))
    .query(async ({ ctx, input: { workspaceId: projectId, ...input } }) => ({
      approvals: await listRequests(ctx, { projectId, ...input }),
    })),
  count: procedure
    .meta(restForServices('GET', '/api/v1/secret-approval-requests/count', 'member', 'Count the requests for changes'))
    .input(z.object(Workspace))
    .output(z.object({ approvals: z.object({ open: z.int(), closed: z.int() }) }))
    .query(async ({ ctx, input: { workspaceId: projectId } }) => ({
      approvals: await countRequests(ctx, { projectId }),
    })),
  get: procedure
    .meta(
      restForServices('GET', '/api/v1/secret-approval-requests/{id}', 'member', 'Read a request with its difference', {
        description: 'Values are shown to those who may read them; the others see that they change.',
      }),
    )
    .input(RequestRef)
    .output(z.object({ approval: RequestDetails }))
    .query(async ({ ctx, input }) => ({ approval: await getRequest(ctx, input) })),
  review: procedure
    .meta(
      rest('POST', '/api/v1/secret-approval-requests/{id}/review', 'member', 'Approve or reject a change', {
        ...people,
        description: 'For approvers. The newest review of each counts, for what the request says now.',
      }),
    )
    .input(ReviewRequest)
    .output(z.object({ review: Review }))
    .mutation(async ({ ctx, input }) => ({ review: await reviewRequest(ctx, input) })),
  merge: procedure
    .meta(
      restForServices('POST', '/api/v1/secret-approval-requests/{id}/merge', 'member', 'Carry out a change', {
        description:
          'Exactly what was approved, as the one who asked for it, or nothing: what has changed since is a 400 that shows the conflicts. Without its approvals it needs a `bypassReason`, and all policies that cover it have to be soft.',
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
        'Close a request, or open it anew',
        {
          description: 'What is opened again is asked for against what is there now, and its approvals are given anew.',
        },
      ),
    )
    .input(ChangeStatus)
    .output(Proposed)
    .mutation(async ({ ctx, input }) => ({ approval: await changeStatus(ctx, input) })),
});
