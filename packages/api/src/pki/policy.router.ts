import {
  CertificatePolicy,
  certificatePolicyPermissions,
  CertificatePolicyRef,
  CreateCertificatePolicy,
  createCertificatePolicy,
  deleteCertificatePolicy,
  getCertificatePolicy,
  ListCertificatePolicies,
  listCertificatePolicies,
  UpdateCertificatePolicy,
  updateCertificatePolicy,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove } = certificatePolicyPermissions;
const ALL = '/api/v1/cert-manager/certificate-policies';
const ONE = `${ALL}/{certificatePolicyId}` as const;
const Answer = z.object({ certificatePolicy: CertificatePolicy });

export const certificatePolicyRouter = router({
  list: procedure
    .meta(rest('GET', ALL, read, 'List the certificate policies of a project'))
    .input(ListCertificatePolicies)
    .output(z.object({ certificatePolicies: z.array(CertificatePolicy), totalCount: z.int() }))
    .query(({ ctx, input }) => listCertificatePolicies(ctx, input)),
  create: procedure
    .meta(rest('POST', ALL, create, 'Create a certificate policy'))
    .input(CreateCertificatePolicy)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ certificatePolicy: await createCertificatePolicy(ctx, input) })),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read a certificate policy'))
    .input(CertificatePolicyRef)
    .output(Answer)
    .query(async ({ ctx, input }) => ({ certificatePolicy: await getCertificatePolicy(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update a certificate policy'))
    .input(UpdateCertificatePolicy)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ certificatePolicy: await updateCertificatePolicy(ctx, input) })),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete a certificate policy that no profile uses'))
    .input(CertificatePolicyRef)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ certificatePolicy: await deleteCertificatePolicy(ctx, input) })),
});
