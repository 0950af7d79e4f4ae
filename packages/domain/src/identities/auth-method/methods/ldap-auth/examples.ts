import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { LoginMethodExample } from '../../testing/example.ts';

export const example: LoginMethodExample = {
  least: {
    url: 'ldaps://ldap.example.com',
    bindDN: 'cn=coffer,dc=example,dc=com',
    bindPass: 'a password',
    searchBase: 'dc=example,dc=com',
  },
  full: {
    url: 'ldap://other.example.com:1389',
    bindDN: 'cn=other,dc=example,dc=com',
    bindPass: 'another password',
    searchBase: 'ou=people,dc=example,dc=com',
    searchFilter: '(mail={{username}})',
    allowedFields: [{ key: 'departmentNumber', value: 'ops, dev' }],
    ldapCaCertificate: makeAuthority('Directory').cert.trim(),
    lockoutEnabled: false,
    lockoutThreshold: 5,
    lockoutDurationSeconds: 60,
    lockoutCounterResetSeconds: 60,
  },
};
