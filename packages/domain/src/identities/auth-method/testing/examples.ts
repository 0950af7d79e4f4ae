import { generateKeyPairSync } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { makeAuthority } from '../../../outbound/testing/certificates.ts';

const [publicKey, otherKey] = [1, 2].map(() =>
  generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
);

/** For each member the least that it can be attached with, and more: a value for every field that has none by itself. */
export const examples: Record<string, { least: object; full: object }> = {
  'universal-auth': { least: {}, full: { clientSecretTrustedIps: [{ ipAddress: '10.0.0.0/8' }], lockoutThreshold: 5 } },
  'token-auth': { least: {}, full: {} },
  'kubernetes-auth': {
    least: {
      kubernetesHost: 'https://cluster.example.com',
      allowedNamespaces: '',
      allowedNames: '',
      allowedAudience: '',
    },
    full: {
      kubernetesHost: 'https://other.example.com:6443',
      caCert: makeAuthority('Cluster').cert.trim(),
      tokenReviewerJwt: 'e30.e30.c2ln',
      allowedNamespaces: 'apps, jobs',
      allowedNames: 'web',
      allowedAudience: 'coffer',
    },
  },
  'aws-auth': {
    least: {},
    full: {
      stsEndpoint: 'https://sts.eu-west-2.amazonaws.com',
      allowedPrincipalArns: 'arn:aws:iam::123456789012:role/web, arn:aws:iam::123456789012:user/*',
      allowedAccountIds: '123456789012',
      serverId: 'coffer.example.com',
    },
  },
  'azure-auth': {
    least: { tenantId: '018f0000-0000-7000-8000-000000000000', resource: 'https://management.azure.com/' },
    full: {
      tenantId: '018f0000-0000-7000-8000-000000000001',
      resource: 'https://vault.azure.net',
      allowedServicePrincipalIds: '018f0000-0000-7000-8000-000000000002',
    },
  },
  'gcp-auth': {
    least: { type: 'iam' },
    full: {
      type: 'gce',
      allowedServiceAccounts: 'deploy@acme.iam.gserviceaccount.com',
      allowedProjects: 'acme, other',
      allowedZones: 'europe-west1-b',
    },
  },
  'oidc-auth': {
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
  },
  'jwt-auth': {
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
  },
  'tls-cert-auth': {
    least: { caCertificate: makeAuthority('Clients').cert.trim() },
    full: {
      caCertificate: makeAuthority('Other clients').cert.trim(),
      allowedCommonNames: 'web, api',
      allowedSubjectAltNames: ['web.example.com'],
      verifyClientCertificateChain: true,
    },
  },
  'ldap-auth': {
    least: {
      url: 'ldaps://ldap.example.com',
      bindDN: 'cn=coffer,dc=example,dc=com',
      bindPass: 'a password',
      searchBase: 'dc=example,dc=com',
    },
    full: {
      url: 'ldap://other.example.com:1389',
      bindDN: 'cn=other,dc=example,dc=com',
      bindPass: 'another password',
      searchBase: 'ou=people,dc=example,dc=com',
      searchFilter: '(mail={{username}})',
      allowedFields: [{ key: 'departmentNumber', value: 'ops, dev' }],
      ldapCaCertificate: makeAuthority('Directory').cert.trim(),
      lockoutEnabled: false,
      lockoutThreshold: 5,
      lockoutDurationSeconds: 60,
      lockoutCounterResetSeconds: 60,
    },
  },
};

interface SharedExample {
  /** With `least`: a configuration whose trust root is shared, and that nothing binds. */
  readonly unbound: object;
  /** Changes each of which binds it. */
  readonly bindings: readonly object[];
  /** Changes that look as if they did. */
  readonly nonBindings: readonly object[];
}

const boundTokens: Pick<SharedExample, 'bindings' | 'nonBindings'> = {
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
    { boundClaims: { team: 'a, *' } },
    { boundIssuer: 'https://idp.example.com' },
  ],
};

/** For each member whose trust root may be shared with strangers. */
export const sharedExamples: Readonly<Record<string, SharedExample>> = {
  'aws-auth': {
    unbound: {},
    bindings: [{ allowedPrincipalArns: 'arn:aws:iam::123456789012:*' }, { allowedAccountIds: '123456789012' }],
    nonBindings: [{ allowedAccountIds: ' , ' }, { serverId: 'coffer.example.com' }],
  },
  'gcp-auth': {
    unbound: { type: 'gce' },
    bindings: [{ allowedServiceAccounts: 'deploy@acme.iam.gserviceaccount.com' }, { allowedProjects: 'acme' }],
    nonBindings: [
      { allowedZones: 'europe-west1-b' },
      { type: 'iam', allowedProjects: 'acme' },
      { allowedProjects: ',' },
    ],
  },
  'oidc-auth': { unbound: {}, ...boundTokens },
  'jwt-auth': {
    unbound: { configurationType: 'jwks', jwksUrl: 'https://ci.example.com/jwks' },
    ...boundTokens,
  },
  'tls-cert-auth': {
    unbound: { caCertificate: rootCertificates[0] },
    bindings: [{ allowedCommonNames: 'web.example.com' }, { allowedSubjectAltNames: ['web.example.com'] }],
    nonBindings: [{ allowedCommonNames: ',' }, { verifyClientCertificateChain: true }],
  },
};
