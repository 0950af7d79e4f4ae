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
    .meta(rest('PATCH', one, edit, 'Rename a certificate authority, disable it, or change how it issues'))
    .input(UpdateAuthority)
    .output(Authority)
    .mutation(({ ctx, input }) => updateAuthority(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', one, remove, 'Delete a certificate authority with its keys; what it has issued is revoked'))
    .input(AuthorityRef)
    .output(Authority)
    .mutation(({ ctx, input }) => deleteAuthority(ctx, input)),
  request: procedure
    .meta(rest('GET', `${one}/csr`, read, 'Get the CSR of an intermediate', { aliases: [`${older}/csr`] }))
    .input(AuthorityRef)
    .output(Request)
    .query(async ({ ctx, input }) => ({ csr: await getAuthorityRequest(ctx, input) })),
  prepareKey: procedure
    .meta(rest('POST', `${one}/csr`, renew, 'Make an intermediate that is signed elsewhere a new key, and get its CSR'))
    .input(AuthorityRef)
    .output(Request)
    .mutation(async ({ ctx, input }) => ({ csr: await prepareAuthorityKey(ctx, input) })),
  renew: procedure
    .meta(
      rest('POST', `${one}/renew`, renew, 'Give a certificate authority a new certificate', {
        aliases: [`${older}/renew`],
      }),
    )
    .input(RenewAuthority)
    .output(AuthorityCertificate)
    .mutation(({ ctx, input }) => renewAuthority(ctx, input)),
  certificates: procedure
    .meta(
      rest('GET', `${one}/ca-certificates`, read, 'List the certificates that a certificate authority has had', {
        aliases: [`${older}/ca-certificates`],
      }),
    )
    .input(AuthorityRef)
    .output(z.array(ListedAuthorityCertificate))
    .query(({ ctx, input }) => listAuthorityCertificates(ctx, input)),
  certificate: procedure
    .meta(
      rest('GET', `${one}/certificate`, read, 'Get the certificate of a certificate authority, and its chain', {
        aliases: [`${older}/certificate`],
      }),
    )
    .input(AuthorityRef)
    .output(AuthorityCertificate)
    .query(({ ctx, input }) => getAuthorityCertificate(ctx, input)),
  der: procedure
    .meta(
      rest('GET', `${older}/certificates/{caCertId}/der`, 'public', 'Fetch a certificate of a certificate authority', {
        description: 'DER. Where certificates say that their issuer is.',
        answers: [CERTIFICATE_TYPE],
      }),
    )
    .input(AuthorityCertificateRef)
    .output(Raw)
    .query(async ({ ctx, input }) => {
      const { der, etag } = await getAuthorityCertificateDer(ctx, input);
      return new RawAnswer(CERTIFICATE_TYPE, der, { etag, 'cache-control': 'public, max-age=3600' });
    }),
  signIntermediate: procedure
    .meta(
      rest('POST', `${one}/sign-intermediate`, sign, 'Sign the certificate of another certificate authority', {
        aliases: [`${older}/sign-intermediate`],
      }),
    )
    .input(SignIntermediate)
    .output(SignedIntermediate)
    .mutation(({ ctx, input }) => signIntermediate(ctx, input)),
  importCertificate: procedure
    .meta(
      rest('POST', `${one}/import-certificate`, create, 'Take the certificate of an intermediate, signed elsewhere', {
        aliases: [`${older}/import-certificate`],
      }),
    )
    .input(ImportAuthorityCertificate)
    .output(z.object({ message: z.string(), caId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await importAuthorityCertificate(ctx, input);
      return { message: 'The certificate was imported', caId: input.caId };
    }),
  autoRenewal: procedure
    .meta(rest('GET', `${one}/auto-renewal`, read, 'See whether a certificate authority is renewed by itself'))
    .input(AuthorityRef)
    .output(AutoRenewal)
    .query(({ ctx, input }) => getAutoRenewal(ctx, input)),
  updateAutoRenewal: procedure
    .meta(rest('PATCH', `${one}/auto-renewal`, renew, 'Set whether a certificate authority is renewed by itself'))
    .input(UpdateAutoRenewal)
    .output(AutoRenewal)
    .mutation(({ ctx, input }) => updateAutoRenewal(ctx, input)),
  signingConfig: procedure
    .meta(rest('GET', `${one}/signing-config`, read, 'See who signs an intermediate'))
    .input(AuthorityRef)
    .output(SigningConfig)
    .query(({ ctx, input }) => getSigningConfig(ctx, input)),
  createSigningConfig: procedure
    .meta(rest('POST', `${one}/signing-config`, edit, 'Have an intermediate signed by another one of the project'))
    .input(SetSigningConfig)
    .output(SigningConfig)
    .mutation(({ ctx, input }) => setSigningConfig(ctx, input)),
  updateSigningConfig: procedure
    .meta(rest('PATCH', `${one}/signing-config`, edit, 'Change which authority of the project signs an intermediate'))
    .input(SetSigningConfig)
    .output(SigningConfig)
    .mutation(({ ctx, input }) => setSigningConfig(ctx, input)),
});
