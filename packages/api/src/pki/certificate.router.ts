import {
  Certificate,
  CertificateBody,
  CertificateBundle,
  certificatePermissions,
  certificateProfilePermissions,
  CertificateRef,
  ConfigureCertificate,
  configureCertificate,
  deleteCertificate,
  describeCertificate,
  DetailedCertificate,
  ExportPkcs12,
  exportPkcs12,
  getCertificateBody,
  getCertificateBundle,
  getCertificatePrivateKey,
  getLintReport,
  ImportCertificate,
  importCertificate,
  ImportedCertificate,
  Instant,
  LintFinding,
  ListCertificates,
  listCertificates,
  ListedCertificate,
  Metadata,
  OrderedRenewal,
  RenewCertificate,
  renewAnyCertificate,
  RenewedCertificate,
  RevokeCertificate,
  revokeAnyCertificate,
  SearchCertificates,
  certificateTemplatePermissions,
  UpdateCertificate,
  updateCertificate,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, Raw, RawAnswer, rest, router } from '../kernel/index.ts';
import { DISABLES } from './description.ts';

const {
  read,
  create,
  edit,
  delete: remove,
  import: bring,
  'read-private-key': readPrivateKey,
} = certificatePermissions;
const issues = [
  create,
  certificateTemplatePermissions['issue-cert'],
  certificateProfilePermissions['issue-cert'],
] as const;
const ONE = '/api/v1/cert-manager/certificates/{id}';
const Page = z.object({ certificates: z.array(ListedCertificate), totalCount: z.int() });
export const PEM_TYPE = 'text/plain; charset=utf-8';
export const PKCS12_TYPE = 'application/x-pkcs12';
/** Private keys are not cached anywhere. */
const UNKEPT = { 'cache-control': 'no-store' };

export const privateKeyAnswer = (pem: string): RawAnswer => new RawAnswer(PEM_TYPE, pem, UNKEPT);
export const pkcs12Answer = (bundle: Buffer): RawAnswer =>
  new RawAnswer(PKCS12_TYPE, bundle, {
    ...UNKEPT,
    'content-disposition': 'attachment; filename="certificate.p12"',
  });

export const Revoked = z.object({ message: z.string(), serialNumber: z.string(), revokedAt: Instant });
export const revokedAnswer = (revoked: Omit<z.output<typeof Revoked>, 'message'>) => ({
  message: 'The certificate is revoked',
  ...revoked,
});

export const certificateRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v1/cert-manager/certificates', read, 'List the certificates of a project'))
    .input(ListCertificates)
    .output(Page)
    .query(({ ctx, input }) => listCertificates(ctx, input)),
  search: procedure
    .meta(
      rest('POST', '/api/v1/projects/{projectId}/certificates/search', read, 'Search the certificates of a project'),
    )
    .input(SearchCertificates)
    .output(Page)
    .mutation(({ ctx, input }) => listCertificates(ctx, input)),
  import: procedure
    .meta(
      rest('POST', '/api/v1/cert-manager/certificates/import-certificate', bring, 'Import a certificate', {
        aliases: ['/api/v1/pki/certificates/import-certificate'],
      }),
    )
    .input(ImportCertificate)
    .output(ImportedCertificate)
    .mutation(({ ctx, input }) => importCertificate(ctx, input)),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read the metadata of a certificate'))
    .input(CertificateRef)
    .output(z.object({ certificate: DetailedCertificate }))
    .query(async ({ ctx, input }) => ({ certificate: await describeCertificate(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update the metadata and the friendly name of a certificate'))
    .input(UpdateCertificate)
    .output(z.object({ metadata: Metadata, friendlyName: z.string() }))
    .mutation(({ ctx, input }) => updateCertificate(ctx, input)),
  body: procedure
    .meta(rest('GET', `${ONE}/certificate`, read, 'Read a certificate and its chain in PEM'))
    .input(CertificateRef)
    .output(CertificateBody)
    .query(({ ctx, input }) => getCertificateBody(ctx, input)),
  bundle: procedure
    .meta(rest('GET', `${ONE}/bundle`, readPrivateKey, 'Read a certificate with its chain and private key in PEM'))
    .input(CertificateRef)
    .output(CertificateBundle)
    .query(({ ctx, input }) => getCertificateBundle(ctx, input)),
  privateKey: procedure
    .meta(
      rest('GET', `${ONE}/private-key`, readPrivateKey, 'Read the private key of a certificate in PEM', {
        answers: [PEM_TYPE],
      }),
    )
    .input(CertificateRef)
    .output(Raw)
    .query(async ({ ctx, input }) => privateKeyAnswer(await getCertificatePrivateKey(ctx, input))),
  pkcs12: procedure
    .meta(
      rest('POST', `${ONE}/pkcs12`, readPrivateKey, 'Export a certificate with its chain and private key as PKCS #12', {
        answers: [PKCS12_TYPE],
      }),
    )
    .input(ExportPkcs12)
    .output(Raw)
    .mutation(async ({ ctx, input }) => pkcs12Answer(await exportPkcs12(ctx, input))),
  lint: procedure
    .meta(rest('GET', `${ONE}/lint`, read, 'Read the findings of the linter for a certificate'))
    .input(CertificateRef)
    .output(z.object({ findings: z.array(LintFinding) }))
    .query(async ({ ctx, input }) => ({ findings: await getLintReport(ctx, input) })),
  renew: procedure
    .meta(rest('POST', `${ONE}/renew`, issues, 'Renew a certificate'))
    .input(RenewCertificate)
    .output(z.union([RenewedCertificate, OrderedRenewal]))
    .mutation(async ({ ctx, input }) => {
      const renewed = await renewAnyCertificate(ctx, input);
      if ('orderId' in renewed)
        return { certificateRequestId: renewed.orderId, status: renewed.status, message: 'The renewal is ordered' };
      const { privateKey = null, ...issued } = renewed;
      return { ...issued, privateKey };
    }),
  revoke: procedure
    .meta(rest('POST', `${ONE}/revoke`, remove, 'Revoke a certificate', { description: DISABLES }))
    .input(RevokeCertificate)
    .output(Revoked)
    .mutation(async ({ ctx, input }) => revokedAnswer(await revokeAnyCertificate(ctx, input))),
  configure: procedure
    .meta(rest('PATCH', `${ONE}/config`, edit, 'Update the auto-renewal settings of a certificate'))
    .input(ConfigureCertificate)
    .output(z.object({ message: z.string(), renewBeforeDays: z.int().nullable() }))
    .mutation(async ({ ctx, input }) => {
      const renewBeforeDays = await configureCertificate(ctx, input);
      return { message: 'The renewal is configured', renewBeforeDays };
    }),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete a certificate', { description: DISABLES }))
    .input(CertificateRef)
    .output(z.object({ certificate: Certificate }))
    .mutation(async ({ ctx, input }) => ({ certificate: await deleteCertificate(ctx, input) })),
});
