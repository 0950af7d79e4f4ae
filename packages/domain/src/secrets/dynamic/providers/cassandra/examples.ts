import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: {
    host: 'cassandra.example.com',
    port: 9042,
    localDataCenter: 'datacenter1',
    username: 'coffer',
    password: 'a password',
    creationStatement: `create role '{{username}}' with password = '{{password}}' and login = true`,
    revocationStatement: `drop role if exists '{{username}}'`,
  },
  full: {
    host: 'a.example.com,b.example.com',
    port: 9142,
    localDataCenter: 'eu',
    keyspace: 'shop',
    username: 'other',
    password: 'another password',
    creationStatement: `create role {{username}} with password = {{password}} and login = true; grant select on keyspace {{keyspace}} to {{username}}`,
    revocationStatement: 'drop role {{username}}',
    renewStatement: `insert into until (name, at) values ('{{username}}', '{{expiration}}')`,
    ca: makeAuthority('Cassandra').cert.trim(),
    gatewayId: null,
  },
};
