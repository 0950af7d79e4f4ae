import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: { serviceAccountEmail: 'shop-df92581a-0fe9@acme.iam.gserviceaccount.com' },
  full: { serviceAccountEmail: 'other-df92581a-0fe9@acme.iam.gserviceaccount.com' },
};
