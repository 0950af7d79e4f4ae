import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: {
    servicePrincipalId: '76997828332531',
    servicePrincipalName: 'shop',
    clientId: '33334444-dddd-5555-eeee-6666ffff7777',
  },
  spellings: [[{}, { servicePrincipalId: '0076997828332531' }]],
  connection: {
    ...{ method: 'service-principal', workspaceUrl: 'https://acme.cloud.databricks.com' },
    ...{ clientId: '11112222-bbbb-3333-cccc-4444dddd5555', clientSecret: 'doseexample' },
  },
};
