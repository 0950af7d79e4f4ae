import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: {
    credentialType: 'static',
    url: 'https://cluster.example.com',
    clusterToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln',
    namespace: 'apps',
    serviceAccountName: 'shop',
  },
  full: {
    url: 'https://other.example.com:6443/k8s/clusters/a/',
    clusterToken: 'another.token-of.the_cluster',
    ca: makeAuthority('Cluster').cert.trim(),
    sslEnabled: true,
    gatewayId: null,
    authMethod: 'api',
    audiences: ['vault', 'https://example.com'],
    namespace: 'other',
    serviceAccountName: 'other.account',
  },
  others: [
    {
      credentialType: 'dynamic',
      url: 'https://cluster.example.com',
      clusterToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln',
      namespace: 'apps, jobs',
      roleType: 'cluster-role',
      role: 'system:view',
    },
  ],
};
