import { MongoStandIn } from '@coffer/domain/testing';
import { afterAll, beforeAll } from 'vitest';
import { behindGate, type OwnSystem } from '../../harness/rotated-system.ts';
import { describeRotation } from '../../harness/rotation.ts';

const DATABASE = 'admin';
let target: MongoStandIn;
let system: OwnSystem;
let number = 0;
beforeAll(async () => {
  target = await MongoStandIn.start();
  system = await behindGate(target.port, ({ host, port }) => ({
    app: 'mongodb',
    credentials: {
      method: 'username-and-password',
      ...{ host, port, database: DATABASE, username: 'keeper', password: 'keeps users', sslEnabled: false },
    },
    async accounts() {
      const [username1, username2] = [`rotated_${++number}a`, `rotated_${number}b`];
      for (const name of [username1, username2]) target.add(DATABASE, name, 'before', ['readWrite']);
      return { parameters: { username1, username2 } };
    },
    rejected: async () => ({ parameters: { username1: 'nobody1', username2: 'nobody2' }, message: 'not found' }),
    works: ({ username, password }) => target.logsIn({ database: DATABASE, username: username!, password: password! }),
    invalidate: async ({ username }) => target.add(DATABASE, username!, 'changed', ['readWrite']),
  }));
});
afterAll(async () => {
  await system.close();
  await target.close();
});

describeRotation('MongoDB Credentials', {
  type: 'mongodb-credentials',
  fields: ['username', 'password'],
  slots: 2,
  system: () => system,
});
