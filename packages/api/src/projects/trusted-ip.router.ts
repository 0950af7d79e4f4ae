import {
  createTrustedIp,
  CreateTrustedIp,
  deleteTrustedIp,
  Id,
  listTrustedIps,
  TrustedIp,
  TrustedIpById,
  trustedIpPermissions,
  updateTrustedIp,
  UpdateTrustedIp,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const base = '/api/v1/workspace/{workspaceId}/trusted-ips';
const { read, create, edit, delete: remove } = trustedIpPermissions;
const ofProject = { workspaceId: Id.describe('The ID of the project') };
const One = z.object({ trustedIp: TrustedIp });

export const trustedIpRouter = router({
  list: procedure
    .meta(rest('GET', base, read, 'List the trusted IP addresses of a project'))
    .input(z.object(ofProject))
    .output(z.object({ trustedIps: z.array(TrustedIp) }))
    .query(async ({ ctx, input }) => ({ trustedIps: await listTrustedIps(ctx, { projectId: input.workspaceId }) })),
  create: procedure
    .meta(rest('POST', base, create, 'Add a trusted IP address or range to a project'))
    .input(CreateTrustedIp.omit({ projectId: true }).extend(ofProject))
    .output(One)
    .mutation(async ({ ctx, input: { workspaceId: projectId, ...input } }) => ({
      trustedIp: await createTrustedIp(ctx, { ...input, projectId }),
    })),
  update: procedure
    .meta(rest('PATCH', `${base}/{trustedIpId}`, edit, 'Update a trusted IP address; omitted fields stay unchanged'))
    .input(UpdateTrustedIp.omit({ projectId: true }).extend(ofProject))
    .output(One)
    .mutation(async ({ ctx, input: { workspaceId: projectId, ...input } }) => ({
      trustedIp: await updateTrustedIp(ctx, { ...input, projectId }),
    })),
  delete: procedure
    .meta(rest('DELETE', `${base}/{trustedIpId}`, remove, 'Delete a trusted IP address'))
    .input(TrustedIpById.omit({ projectId: true }).extend(ofProject))
    .output(One)
    .mutation(async ({ ctx, input: { workspaceId: projectId, ...input } }) => ({
      trustedIp: await deleteTrustedIp(ctx, { ...input, projectId }),
    })),
});
