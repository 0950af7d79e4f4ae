import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { username1: 'shop_a', username2: 'shop_b' },
  spellings: [
    [{ username1: 'x'.repeat(63) }, { username1: 'x'.repeat(64) }],
    [{ username1: `${'x'.repeat(62)}ä` }, { username1: `${'x'.repeat(62)}ö` }],
  ],
  connection: {
    method: 'username-and-password',
    ...{ host: 'db.example.com', port: 5432, database: 'shop', username: 'coffer', password: 'its password' },
    ...{ sslEnabled: true, sslRejectUnauthorized: true },
  },
};
