import { ElasticSearch } from '../../../../apps/elastic-search/testing/elastic-search.ts';
import { makeAuthority } from '../../../../outbound/testing/certificates.ts';
import type { ProviderExample } from '../../testing/example.ts';

const user = { type: 'user', username: 'coffer', password: 'makes: "users"' };

export const example: ProviderExample = {
  least: { host: 'search.example.com', port: 9200, roles: ['viewer'], auth: user },
  full: {
    host: 'https://other.example.com',
    port: 443,
    roles: ['viewer', 'shop_reader'],
    auth: { type: 'api-key', apiKeyId: 'key-1', apiKey: 'of-the-cluster' },
    ca: makeAuthority('Elasticsearch').cert.trim(),
  },
  standIn() {
    const cluster = new ElasticSearch();
    const inputs = { host: 'search.acme.example', port: 443, roles: ['viewer'], auth: user };
    return {
      host: 'search.acme.example',
      listener: cluster.listener,
      inputs: () => inputs,
      wrong: () => ({ ...inputs, auth: { ...user, password: 'another password' } }),
      elsewhere: () => ({ host: 'thief.example', port: 444 }),
      weaker: ({ DB_USERNAME, DB_PASSWORD }) => ({
        auth: { type: 'user', username: DB_USERNAME, password: DB_PASSWORD },
      }),
      works: async ({ DB_USERNAME = '', DB_PASSWORD = '' }) => cluster.accepts(DB_USERNAME, DB_PASSWORD),
    };
  },
};
