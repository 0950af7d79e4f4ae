import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { httpsUrl, Jwt } from '../../fields.ts';
import { Bound, Issuer } from '../../proof/bound.ts';
import { MAX_KEYS, PublicKey } from '../../proof/public-keys.ts';

/** How it is configured for an identity. */
export const Config = z.object({
  configurationType: z.enum(['jwks', 'static']).describe('Whether keys come from jwksUrl or from publicKeys'),
  jwksUrl: z.union([z.literal(''), httpsUrl({ query: true })]).default(''),
  jwksCaCert: sealed(
    CaCertificate.default('').describe('PEM of the root certificate by which the host of jwksUrl is trusted'),
  ),
  publicKeys: sealed(z.array(PublicKey).max(MAX_KEYS).default([])),
  boundIssuer: Issuer.default('').describe('The exact issuer that tokens must name'),
  ...Bound,
});

/** The facts of a login. */
export const Credentials = z.object({ jwt: Jwt });
