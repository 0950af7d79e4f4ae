import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { httpsUrl, Jwt } from '../../fields.ts';
import { Bound, ClaimMapping, Issuer } from '../../proof/bound.ts';

/** How it is configured for an identity. */
export const Config = z.object({
  oidcDiscoveryUrl: httpsUrl().describe('The URL of the provider, without /.well-known/openid-configuration'),
  boundIssuer: Issuer.min(1).describe('The exact issuer that tokens must name'),
  ...Bound,
  claimMetadataMapping: ClaimMapping.nullable()
    .default(null)
    .describe('Names under which claims are bound to the issued token, with the dotted paths of these claims'),
  caCert: sealed(CaCertificate.default('').describe('PEM of the root certificate by which the provider is trusted')),
});

/** The facts of a login. */
export const Credentials = z.object({ jwt: Jwt });
