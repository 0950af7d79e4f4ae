import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: {
    url: 'ldap://directory.example.com',
    binddn: 'cn=coffer,dc=example,dc=com',
    bindpass: 'a password',
    creationLdif:
      'dn: uid={{username}},ou=services,dc=example,dc=com\nobjectClass: inetOrgPerson\ncn: {{username}}\nsn: {{username}}\nuserPassword: {{password}}',
    revocationLdif: 'dn: uid={{username}},ou=services,dc=example,dc=com\nchangetype: delete',
  },
  full: {
    credentialType: 'dynamic',
    url: 'ldaps://ad.example.com:636/',
    binddn: 'EXAMPLE\\coffer',
    bindpass: 'another password',
    creationLdif:
      'dn: CN={{Username}},OU=Services,DC=example,DC=com\nobjectClass: user\nsAMAccountName: {{Username}}\nunicodePwd:: {{EncodedPassword}}\nuserAccountControl: 66048',
    revocationLdif: 'dn: cn={{username}}, ou=services, dc=example, dc=com\nchangetype: delete',
    rollbackLdif: 'dn: CN={{Username}},OU=Services,DC=example,DC=com\nchangetype: delete',
    ca: makeAuthority('Directory').cert.trim(),
  },
  others: [
    {
      credentialType: 'static',
      url: 'ldaps://directory.example.com',
      binddn: 'coffer@example.com',
      bindpass: 'a password',
      rotationLdif:
        'dn: cn=shop,dc=example,dc=com\nchangetype: modify\nreplace: userPassword\nuserPassword: {{password}}\n-',
    },
  ],
};
