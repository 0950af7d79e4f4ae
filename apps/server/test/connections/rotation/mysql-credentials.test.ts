import { mariadb, MARIADB_MANAGER, startMariaDb, type MariaDb } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { behindGate, type OwnSystem } from '../../harness/rotated-system.ts';
import { describeRotation } from '../../harness/rotation.ts';

describe.skipIf(mariadb.isMissing)(`a MariaDB${mariadb.orSkipped}`, () => {
  let target: MariaDb;
  let system: OwnSystem;
  let number = 0;
  beforeAll(async () => {
    target = await startMariaDb();
    system = await behindGate(target.port, ({ host, port }) => ({
      app: 'mysql',
      credentials: {
        method: 'username-and-password',
        ...{ host, port, database: target.database, ...MARIADB_MANAGER, sslEnabled: false },
      },
      async accounts() {
        const [username1, username2] = [`rotated_${++number}a`, `it's ${number}"b`];
        for (const name of [username1, username2])
          await target.query(`grant select on shop.* to '${name.replaceAll("'", "''")}'@'%' identified by 'x'`);
        return { parameters: { username1, username2 } };
      },
      rejected: async () => ({
        parameters: { username1: 'nobody1', username2: 'nobody2' },
        message: 'Operation ALTER USER failed',
      }),
      works: ({ username, password }) => target.works({ username: username!, password: password! }),
      invalidate: ({ username }) =>
        target.query(`alter user '${username!.replaceAll("'", "''")}'@'%' identified by 'changed'`),
    }));
  });
  afterAll(async () => {
    await system.close();
    await target.stop();
  });

  describeRotation('MySQL Credentials', {
    type: 'mysql-credentials',
    fields: ['username', 'password'],
    slots: 2,
    system: () => system,
  });
});
