import {
  ApprovalPolicy,
  approvalPermissions,
  createPolicy,
  CreateApprovalPolicy,
  deleteChangePolicy,
  EnvironmentSlug,
  FolderPath,
  getPolicy,
  Id,
  listPolicies,
  policyOnBoard,
  PolicyOnBoard,
  updatePolicy,
  UpdateApprovalPolicy,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const Workspace = { workspaceId: Id.describe("The project's id") };
const One = z.object({ approval: ApprovalPolicy });
const ById = z.object({ sapId: Id.describe('UUID of the policy') });

/** Who has to approve changes of secrets. */
export const approvalPolicyRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v1/secret-approvals', approvalPermissions.read, 'List the change policies of a project'))
    .input(z.object(Workspace))
    .output(z.object({ approvals: z.array(ApprovalPolicy) }))
    .query(async ({ ctx, input: { workspaceId: projectId } }) => ({
      approvals: await listPolicies(ctx, 'change', { projectId }),
    })),
  board: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/secret-approvals/board',
        approvalPermissions.read,
        'Show the change policy that covers a folder',
        { description: 'Where none does, there is no `policy` in the answer.' },
      ),
    )
    .input(z.object({ ...Workspace, environment: EnvironmentSlug, secretPath: FolderPath }))
    .output(z.object({ policy: PolicyOnBoard.optional() }))
    .query(async ({ ctx, input: { workspaceId: projectId, ...place } }) => {
      const policy = await policyOnBoard(ctx, 'change', { projectId, ...place });
      return policy ? { policy } : {};
    }),
  get: procedure
    .meta(rest('GET', '/api/v1/secret-approvals/{sapId}', approvalPermissions.read, 'Read a change policy'))
    .input(ById)
    .output(One)
    .query(async ({ ctx, input: { sapId: policyId } }) => ({ approval: await getPolicy(ctx, 'change', { policyId }) })),
  create: procedure
    .meta(
      rest('POST', '/api/v1/secret-approvals', approvalPermissions.create, 'Let changes of secrets be approved', {
        description:
          'From now on, what people write to the folders of the policy waits for approvals. Machine identities and service tokens write as before.',
      }),
    )
    .input(CreateApprovalPolicy.omit({ projectId: true }).extend(Workspace))
    .output(One)
    .mutation(async ({ ctx, input: { workspaceId: projectId, ...input } }) => ({
      approval: await createPolicy(ctx, 'change', { projectId, ...input }),
    })),
  update: procedure
    .meta(
      rest('PATCH', '/api/v1/secret-approvals/{sapId}', approvalPermissions.edit, 'Change a change policy', {
        description: 'It counts for open requests as well: only the approvals of those who are approvers then do.',
      }),
    )
    .input(UpdateApprovalPolicy.omit({ policyId: true }).extend(ById.shape))
    .output(One)
    .mutation(async ({ ctx, input: { sapId: policyId, ...input } }) => ({
      approval: await updatePolicy(ctx, 'change', { policyId, ...input }),
    })),
  delete: procedure
    .meta(
      rest('DELETE', '/api/v1/secret-approvals/{sapId}', approvalPermissions.delete, 'End a change policy', {
        description: 'Its open requests are closed.',
      }),
    )
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input: { sapId: policyId } }) => ({
      approval: await deleteChangePolicy(ctx, { policyId }),
    })),
});
