import { z } from 'zod';
import { sealed } from '../../../../family/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { CaCertificate, httpsUrl, Jwt } from '../../fields.ts';
import {
  Bound,
  boundFieldsOf,
  ClaimMapping,
  Issuer,
  mapClaims,
  requireBoundClaims,
  requireReadable,
  requireSubject,
  verifyProof,
} from '../../proof/index.ts';

/** A token of an OpenID provider, which publishes its keys where its discovery document says. */
export const oidcAuth = defineAuthMethod({
  kind: 'oidc-auth',
  title: 'OIDC Auth',
  answerKey: 'identityOidcAuth',
  config: z.object({
    oidcDiscoveryUrl: httpsUrl().describe('The URL of the provider, without /.well-known/openid-configuration'),
    boundIssuer: Issuer.min(1).describe('The exact issuer that tokens must name'),
    ...Bound,
    claimMetadataMapping: ClaimMapping.nullable()
      .default(null)
      .describe('Names under which claims are bound to the issued token, with the dotted paths of these claims'),
    caCert: sealed(CaCertificate.default('').describe('PEM of the root certificate by which the provider is trusted')),
  }),
  trustRoot: { kind: 'shared', with: 'everybody to whom the provider issues tokens', bindingsOf: boundFieldsOf },
  check: requireReadable,
  credentials: z.object({ jwt: Jwt }),
  async verify(config, { jwt }, { keySets, now }) {
    const { oidcDiscoveryUrl, boundIssuer: issuer, boundAudiences: audiences } = config;
    const keys = keySets.keysOf(oidcDiscoveryUrl, { ca: config.caCert });
    const claims = await verifyProof(jwt, keys, { issuer, audiences, now });
    requireSubject(claims, config.boundSubject);
    requireBoundClaims(claims, config.boundClaims);
    return { oidc: { claims: mapClaims(claims, config.claimMetadataMapping ?? {}) } };
  },
});
