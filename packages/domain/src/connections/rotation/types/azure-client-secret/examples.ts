import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: {
    objectId: '33334444-dddd-5555-eeee-6666ffff7777',
    clientId: '00001111-aaaa-2222-bbbb-3333cccc4444',
    appName: 'Shop',
  },
  spellings: [[{}, { objectId: '33334444-DDDD-5555-EEEE-6666FFFF7777' }]],
  connection: {
    method: 'client-secret',
    tenantId: '11112222-bbbb-3333-cccc-4444dddd5555',
    ...{ clientId: '00001111-aaaa-2222-bbbb-3333cccc4445', clientSecret: 'qWgdYAmab0YSkuL1qKv5bPX' },
  },
};
