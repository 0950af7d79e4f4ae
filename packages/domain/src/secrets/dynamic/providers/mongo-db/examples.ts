import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: {
    host: 'mongo.example.com',
    username: 'coffer',
    password: 'a password',
    database: 'shop',
    roles: ['readWrite'],
  },
  full: {
    host: 'other.example.com',
    port: 27_018,
    username: 'other',
    password: 'another password',
    database: 'other',
    roles: ['read', 'reports'],
    ca: makeAuthority('MongoDB').cert.trim(),
  },
};
