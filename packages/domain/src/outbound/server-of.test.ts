import { describe, expect, it } from 'vitest';
import { serverOf } from './server-of.ts';

describe('serverOf', () => {
  it.each([
    [
      'db.example.com:5432',
      ['postgres://db.example.com:5432/app', 'postgres://DB.Example.com.:5432/other', 'db.example.com:05432/app'],
    ],
    ['ldap.example.com:389', ['ldap://ldap.example.com', 'ldap://LDAP.example.com:389/', 'ldap://ldap.example.com.']],
    ['ldap.example.com:389', ['ldaps://ldap.example.com', 'ldaps://ldap.example.com:636', 'ldap.example.com:3269']],
    ['ldap.example.com:1636', ['ldaps://ldap.example.com:1636', 'ldap://ldap.example.com:1636']],
    ['api.example.com:443', ['https://api.example.com', 'https://API.example.com:443/v1?a=b']],
    [
      '192.0.2.1:5432',
      ['192.0.2.1:5432', '::ffff:192.0.2.1:5432', '[::ffff:c000:201]:5432', 'mysql://0xc0000201:5432/a'],
    ],
    ['2001:db8::1:5432', ['[2001:db8::1]:5432', '[2001:DB8:0:0:0:0:0:1]:5432', 'postgres://2001:db8:0::1:5432/app']],
    ['2001:db8::1:389', ['ldap://[2001:db8::1]', 'ldap://[2001:db8:0::1]:389/']],
    ['api.example.com', ['api.example.com', 'API.example.com.']],
    ['api.example.com:443 app 1', ['https://api.example.com app 1', 'https://api.example.com/x  APP 1']],
    ['account a1', ['account A1']],
    ['', ['']],
  ])('is %s for each of its spellings', (server, targets) => {
    expect(targets.map(serverOf)).toEqual(targets.map(() => server));
  });

  it('distinguishes hosts, ports and accounts', () => {
    const others = [
      'a.example.com:1',
      'a.example.com:2',
      'b.example.com:1',
      'account 1',
      'account 2',
      'arn:aws:iam::1:x',
    ];
    expect(new Set(others.map(serverOf)).size).toBe(others.length);
  });
});
