import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { dn: 'cn=shop,dc=example,dc=com', rotationMethod: 'connection-principal' },
  connection: {
    method: 'simple-bind',
    ...{ provider: 'openldap', url: 'ldaps://directory.example.com', dn: 'cn=coffer,dc=example,dc=com' },
    ...{ password: 'its password', sslRejectUnauthorized: true },
  },
  temporaryParameters: { password: 'the present one' },
};
