import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { username1: 'shop_a', username2: 'shop_b' },
  spellings: [[{}, { username1: 'shop_a  ' }]],
  connection: {
    method: 'username-and-password',
    ...{ host: 'db.example.com', port: 3306, database: 'shop', username: 'coffer', password: 'its password' },
    ...{ sslEnabled: true, sslRejectUnauthorized: true },
  },
};
