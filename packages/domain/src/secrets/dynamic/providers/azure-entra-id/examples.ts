import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: {
    tenantId: '11112222-bbbb-3333-cccc-4444dddd5555',
    applicationId: '00001111-aaaa-2222-bbbb-3333cccc4444',
    clientSecret: 'qWgdYAmab0YSkuL1qKv5bPX',
    userId: '22223333-cccc-4444-dddd-5555eeee6666',
    email: 'ci@acme.example',
  },
  full: {
    tenantId: 'acme.onmicrosoft.com',
    applicationId: '00001111-aaaa-2222-bbbb-3333cccc4445',
    clientSecret: 'another~qWgdYAmab0YSkuL1qKv5bPX',
    userId: '22223333-cccc-4444-dddd-5555eeee6667',
    email: 'deploy@acme.example',
  },
};
