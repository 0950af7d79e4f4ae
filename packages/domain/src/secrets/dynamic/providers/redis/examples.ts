import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: {
    host: 'redis.example.com',
    port: 6379,
    username: 'coffer',
    creationStatement: 'ACL SETUSER {{username}} on >{{password}} ~app:* +@all -@dangerous',
    revocationStatement: 'ACL DELUSER {{username}}',
  },
  full: {
    host: 'other.example.com',
    port: 6380,
    username: 'other',
    password: 'another password',
    creationStatement: 'ACL SETUSER {{username}} on >{{password}} ~* +@all; SET until:{{username}} "{{expiration}}"',
    revocationStatement: 'ACL DELUSER {{username}}; DEL until:{{username}}',
    renewStatement: `SET until:{{username}} '{{expiration}}'`,
    ca: makeAuthority('Redis').cert.trim(),
  },
};
