import { z } from 'zod';
import { sealed } from '../../../../family/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { CaCertificate, httpsUrl, Jwt } from '../../fields.ts';
import {
  Bound,
  boundFieldsOf,
  Issuer,
  MAX_KEYS,
  PublicKey,
  requireAudience,
  requireBoundClaims,
  requireIssuer,
  requireReadable,
  requireSubject,
  staticKeys,
  verifyProof,
} from '../../proof/index.ts';

/** A token that is signed by a key of a JWKS, or by one that was given with the configuration. */
export const jwtAuth = defineAuthMethod({
  kind: 'jwt-auth',
  title: 'JWT Auth',
  answerKey: 'identityJwtAuth',
  config: z.object({
    configurationType: z.enum(['jwks', 'static']).describe('Whether keys come from jwksUrl or from publicKeys'),
    jwksUrl: z.union([z.literal(''), httpsUrl({ query: true })]).default(''),
    jwksCaCert: sealed(
      CaCertificate.default('').describe('PEM of the root certificate by which the host of jwksUrl is trusted'),
    ),
    publicKeys: sealed(z.array(PublicKey).max(MAX_KEYS).default([])),
    boundIssuer: Issuer.default('').describe('The exact issuer that tokens must name'),
    ...Bound,
  }),
  trustRoot: {
    kind: 'shared',
    with: 'everybody to whom the issuer of these keys issues tokens',
    // A key that somebody gave to Coffer by itself is one issuer's; a published key set may serve the whole world.
    bindingsOf: (config) => (config.configurationType === 'jwks' ? boundFieldsOf(config) : undefined),
  },
  check({ configurationType, jwksUrl, publicKeys, ...bound }) {
    if (configurationType === 'jwks' && !jwksUrl) throw badRequest('jwt_auth.no_keys', 'jwksUrl is required');
    if (configurationType === 'static' && publicKeys.length === 0)
      throw badRequest('jwt_auth.no_keys', 'publicKeys needs at least one key');
    requireReadable(bound);
  },
  credentials: z.object({ jwt: Jwt }),
  async verify(config, { jwt }, { keySets, now }) {
    const isStatic = config.configurationType === 'static';
    const keys = isStatic ? staticKeys(config.publicKeys) : keySets.keysAt(config.jwksUrl, { ca: config.jwksCaCert });
    const claims = await verifyProof(jwt, keys, { now });
    requireIssuer(claims, config.boundIssuer);
    requireSubject(claims, config.boundSubject);
    requireAudience(claims, config.boundAudiences);
    requireBoundClaims(claims, config.boundClaims);
    return {};
  },
});
