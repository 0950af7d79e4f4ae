import {
  CertificateBundle,
  certificatePermissions,
  CertificateProfile,
  certificateProfilePermissions,
  CertificateProfileRef,
  CreateCertificateProfile,
  createCertificateProfile,
  deleteCertificateProfile,
  getCertificateProfile,
  getCertificateProfileBySlug,
  Id,
  latestBundleOfProfile,
  ListCertificateProfiles,
  listCertificateProfiles,
  listCertificatesOfProfile,
  ListedCertificate,
  SearchCertificates,
  text,
  UpdateCertificateProfile,
  updateCertificateProfile,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';
import { LETS_ENROLL } from './description.ts';

const { read, create, edit, delete: remove } = certificateProfilePermissions;
const ALL = '/api/v1/cert-manager/certificate-profiles';
const ONE = `${ALL}/{profileId}` as const;
const Answer = z.object({ certificateProfile: CertificateProfile });

export const certificateProfileRouter = router({
  list: procedure
    .meta(rest('GET', ALL, read, 'List the certificate profiles of a project'))
    .input(ListCertificateProfiles)
    .output(z.object({ certificateProfiles: z.array(CertificateProfile), totalCount: z.int() }))
    .query(({ ctx, input }) => listCertificateProfiles(ctx, input)),
  create: procedure
    .meta(rest('POST', ALL, create, 'Create a certificate profile', { description: LETS_ENROLL }))
    .input(CreateCertificateProfile)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ certificateProfile: await createCertificateProfile(ctx, input) })),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read a certificate profile'))
    .input(CertificateProfileRef)
    .output(Answer)
    .query(async ({ ctx, input }) => ({ certificateProfile: await getCertificateProfile(ctx, input) })),
  getBySlug: procedure
    .meta(rest('GET', `${ALL}/slug/{slug}`, read, 'Read a certificate profile by its slug'))
    .input(z.object({ projectId: Id, slug: text(255) }))
    .output(Answer)
    .query(async ({ ctx, input }) => ({ certificateProfile: await getCertificateProfileBySlug(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update a certificate profile', { description: LETS_ENROLL }))
    .input(UpdateCertificateProfile)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ certificateProfile: await updateCertificateProfile(ctx, input) })),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete a certificate profile'))
    .input(CertificateProfileRef)
    .output(Answer)
    .mutation(async ({ ctx, input }) => ({ certificateProfile: await deleteCertificateProfile(ctx, input) })),
  certificates: procedure
    .meta(rest('GET', `${ONE}/certificates`, read, 'List the certificates of a certificate profile'))
    .input(
      CertificateProfileRef.extend(
        SearchCertificates.pick({ offset: true, search: true, status: true }).extend({
          limit: ListCertificateProfiles.shape.limit,
        }).shape,
      ),
    )
    .output(z.object({ certificates: z.array(ListedCertificate) }))
    .query(({ ctx, input }) => listCertificatesOfProfile(ctx, input)),
  latestBundle: procedure
    .meta(
      rest(
        'GET',
        `${ONE}/certificates/latest-active-bundle`,
        [read, certificatePermissions['read-private-key']],
        'Read the newest certificate of a profile with its private key in PEM',
      ),
    )
    .input(CertificateProfileRef)
    .output(CertificateBundle)
    .query(({ ctx, input }) => latestBundleOfProfile(ctx, input)),
});
