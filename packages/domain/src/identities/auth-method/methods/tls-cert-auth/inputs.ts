import { z } from 'zod';
import { sealed } from '../../../../family/sealed-field.ts';
import { nodeCrypto, text } from '../../../../kernel/schema.ts';
import { commaList } from '../../fields.ts';
import { readCertificates } from './certificate.ts';
import { EXAMPLE_AUTHORITY } from './example-authority.ts';

/** How it is configured for an identity. */
export const Config = z.object({
  caCertificate: sealed(
    z
      .string()
      .trim()
      .min(1)
      .max(10_240, { abort: true })
      .refine(
        (pem) => !nodeCrypto || readCertificates(pem).length > 0,
        'Expected certificates in PEM form and nothing else',
      )
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
});

/** The facts of a login. */
export const Credentials = z.object({});
