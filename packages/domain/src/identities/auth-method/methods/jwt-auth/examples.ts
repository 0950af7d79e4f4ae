import { generateKeyPairSync } from 'node:crypto';
import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import { boundTokens } from '../../testing/bound-tokens.ts';
import type { LoginMethodExample } from '../../testing/example.ts';

const [publicKey, otherKey] = [1, 2].map(() =>
  generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
);

export const example: LoginMethodExample = {
  least: { configurationType: 'static', publicKeys: [publicKey] },
  full: {
    jwksUrl: 'https://ci.example.com/jwks?tenant=acme',
    jwksCaCert: makeAuthority('CI').cert.trim(),
    publicKeys: [publicKey, otherKey],
    boundIssuer: 'https://ci.example.com',
    boundAudiences: 'coffer',
    boundClaims: { team: 'a' },
    boundSubject: 'job-*',
  },
  shared: {
    unbound: { configurationType: 'jwks', jwksUrl: 'https://ci.example.com/jwks' },
    ...boundTokens,
  },
};
