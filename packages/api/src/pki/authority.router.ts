import {
  Authority,
  AuthorityCertificate,
  AuthorityCertificateRef,
  authorityPermissions,
  AuthorityRef,
  AutoRenewal,
  createAuthority,
  CreateAuthority,
  deleteAuthority,
  getAuthority,
  getAuthorityCertificate,
  getAuthorityCertificateDer,
  getAuthorityRequest,
  getAutoRenewal,
  getSigningConfig,
  importAuthorityCertificate,
  ImportAuthorityCertificate,
  listAuthorities,
  ListAuthorities,
  listAuthorityCertificates,
  ListedAuthorityCertificate,
  prepareAuthorityKey,
  renewAuthority,
  RenewAuthority,
  setSigningConfig,
  SetSigningConfig,
  SignedIntermediate,
  SigningConfig,
  signIntermediate,
  SignIntermediate,
  updateAuthority,
  UpdateAuthority,
  updateAutoRenewal,
  UpdateAutoRenewal,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, Raw, RawAnswer, rest, router } from '../kernel/index.ts';

const path = '/api/v1/cert-manager/ca/internal' as const;
const one = `${path}/{caId}` as const;
const older = '/api/v1/pki/ca/{caId}' as const;
const { read, create, edit, delete: remove, renew, 'sign-intermediate': sign } = authorityPermissions;
const Request = z.object({ csr: z.string().describe('PEM') });
const CERTIFICATE_TYPE = 'application/pkix-cert';

export const authorityRouter = router({
  list: procedure
    .meta(rest('GET', path, read, 'List the certificate authorities of a project'))
    .input(ListAuthorities)
    .output(z.array(Authority))
    .query(({ ctx, input }) => listAuthorities(ctx, input)),
  create: procedure
    .meta(rest('POST', path, create, 'Create a root or intermediate certificate authority'))
    .input(CreateAuthority)
    .output(Authority)
    .mutation(({ ctx, input }) => createAuthority(ctx, input)),
  get: procedure
    .meta(rest('GET', one, read, 'Read a certificate authority'))
    .input(AuthorityRef)
    .output(Authority)
    .query(({ ctx, input }) => getAuthority(ctx, input)),
  update: procedure
    .meta(rest('PATCH', one, edit, 'Update a certificate authority: rename it, disable it, or change how it issues'))
    .input(UpdateAuthority)
    .output(Authority)
    .mutation(({ ctx, input }) => updateAuthority(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', one, remove, 'Delete a certificate authority with its keys; its certificates are revoked'))
    .input(AuthorityRef)
    .output(Authority)
    .mutation(({ ctx, input }) => deleteAuthority(ctx, input)),
  request: procedure
    .meta(rest('GET', `${one}/csr`, read, 'Read the CSR of an intermediate authority', { aliases: [`${older}/csr`] }))
    .input(AuthorityRef)
    .output(Request)
    .query(async ({ ctx, input }) => ({ csr: await getAuthorityRequest(ctx, input) })),
  prepareKey: procedure
    .meta(
      rest(
        'POST',
        `${one}/csr`,
        renew,
        'Generate a new key for an intermediate authority that is signed externally, and return its CSR',
      ),
    )
    .input(AuthorityRef)
    .output(Request)
    .mutation(async ({ ctx, input }) => ({ csr: await prepareAuthorityKey(ctx, input) })),
  renew: procedure
    .meta(
      rest('POST', `${one}/renew`, renew, 'Renew the certificate of a certificate authority', {
        aliases: [`${older}/renew`],
      }),
    )
    .input(RenewAuthority)
    .output(AuthorityCertificate)
    .mutation(({ ctx, input }) => renewAuthority(ctx, input)),
  certificates: procedure
    .meta(
      rest(
        'GET',
        `${one}/ca-certificates`,
        read,
        'List the certificates of a certificate authority, current and former',
        {
          aliases: [`${older}/ca-certificates`],
        },
      ),
    )
    .input(AuthorityRef)
    .output(z.array(ListedAuthorityCertificate))
    .query(({ ctx, input }) => listAuthorityCertificates(ctx, input)),
  certificate: procedure
    .meta(
      rest('GET', `${one}/certificate`, read, 'Read the certificate and the chain of a certificate authority', {
        aliases: [`${older}/certificate`],
      }),
    )
    .input(AuthorityRef)
    .output(AuthorityCertificate)
    .query(({ ctx, input }) => getAuthorityCertificate(ctx, input)),
  der: procedure
    .meta(
      rest(
        'GET',
        `${older}/certificates/{caCertId}/der`,
        'public',
        'Download a certificate of a certificate authority',
        {
          description: 'In DER. Issued certificates name this URL as that of their issuer.',
          answers: [CERTIFICATE_TYPE],
        },
      ),
    )
    .input(AuthorityCertificateRef)
    .output(Raw)
    .query(async ({ ctx, input }) => {
      const { der, etag } = await getAuthorityCertificateDer(ctx, input);
      return new RawAnswer(CERTIFICATE_TYPE, der, { etag, 'cache-control': 'public, max-age=3600' });
    }),
  signIntermediate: procedure
    .meta(
      rest('POST', `${one}/sign-intermediate`, sign, 'Sign the certificate of an intermediate authority', {
        aliases: [`${older}/sign-intermediate`],
      }),
    )
    .input(SignIntermediate)
    .output(SignedIntermediate)
    .mutation(({ ctx, input }) => signIntermediate(ctx, input)),
  importCertificate: procedure
    .meta(
      rest(
        'POST',
        `${one}/import-certificate`,
        [create, renew],
        'Import the certificate of an intermediate authority that was signed externally',
        {
          aliases: [`${older}/import-certificate`],
        },
      ),
    )
    .input(ImportAuthorityCertificate)
    .output(z.object({ message: z.string(), caId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await importAuthorityCertificate(ctx, input);
      return { message: 'The certificate was imported', caId: input.caId };
    }),
  autoRenewal: procedure
    .meta(rest('GET', `${one}/auto-renewal`, read, 'Read the auto-renewal settings of a certificate authority'))
    .input(AuthorityRef)
    .output(AutoRenewal)
    .query(({ ctx, input }) => getAutoRenewal(ctx, input)),
  updateAutoRenewal: procedure
    .meta(rest('PATCH', `${one}/auto-renewal`, renew, 'Update the auto-renewal settings of a certificate authority'))
    .input(UpdateAutoRenewal)
    .output(AutoRenewal)
    .mutation(({ ctx, input }) => updateAutoRenewal(ctx, input)),
  signingConfig: procedure
    .meta(rest('GET', `${one}/signing-config`, read, 'Read which authority signs an intermediate authority'))
    .input(AuthorityRef)
    .output(SigningConfig)
    .query(({ ctx, input }) => getSigningConfig(ctx, input)),
  createSigningConfig: procedure
    .meta(
      rest(
        'POST',
        `${one}/signing-config`,
        edit,
        'Have an intermediate authority signed by another authority of the project',
      ),
    )
    .input(SetSigningConfig)
    .output(SigningConfig)
    .mutation(({ ctx, input }) => setSigningConfig(ctx, input)),
  updateSigningConfig: procedure
    .meta(
      rest(
        'PATCH',
        `${one}/signing-config`,
        edit,
        'Change which authority of the project signs an intermediate authority',
      ),
    )
    .input(SetSigningConfig)
    .output(SigningConfig)
    .mutation(({ ctx, input }) => setSigningConfig(ctx, input)),
});
