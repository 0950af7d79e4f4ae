import type { SharedExample } from './example.ts';

/** For methods whose proof is a signed token: what binds it, and what looks as if it did. */
export const boundTokens: Pick<SharedExample, 'bindings' | 'nonBindings'> = {
  bindings: [
    { boundSubject: 'repo:acme/*' },
    { boundAudiences: 'coffer' },
    { boundClaims: { team: 'a, b-*' } },
    { boundClaims: { iss: '*', 'repository.owner': 'acme, acme-*' } },
  ],
  nonBindings: [
    { boundSubject: '*' },
    { boundSubject: '**' },
    { boundSubject: '{acme,?*}' },
    { boundSubject: '[!a]*/**' },
    { boundAudiences: 'coffer, *' },
    { boundClaims: { iss: 'https://idp.example.com' } },
    ...['exp', 'nbf', 'iat', 'jti'].map((claim) => ({ boundClaims: { [claim]: '1*' } })),
    { boundClaims: { email_verified: 'true', auth_time: '1*', amr: 'mfa', 'amr.0': 'pwd' } },
    { boundClaims: { token_use: 'access', typ: 'Bearer', ver: '1.0', token_type: 'Bearer' } },
    { boundClaims: { team: 'a, *' } },
    { boundIssuer: 'https://idp.example.com' },
  ],
};
