import {
  CreateDynamicSecret,
  createDynamicSecret,
  CreateKubernetesLease,
  CreateLease,
  createLease,
  DeleteDynamicSecret,
  deleteDynamicSecret,
  DynamicSecret,
  DynamicSecretOption,
  dynamicSecretOptions,
  dynamicSecretPermissions,
  DynamicSecretPlace,
  DynamicSecretRef,
  DynamicSecretWithInputs,
  EntraApplication,
  EntraUser,
  getDynamicSecret,
  getLease,
  IssuedLease,
  Lease,
  LeaseRef,
  LeaseWithSecret,
  listDynamicSecrets,
  listEntraUsers,
  listLeases,
  RenewLease,
  renewLease,
  RevokeLease,
  revokeLease,
  UpdateDynamicSecret,
  updateDynamicSecret,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const {
  'read-root-credential': read,
  'create-root-credential': create,
  'edit-root-credential': edit,
  'delete-root-credential': remove,
  lease,
} = dynamicSecretPermissions;

const PATH = '/api/v1/dynamic-secrets';
const LEASES = '/api/v1/dynamic-secrets/leases';
const One = z.object({ dynamicSecret: DynamicSecret });

export const dynamicSecretRouter = router({
  options: procedure
    .meta(rest('GET', `${PATH}/providers/options`, 'member', 'List the available providers'))
    .input(z.object({}))
    .output(z.object({ dynamicSecretOptions: z.array(DynamicSecretOption) }))
    .query(({ ctx }) => ({ dynamicSecretOptions: dynamicSecretOptions(ctx) })),
  entraUsers: procedure
    .meta(rest('POST', `${PATH}/entra-id/users`, 'member', 'List the users of a tenant of Azure Entra ID'))
    .input(EntraApplication)
    .output(z.array(EntraUser))
    .query(({ ctx, input }) => listEntraUsers(ctx, input)),
  list: procedure
    .meta(rest('GET', PATH, [lease, read], 'List the dynamic secrets of a folder'))
    .input(DynamicSecretPlace)
    .output(z.object({ dynamicSecrets: z.array(DynamicSecret) }))
    .query(async ({ ctx, input }) => ({ dynamicSecrets: await listDynamicSecrets(ctx, input) })),
  create: procedure
    .meta(rest('POST', PATH, create, 'Create a dynamic secret; its credentials are verified first'))
    .input(CreateDynamicSecret)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ dynamicSecret: await createDynamicSecret(ctx, input) })),
  get: procedure
    .meta(rest('GET', `${PATH}/{name}`, [read, lease], 'Read a dynamic secret, without its credentials'))
    .input(DynamicSecretRef)
    .output(z.object({ dynamicSecret: DynamicSecretWithInputs }))
    .query(async ({ ctx, input }) => ({ dynamicSecret: await getDynamicSecret(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', `${PATH}/{name}`, edit, 'Update a dynamic secret; omitted fields stay unchanged'))
    .input(UpdateDynamicSecret)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ dynamicSecret: await updateDynamicSecret(ctx, input) })),
  delete: procedure
    .meta(rest('DELETE', `${PATH}/{name}`, remove, 'Delete a dynamic secret after its leases are revoked'))
    .input(DeleteDynamicSecret)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ dynamicSecret: await deleteDynamicSecret(ctx, input) })),
  leases: procedure
    .meta(rest('GET', `${PATH}/{name}/leases`, [lease, read], 'List the leases of a dynamic secret'))
    .input(DynamicSecretRef)
    .output(z.object({ leases: z.array(Lease) }))
    .query(async ({ ctx, input }) => ({ leases: await listLeases(ctx, input) })),
});

export const leaseRouter = router({
  create: procedure
    .meta(rest('POST', LEASES, lease, 'Create a lease of a dynamic secret'))
    .input(CreateLease)
    .output(IssuedLease)
    .mutation(({ ctx, input }) => createLease(ctx, input)),
  createKubernetes: procedure
    .meta(rest('POST', `${LEASES}/kubernetes`, lease, 'Create a lease of a Kubernetes dynamic secret'))
    .input(CreateKubernetesLease)
    .output(IssuedLease)
    .mutation(({ ctx, input }) => createLease(ctx, input, { type: 'kubernetes' })),
  get: procedure
    .meta(rest('GET', `${LEASES}/{leaseId}`, [lease, read], 'Read a lease'))
    .input(LeaseRef)
    .output(z.object({ lease: LeaseWithSecret }))
    .query(async ({ ctx, input }) => ({ lease: await getLease(ctx, input) })),
  renew: procedure
    .meta(rest('POST', `${LEASES}/{leaseId}/renew`, [lease, edit], 'Renew a lease'))
    .input(RenewLease)
    .output(z.object({ lease: Lease }))
    .mutation(async ({ ctx, input }) => ({ lease: await renewLease(ctx, input) })),
  revoke: procedure
    .meta(rest('DELETE', `${LEASES}/{leaseId}`, [lease, edit], 'Revoke a lease'))
    .input(RevokeLease)
    .output(z.object({ lease: Lease }))
    .mutation(async ({ ctx, input }) => ({ lease: await revokeLease(ctx, input) })),
});
