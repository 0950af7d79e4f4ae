import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { username: 'shop', rotationMethod: 'login-as-target', useSudo: false },
  spellings: [],
  connection: {
    method: 'password',
    ...{ host: 'server.example.com', port: 22, username: 'root', password: 'its password' },
  },
  temporaryParameters: { password: 'the present one' },
};
