import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: {
    host: 'rabbit.example.com',
    port: 15_671,
    username: 'coffer',
    password: 'a password',
    virtualHost: { name: '/', permissions: { read: '.*', write: '.*', configure: '' } },
  },
  full: {
    host: 'https://other.example.com',
    port: 443,
    tags: ['monitoring'],
    username: 'other',
    password: 'another password',
    ca: makeAuthority('RabbitMQ').cert.trim(),
    virtualHost: { name: 'shop', permissions: { read: '^shop-', write: '^shop-', configure: '^shop-' } },
  },
};
