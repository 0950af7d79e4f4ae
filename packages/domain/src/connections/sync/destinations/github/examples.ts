import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  auth: { accessToken: 'ghp_example' },
  integration: { owner: 'acme', app: 'web' },
};
