import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  auth: { accessToken: 'hvs.example', url: 'https://vault.example.com' },
  integration: { app: 'secret', path: 'app/dev' },
};
