import { z } from 'zod';
import { sealed } from '../../../../family/index.ts';
import { badRequest, text } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { commaList, isEmptyList } from '../../fields.ts';
import { isAuthority, readCertificates } from './certificate.ts';
import { EXAMPLE_AUTHORITY } from './example-authority.ts';
import { verifyClient } from './verify-client.ts';
import { isPublicAuthority } from './public-authority.ts';

/** A certificate of the client's, which a proxy has seen in the TLS handshake. */
export const tlsCertAuth = defineAuthMethod({
  kind: 'tls-cert-auth',
  title: 'TLS Certificate Auth',
  answerKey: 'identityTlsCertAuth',
  config: z.object({
    caCertificate: sealed(
      z
        .string()
        .trim()
        .min(1)
        .max(10_240, { abort: true })
        .refine((pem) => readCertificates(pem).length > 0, 'Expected certificates in PEM form and nothing else')
        .describe('PEM of the authorities that sign client certificates')
        .meta({ examples: [EXAMPLE_AUTHORITY] }),
    ),
    allowedCommonNames: commaList().nullable().default(null).describe('Comma-separated. Empty: any'),
    allowedSubjectAltNames: z
      .array(text(2048).trim().min(1))
      .max(100)
      .default([])
      .describe('The certificate must contain one of them. Empty: any'),
    verifyClientCertificateChain: z
      .boolean()
      .default(false)
      .describe('Whether the client may send intermediate authorities between its certificate and caCertificate'),
  }),
  trustRoot: {
    kind: 'shared',
    with: 'everybody to whom this public authority issues certificates',
    bindingsOf: ({ caCertificate, allowedCommonNames, allowedSubjectAltNames }) =>
      readCertificates(caCertificate).some(isPublicAuthority)
        ? {
            allowedCommonNames: !isEmptyList(allowedCommonNames ?? ''),
            allowedSubjectAltNames: allowedSubjectAltNames.length > 0,
          }
        : undefined,
  },
  check({ caCertificate }) {
    if (!readCertificates(caCertificate).every(isAuthority))
      throw badRequest(
        'tls_cert_auth.authority',
        'caCertificate contains a certificate that is not an authority, or one with name constraints',
      );
  },
  requiresMaxTTL: true,
  notAttached: { update: 'not_found' },
  credentials: z.object({}),
  verify: verifyClient,
});
