import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: {
    client: 'postgres',
    host: 'db.example.com',
    port: 5432,
    database: 'shop',
    username: 'coffer',
    password: 'a password',
    creationStatement: `create role "{{username}}" login password '{{password}}' valid until '{{expiration}}'`,
    revocationStatement: 'drop role "{{username}}"',
  },
  full: {
    client: 'postgres',
    host: 'other.example.com',
    port: 5433,
    database: 'other',
    username: 'other',
    password: 'another password',
    passwordRequirements: {
      length: 32,
      required: { lowercase: 1, uppercase: 1, digits: 1, symbols: 1 },
      allowedSymbols: '-_',
    },
    creationStatement: `create user {{username}} password {{password}}`,
    revocationStatement: 'drop user {{username}}',
    renewStatement: `alter role "{{username}}" valid until '{{expiration}}'`,
    ca: makeAuthority('Database').cert.trim(),
    gatewayId: null,
  },
  others: [
    {
      client: 'mysql2',
      host: 'db.example.com',
      port: 3306,
      database: 'shop',
      username: 'coffer',
      password: 'a password',
      creationStatement: `create user '{{username}}'@'%' identified by '{{password}}'; grant select on \`{{database}}\`.* to '{{username}}'@'%'`,
      revocationStatement: `drop user '{{username}}'@'%'`,
    },
    {
      client: 'mssql',
      host: 'db.example.com',
      port: 1433,
      database: 'shop',
      username: 'coffer',
      password: 'a password',
      creationStatement: `create login [{{username}}] with password = N'{{password}}'; create user [{{username}}] for login [{{username}}]`,
      revocationStatement: 'drop user [{{username}}]; drop login [{{username}}]',
    },
  ],
};
