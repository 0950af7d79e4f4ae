import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  auth: { accessId: 'AKIAEXAMPLE', accessToken: 'example/secret/key' },
  integration: { region: 'eu-central-1', path: '/app/dev/' },
};
