import { Atlas } from '../../../../apps/mongo-db-atlas/testing/atlas.ts';
import type { ProviderExample } from '../../testing/example.ts';

const inputs = {
  adminPublicKey: 'abcdefgh',
  adminPrivateKey: '01234567-89ab-cdef-0123-456789abcdef',
  groupId: '5f1b2c3d4e5f60718293a4b5',
  roles: [{ databaseName: 'shop', roleName: 'readWrite' }],
};

export const example: ProviderExample = {
  least: inputs,
  full: {
    ...inputs,
    roles: [{ databaseName: 'shop', roleName: 'read', collectionName: 'orders' }],
    scopes: [{ name: 'Cluster0', type: 'CLUSTER' }],
  },
  standIn() {
    const atlas = new Atlas();
    return {
      host: 'cloud.mongodb.com',
      listener: atlas.listener,
      inputs: () => inputs,
      wrong: () => ({ ...inputs, adminPrivateKey: 'another-private-key' }),
      elsewhere: () => ({ adminPublicKey: 'ijklmnop', groupId: '6f1b2c3d4e5f60718293a4b5' }),
      weaker: () => ({ groupId: '6f1b2c3d4e5f60718293a4b5', adminPrivateKey: inputs.adminPrivateKey }),
      works: async ({ DB_USERNAME = '', DB_PASSWORD = '' }) => atlas.users.get(DB_USERNAME)?.password === DB_PASSWORD,
    };
  },
};
