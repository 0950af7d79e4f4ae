import {
  Certificate,
  CertificateBody,
  CertificateBundle,
  certificatePermissions,
  deleteCertificate,
  ExportPkcs12,
  exportPkcs12,
  getCertificate,
  getCertificateBody,
  getCertificateBundle,
  getCertificatePrivateKey,
  Id,
  IssueCertificate,
  issueByAuthority,
  IssuedCertificate,
  ListCertificatesBySlug,
  listCertificatesBySlug,
  RevokeCertificate,
  revokeAnyCertificate,
  SignCertificate,
  signByAuthority,
  SignedCertificate,
  certificateTemplatePermissions,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, Raw, rest, router } from '../kernel/index.ts';
import { DISABLES } from './description.ts';
import { PEM_TYPE, PKCS12_TYPE, pkcs12Answer, privateKeyAnswer, Revoked, revokedAnswer } from './certificate.router.ts';

const { read, create, delete: remove, 'read-private-key': readPrivateKey } = certificatePermissions;
const issues = [create, certificateTemplatePermissions['issue-cert']];
const ONE = '/api/v1/pki/certificates/{serialNumber}';

/** Serial numbers name certificates; an id or a fingerprint in that place will do. */
const ByNumber = z.object({ serialNumber: Id });
const named = ({ serialNumber }: z.output<typeof ByNumber>) => ({ id: serialNumber });
const ofAuthority = { caId: Id };

export const certificateLegacyRouter = router({
  issue: procedure
    .meta(rest('POST', '/api/v1/pki/certificates/issue-certificate', issues, 'Issue a certificate with a new key'))
    .input(IssueCertificate)
    .output(IssuedCertificate)
    .mutation(({ ctx, input }) => issueByAuthority(ctx, input)),
  issueByAuthority: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/pki/ca/{caId}/issue-certificate',
        issues,
        'Issue a certificate of an authority with a new key',
      ),
    )
    .input(IssueCertificate.extend(ofAuthority))
    .output(IssuedCertificate)
    .mutation(({ ctx, input }) => issueByAuthority(ctx, input)),
  sign: procedure
    .meta(rest('POST', '/api/v1/pki/certificates/sign-certificate', issues, 'Sign a certificate signing request (CSR)'))
    .input(SignCertificate)
    .output(SignedCertificate)
    .mutation(({ ctx, input }) => signByAuthority(ctx, input)),
  signByAuthority: procedure
    .meta(
      rest(
        'POST',
        '/api/v1/pki/ca/{caId}/sign-certificate',
        issues,
        'Sign a certificate signing request (CSR) by an authority',
      ),
    )
    .input(SignCertificate.extend(ofAuthority))
    .output(SignedCertificate)
    .mutation(({ ctx, input }) => signByAuthority(ctx, input)),
  list: procedure
    .meta(rest('GET', '/api/v2/workspace/{slug}/certificates', read, 'List the certificates of a project by its slug'))
    .input(ListCertificatesBySlug)
    .output(z.object({ certificates: z.array(Certificate), totalCount: z.int() }))
    .query(({ ctx, input }) => listCertificatesBySlug(ctx, input)),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read a certificate'))
    .input(ByNumber)
    .output(z.object({ certificate: Certificate }))
    .query(async ({ ctx, input }) => ({ certificate: await getCertificate(ctx, named(input)) })),
  body: procedure
    .meta(rest('GET', `${ONE}/certificate`, read, 'Read a certificate and its chain in PEM'))
    .input(ByNumber)
    .output(CertificateBody)
    .query(({ ctx, input }) => getCertificateBody(ctx, named(input))),
  bundle: procedure
    .meta(rest('GET', `${ONE}/bundle`, readPrivateKey, 'Read a certificate with its chain and private key in PEM'))
    .input(ByNumber)
    .output(CertificateBundle)
    .query(({ ctx, input }) => getCertificateBundle(ctx, named(input))),
  privateKey: procedure
    .meta(
      rest('GET', `${ONE}/private-key`, readPrivateKey, 'Read the private key of a certificate in PEM', {
        answers: [PEM_TYPE],
      }),
    )
    .input(ByNumber)
    .output(Raw)
    .query(async ({ ctx, input }) => privateKeyAnswer(await getCertificatePrivateKey(ctx, named(input)))),
  pkcs12: procedure
    .meta(
      rest('POST', `${ONE}/pkcs12`, readPrivateKey, 'Export a certificate with its chain and private key as PKCS #12', {
        answers: [PKCS12_TYPE],
      }),
    )
    .input(ExportPkcs12.omit({ id: true }).extend(ByNumber.shape))
    .output(Raw)
    .mutation(async ({ ctx, input }) => pkcs12Answer(await exportPkcs12(ctx, { ...input, ...named(input) }))),
  revoke: procedure
    .meta(rest('POST', `${ONE}/revoke`, remove, 'Revoke a certificate', { description: DISABLES }))
    .input(RevokeCertificate.omit({ id: true }).extend(ByNumber.shape))
    .output(Revoked)
    .mutation(async ({ ctx, input }) => revokedAnswer(await revokeAnyCertificate(ctx, { ...input, ...named(input) }))),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete a certificate', { description: DISABLES }))
    .input(ByNumber)
    .output(z.object({ certificate: Certificate }))
    .mutation(async ({ ctx, input }) => ({ certificate: await deleteCertificate(ctx, named(input)) })),
});
