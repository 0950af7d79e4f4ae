import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { LoginMethodExample } from '../../testing/example.ts';

export const example: LoginMethodExample = {
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
};
