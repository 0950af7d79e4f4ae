import type { LoginMethodExample } from '../../testing/example.ts';

export const example: LoginMethodExample = {
  least: { tenantId: '018f0000-0000-7000-8000-000000000000', resource: 'https://management.azure.com/' },
  full: {
    tenantId: '018f0000-0000-7000-8000-000000000001',
    resource: 'https://vault.azure.net',
    allowedServicePrincipalIds: '018f0000-0000-7000-8000-000000000002',
  },
};
