import {
  approvalPermissions,
  ChangePolicy,
  CreateChangePolicy,
  createPolicy,
  deleteChangePolicy,
  EnvironmentSlug,
  FolderPath,
  getPolicy,
  Id,
  listPolicies,
  policiesOnBoard,
  PolicyOnBoard,
  UpdateChangePolicy,
  updatePolicy,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router, Workspace } from '../kernel/index.ts';

const One = z.object({ approval: ChangePolicy });
const ById = z.object({ sapId: Id.describe('The ID of the policy') });

/** Policies for approvals of changes of secrets. */
export const approvalPolicyRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v1/secret-approvals', approvalPermissions.read, 'List the change policies of a project'))
    .input(Workspace)
    .output(z.object({ approvals: z.array(ChangePolicy) }))
    .query(async ({ ctx, input: { workspaceId: projectId } }) => ({
      approvals: await listPolicies(ctx, 'change', { projectId }),
    })),
  board: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/secret-approvals/board',
        approvalPermissions.read,
        'List the change policies that cover a folder',
        {
          description:
            'All of `policies` apply together, the strictest first; `policy` is the first of them, and absent if there is none.',
        },
      ),
    )
    .input(z.object({ ...Workspace.shape, environment: EnvironmentSlug, secretPath: FolderPath }))
    .output(z.object({ policy: PolicyOnBoard.optional(), policies: z.array(PolicyOnBoard) }))
    .query(async ({ ctx, input: { workspaceId: projectId, ...place } }) => {
      const policies = await policiesOnBoard(ctx, 'change', { projectId, ...place });
      const [policy] = policies;
      return { ...(policy && { policy }), policies };
    }),
  get: procedure
    .meta(rest('GET', '/api/v1/secret-approvals/{sapId}', approvalPermissions.read, 'Read a change policy'))
    .input(ById)
    .output(One)
    .query(async ({ ctx, input: { sapId: policyId } }) => ({ approval: await getPolicy(ctx, 'change', { policyId }) })),
  create: procedure
    .meta(
      rest('POST', '/api/v1/secret-approvals', approvalPermissions.create, 'Create a change policy', {
        description:
          'Writes to the covered folders then need approvals, for users, machine identities and service tokens alike. All policies that cover a folder apply together. Exempting machines also needs `edit` on `secret-approval`.',
      }),
    )
    .input(CreateChangePolicy.omit({ projectId: true }).extend(Workspace.shape))
    .output(One)
    .mutation(async ({ ctx, input: { workspaceId: projectId, ...input } }) => ({
      approval: await createPolicy(ctx, 'change', { projectId, ...input }),
    })),
  update: procedure
    .meta(
      rest('PATCH', '/api/v1/secret-approvals/{sapId}', approvalPermissions.edit, 'Update a change policy', {
        description: 'Also applies to open requests: only the approvals of current approvers count.',
      }),
    )
    .input(UpdateChangePolicy.omit({ policyId: true }).extend(ById.shape))
    .output(One)
    .mutation(async ({ ctx, input: { sapId: policyId, ...input } }) => ({
      approval: await updatePolicy(ctx, 'change', { policyId, ...input }),
    })),
  delete: procedure
    .meta(
      rest('DELETE', '/api/v1/secret-approvals/{sapId}', approvalPermissions.delete, 'Delete a change policy', {
        description: 'Its open requests are closed.',
      }),
    )
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input: { sapId: policyId } }) => ({
      approval: await deleteChangePolicy(ctx, { policyId }),
    })),
});
