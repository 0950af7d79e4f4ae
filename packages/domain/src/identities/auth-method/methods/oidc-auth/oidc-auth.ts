import { defineAuthMethod } from '../../auth-method.ts';
import {
  boundFieldsOf,
  mapClaims,
  requireBoundClaims,
  requireReadable,
  requireSubject,
  verifyProof,
} from '../../proof/index.ts';
import { Config, Credentials } from './inputs.ts';

/** A token of an OpenID provider, with the keys from its discovery document. */
export const oidcAuth = defineAuthMethod({
  kind: 'oidc-auth',
  title: 'OIDC Auth',
  answerKey: 'identityOidcAuth',
  config: Config,
  trustRoot: { kind: 'shared', with: 'everybody to whom the provider issues tokens', bindingsOf: boundFieldsOf },
  check: requireReadable,
  credentials: Credentials,
  async verify(config, { jwt }, { keySets, now }) {
    const { oidcDiscoveryUrl, boundIssuer: issuer, boundAudiences: audiences } = config;
    const keys = keySets.keysOf(oidcDiscoveryUrl, { ca: config.caCert });
    const claims = await verifyProof(jwt, keys, { issuer, audiences, now });
    requireSubject(claims, config.boundSubject);
    requireBoundClaims(claims, config.boundClaims);
    return { oidc: { claims: mapClaims(claims, config.claimMetadataMapping ?? {}) } };
  },
});
