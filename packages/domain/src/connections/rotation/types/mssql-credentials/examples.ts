import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { username1: 'shop_a', username2: 'shop_b' },
  spellings: [
    [{}, { username1: 'SHOP_A' }],
    [{}, { username1: 'shop_a ' }],
    [{}, { username1: 'sho\u00adp_a\u200b' }],
    [{ username1: 'Straße カ' }, { username1: 'strasse か' }],
  ],
  connection: {
    method: 'username-and-password',
    ...{ host: 'db.example.com', port: 1433, database: 'shop', username: 'coffer', password: 'its password' },
    ...{ sslEnabled: true, sslRejectUnauthorized: true },
  },
};
