import {
  cancelCertificateRequest,
  certificatePermissions,
  certificateProfilePermissions,
  CertificateRequest,
  CertificateRequestRef,
  getCertificateRequest,
  IssueByProfile,
  OrderByProfile,
  orderByProfile,
  OrderedCertificate,
  PendingRequest,
  RequestedCertificate,
  SearchCertificateRequests,
  searchCertificateRequests,
  SignByProfile,
  SignedCertificate,
  Uuid,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit } = certificatePermissions;
const byProfile = [create, certificateProfilePermissions['issue-cert']] as const;
const ALL = '/api/v1/cert-manager/certificates';
const REQUEST = `${ALL}/certificate-requests/{requestId}` as const;

/** Issuing by certificate profiles, and certificate requests. */
export const certificateOrderRouter = router({
  order: procedure
    .meta(rest('POST', ALL, byProfile, 'Issue or sign a certificate by a profile'))
    .input(OrderByProfile)
    .output(
      z.object({
        certificate: OrderedCertificate.nullable().describe('null: an external authority has not issued it yet'),
        certificateRequestId: Uuid,
        status: z.enum(['issued', 'pending']),
        message: z.string().nullable(),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const ordered = await orderByProfile(ctx, input);
      if (ordered.status === 'pending') return { ...ordered, certificate: null };
      const { certificateRequestId, status, ...certificate } = ordered;
      return { certificate, certificateRequestId, status, message: null };
    }),
  issue: procedure
    .meta(rest('POST', `${ALL}/issue-certificate`, byProfile, 'Issue a certificate by a profile (legacy)'))
    .input(IssueByProfile)
    .output(z.union([RequestedCertificate, PendingRequest]))
    .mutation(({ ctx, input: { profileId, removeRootsFromChain, ...attributes } }) =>
      orderByProfile(ctx, { profileId, removeRootsFromChain, attributes }),
    ),
  sign: procedure
    .meta(
      rest('POST', `${ALL}/sign-certificate`, byProfile, 'Sign a certificate signing request by a profile (legacy)'),
    )
    .input(SignByProfile)
    .output(z.union([SignedCertificate.extend({ certificateRequestId: Uuid }), PendingRequest]))
    .mutation(async ({ ctx, input: { profileId, removeRootsFromChain, csr, ...attributes } }) => {
      const ordered = await orderByProfile(ctx, { profileId, removeRootsFromChain, csr, attributes });
      if (ordered.status === 'pending') return ordered;
      const { privateKey: _, status: __, ...signed } = ordered;
      return signed;
    }),
  requests: procedure
    .meta(rest('POST', `${ALL}/certificate-requests/search`, read, 'Search certificate requests'))
    .input(SearchCertificateRequests)
    .output(z.object({ certificateRequests: z.array(CertificateRequest), totalCount: z.int() }))
    .mutation(({ ctx, input }) => searchCertificateRequests(ctx, input)),
  request: procedure
    .meta(rest('GET', REQUEST, read, 'Read a certificate request'))
    .input(CertificateRequestRef)
    .output(CertificateRequest)
    .query(({ ctx, input }) => getCertificateRequest(ctx, input)),
  cancel: procedure
    .meta(rest('POST', `${REQUEST}/cancel`, edit, 'Cancel a certificate request'))
    .input(CertificateRequestRef)
    .output(z.object({ status: z.string(), cancelled: z.boolean(), errorMessage: z.string().nullable() }))
    .mutation(({ ctx, input }) => cancelCertificateRequest(ctx, input)),
});
