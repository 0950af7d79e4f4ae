import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { commaList, httpsUrl, Jwt } from '../../fields.ts';

const MAX_TOKEN = 20_000;
const MAX_NAME = 1024;

/** How it is configured for an identity. */
export const Config = z.object({
  kubernetesHost: httpsUrl().describe('The API server of the cluster, for example https://10.0.0.1:6443'),
  caCert: sealed(CaCertificate.default('').describe('PEM of the root certificate by which the API server is trusted')),
  tokenReviewerJwt: sealed(
    z
      .string()
      .trim()
      .max(MAX_TOKEN)
      .nullable()
      .default(null)
      .describe('The token with which Coffer calls the TokenReview API. Empty: the token of the login itself'),
    { sentTo: ['kubernetesHost', 'caCert'] },
  ),
  tokenReviewMode: z.enum(['api', 'gateway']).default('api').describe('Only `api` is supported'),
  gatewayId: text(MAX_NAME).nullable().default(null).describe('Only null is supported'),
  allowedNamespaces: commaList().describe('Comma-separated. Empty: any'),
  allowedNames: commaList().describe('Comma-separated service accounts. Empty: any'),
  allowedAudience: text(MAX_NAME).trim().describe('Required audience of the token. Empty: that of the API server'),
});

/** The facts of a login. */
export const Credentials = z.object({ jwt: Jwt });
