import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { userName: 'shop', region: 'eu-central-1' },
  spellings: [[{}, { userName: 'SHOP' }]],
  connection: {
    method: 'access-key',
    ...{ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
  },
};
