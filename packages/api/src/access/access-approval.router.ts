import {
  AccessRequest,
  AccessReview,
  ApprovalPolicy,
  approvalPermissions,
  countAccessRequests,
  CountAccessRequests,
  countPolicies,
  createPolicy,
  CreateAccessRequest,
  CreateApprovalPolicy,
  deleteAccessPolicy,
  EnvironmentSlug,
  getPolicy,
  Id,
  ListAccessRequests,
  listAccessRequests,
  ListedAccessRequest,
  listPolicies,
  projectIdBySlug,
  requestPrivilege,
  ReviewAccessRequest,
  reviewAccessRequest,
  updatePolicy,
  UpdateApprovalPolicy,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router, USERS } from '../kernel/index.ts';

const InProject = { projectSlug: z.string().trim().min(1).describe('The slug of the project') };
const One = z.object({ approval: ApprovalPolicy });
const ById = z.object({ policyId: Id });
const people = { actors: ['user'] } as const;

/** Policies for access requests of project members, and the requests. */
export const accessApprovalRouter = router({
  listPolicies: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/access-approvals/policies',
        approvalPermissions.read,
        'List the access policies of a project',
      ),
    )
    .input(z.object(InProject))
    .output(z.object({ approvals: z.array(ApprovalPolicy) }))
    .query(async ({ ctx, input }) => ({
      approvals: await listPolicies(ctx, 'access', { projectId: await projectIdBySlug(ctx, input.projectSlug) }),
    })),
  countPolicies: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/access-approvals/policies/count',
        approvalPermissions.read,
        'Count the access policies of an environment',
      ),
    )
    .input(z.object({ ...InProject, envSlug: EnvironmentSlug }))
    .output(z.object({ count: z.int() }))
    .query(async ({ ctx, input: { projectSlug, envSlug: environment } }) => ({
      count: await countPolicies(ctx, 'access', {
        projectId: await projectIdBySlug(ctx, projectSlug),
        environment,
      }),
    })),
  getPolicy: procedure
    .meta(
      rest('GET', '/api/v1/access-approvals/policies/{policyId}', approvalPermissions.read, 'Read an access policy'),
    )
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ approval: await getPolicy(ctx, 'access', input) })),
  createPolicy: procedure
    .meta(
      rest('POST', '/api/v1/access-approvals/policies', approvalPermissions.create, 'Create an access policy', {
        description:
          'Members can request rights in the folders of the policy. Approvers can grant only rights that they hold.',
      }),
    )
    .input(CreateApprovalPolicy.omit({ projectId: true }).extend(InProject))
    .output(One)
    .mutation(async ({ ctx, input: { projectSlug, ...input } }) => ({
      approval: await createPolicy(ctx, 'access', { projectId: await projectIdBySlug(ctx, projectSlug), ...input }),
    })),
  updatePolicy: procedure
    .meta(
      rest(
        'PATCH',
        '/api/v1/access-approvals/policies/{policyId}',
        approvalPermissions.edit,
        'Update an access policy',
      ),
    )
    .input(UpdateApprovalPolicy)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ approval: await updatePolicy(ctx, 'access', input) })),
  deletePolicy: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/access-approvals/policies/{policyId}',
        approvalPermissions.delete,
        'Delete an access policy',
        { description: 'Open requests under the policy are rejected. Rights that were granted under it stay.' },
      ),
    )
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ approval: await deleteAccessPolicy(ctx, input) })),
  list: procedure
    .meta(
      rest('GET', '/api/v1/access-approvals/requests', 'member', 'List access requests, newest first', {
        description:
          'Lists the requests that the caller made or may approve; with `read` on `secret-approval`, all requests of the project.',
      }),
    )
    .input(ListAccessRequests)
    .output(z.object({ requests: z.array(ListedAccessRequest) }))
    .query(async ({ ctx, input }) => ({ requests: await listAccessRequests(ctx, input) })),
  count: procedure
    .meta(rest('GET', '/api/v1/access-approvals/requests/count', 'member', 'Count access requests'))
    .input(CountAccessRequests)
    .output(z.object({ pendingCount: z.int(), finalizedCount: z.int() }))
    .query(({ ctx, input }) => countAccessRequests(ctx, input)),
  request: procedure
    .meta(
      rest('POST', '/api/v1/access-approvals/requests', 'member', 'Request access', {
        actors: USERS,
        description: 'The access starts with the approval. It ends after the requested time, or is permanent.',
      }),
    )
    .input(CreateAccessRequest)
    .output(z.object({ approval: AccessRequest }))
    .mutation(async ({ ctx, input }) => ({ approval: await requestPrivilege(ctx, input) })),
  review: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/access-approvals/requests/{requestId}/review',
        'member',
        'Approve or reject an access request',
        {
          ...people,
          description:
            'For approvers. An approver can grant only rights that they hold. One rejection closes the request.',
        },
      ),
    )
    .input(ReviewAccessRequest)
    .output(z.object({ review: AccessReview }))
    .mutation(async ({ ctx, input }) => ({ review: await reviewAccessRequest(ctx, input) })),
});
