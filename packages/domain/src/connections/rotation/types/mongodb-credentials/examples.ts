import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { username1: 'shop_a', username2: 'shop_b' },
  spellings: [],
  connection: {
    method: 'username-and-password',
    ...{ host: 'mongo.example.com', port: 27_017, database: 'shop', username: 'coffer', password: 'its password' },
    ...{ sslEnabled: true, sslRejectUnauthorized: true },
  },
};
