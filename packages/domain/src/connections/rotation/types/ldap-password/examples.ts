import type { RotationExample } from '../../testing/example.ts';

export const example: RotationExample = {
  parameters: { dn: 'cn=shop,dc=example,dc=com', rotationMethod: 'connection-principal' },
  spellings: [
    [{}, { dn: 'CN = Shop , dc=example, DC=COM' }],
    [{ dn: 'cn=José,dc=example,dc=com' }, { dn: 'cn=jose\\E2\\80\\8B,dc=example,dc=com' }],
    [{}, { dn: '2.5.4.3=\\73hop,domainComponent=example,dc=com' }],
  ],
  connection: {
    method: 'simple-bind',
    ...{ provider: 'openldap', url: 'ldaps://directory.example.com', dn: 'cn=coffer,dc=example,dc=com' },
    ...{ password: 'its password', sslRejectUnauthorized: true },
  },
  temporaryParameters: { password: 'the present one' },
};
