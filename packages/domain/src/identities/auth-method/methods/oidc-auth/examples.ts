import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import { boundTokens } from '../../testing/bound-tokens.ts';
import type { LoginMethodExample } from '../../testing/example.ts';

export const example: LoginMethodExample = {
  least: { oidcDiscoveryUrl: 'https://idp.example.com', boundIssuer: 'https://idp.example.com' },
  full: {
    oidcDiscoveryUrl: 'https://other.example.com/realm',
    boundIssuer: 'https://other.example.com/realm/',
    boundAudiences: 'coffer, vault',
    boundClaims: { 'repository.owner': 'acme, acme-*' },
    boundSubject: 'repo:acme/*:**',
    claimMetadataMapping: { repo: 'repository.name' },
    caCert: makeAuthority('Provider').cert.trim(),
  },
  shared: { unbound: {}, ...boundTokens },
};
