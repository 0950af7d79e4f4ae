import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { permissionScope: '~app:* +@read' },
  spellings: [],
  connection: {
    method: 'username-and-password',
    ...{ host: 'redis.example.com', port: 6379, username: 'coffer', password: 'its password' },
    ...{ sslEnabled: true, sslRejectUnauthorized: true },
  },
};
