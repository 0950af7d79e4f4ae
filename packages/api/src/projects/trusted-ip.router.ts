import {
  createTrustedIp,
  CreateTrustedIp,
  deleteTrustedIp,
  listTrustedIps,
  TrustedIp,
  TrustedIpById,
  trustedIpPermissions,
  updateTrustedIp,
  UpdateTrustedIp,
} from '@coffer/domain';
import { z } from 'zod';
import { fromWorkspace, procedure, rest, router, Workspace } from '../kernel/index.ts';

const base = '/api/v1/workspace/{workspaceId}/trusted-ips';
const { read, create, edit, delete: remove } = trustedIpPermissions;
const One = z.object({ trustedIp: TrustedIp });

export const trustedIpRouter = router({
  list: procedure
    .meta(rest('GET', base, read, 'List the trusted IP addresses of a project'))
    .input(Workspace)
    .output(z.object({ trustedIps: z.array(TrustedIp) }))
    .query(async ({ ctx, input }) => ({ trustedIps: await listTrustedIps(ctx, fromWorkspace(input)) })),
  create: procedure
    .meta(rest('POST', base, create, 'Add a trusted IP address or range to a project'))
    .input(CreateTrustedIp.omit({ projectId: true }).extend(Workspace.shape))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ trustedIp: await createTrustedIp(ctx, fromWorkspace(input)) })),
  update: procedure
    .meta(rest('PATCH', `${base}/{trustedIpId}`, edit, 'Update a trusted IP address; omitted fields stay unchanged'))
    .input(UpdateTrustedIp.omit({ projectId: true }).extend(Workspace.shape))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ trustedIp: await updateTrustedIp(ctx, fromWorkspace(input)) })),
  delete: procedure
    .meta(rest('DELETE', `${base}/{trustedIpId}`, remove, 'Delete a trusted IP address'))
    .input(TrustedIpById.omit({ projectId: true }).extend(Workspace.shape))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ trustedIp: await deleteTrustedIp(ctx, fromWorkspace(input)) })),
});
