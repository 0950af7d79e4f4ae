import { badRequest } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import {
  boundFieldsOf,
  requireAudience,
  requireBoundClaims,
  requireIssuer,
  requireReadable,
  requireSubject,
  staticKeys,
  verifyProof,
} from '../../proof/index.ts';
import { Config, Credentials } from './inputs.ts';

/** A token signed by a key of a JWKS, or by a configured public key. */
export const jwtAuth = defineAuthMethod({
  kind: 'jwt-auth',
  title: 'JWT Auth',
  answerKey: 'identityJwtAuth',
  config: Config,
  trustRoot: {
    kind: 'shared',
    with: 'everybody to whom the issuer of these keys issues tokens',
    // A configured key belongs to one issuer; a published key set may serve anybody.
    bindingsOf: (config) => (config.configurationType === 'jwks' ? boundFieldsOf(config) : undefined),
  },
  check({ configurationType, jwksUrl, publicKeys, ...bound }) {
    if (configurationType === 'jwks' && !jwksUrl) throw badRequest('jwt_auth.no_keys', 'jwksUrl is required');
    if (configurationType === 'static' && publicKeys.length === 0)
      throw badRequest('jwt_auth.no_keys', 'publicKeys needs at least one key');
    requireReadable(bound);
  },
  credentials: Credentials,
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
