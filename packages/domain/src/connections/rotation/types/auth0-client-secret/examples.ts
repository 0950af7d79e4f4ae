import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { clientId: 'client0' },
  spellings: [],
  connection: {
    method: 'client-credentials',
    ...{ domain: 'acme.eu.auth0.com', clientId: 'machine', clientSecret: 'its-secret' },
    audience: 'https://acme.eu.auth0.com/api/v2/',
  },
};
