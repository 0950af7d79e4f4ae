import { SqlServerStandIn } from '@coffer/domain/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { behindGate, type OwnSystem } from '../../harness/rotated-system.ts';
import { describeRotation, RotationAtWork } from '../../harness/rotation.ts';

const KIND = { type: 'mssql-credentials', fields: ['username', 'password'], slots: 2 } as const;
let target: SqlServerStandIn;
let system: OwnSystem;
let number = 0;
beforeAll(async () => {
  target = await SqlServerStandIn.start();
  target.add('keeper', 'keeps logins', { mayAlterAny: true });
  system = await behindGate(target.port, ({ host, port }) => ({
    app: 'mssql',
    credentials: {
      method: 'username-and-password',
      ...{ host, port, database: 'shop', username: 'keeper', password: 'keeps logins', sslEnabled: false },
    },
    async accounts() {
      const [username1, username2] = [`rotated_${++number}a`, `it's [${number}]"b`];
      for (const name of [username1, username2]) target.add(name, 'before');
      return { parameters: { username1, username2 } };
    },
    rejected: async () => ({ parameters: { username1: 'nobody1', username2: 'nobody2' }, message: 'does not exist' }),
    works: async ({ username, password }) => target.logsIn(username!, password!),
    invalidate: async ({ username }) => {
      target.database.logins.get(username!)!.password = 'changed';
    },
  }));
});
afterAll(async () => {
  await system.close();
  await target.stop();
});

describeRotation('Microsoft SQL Server Credentials', { ...KIND, system: () => system });

it('is of logins whose names end no quotes', async () => {
  const one = await RotationAtWork.made(system, KIND.type, KIND.fields);
  const { parameters } = (await one.get()).body.secretRotation;
  await one.rotate();
  await one.rotate();
  const changes = target.batches.flatMap(({ sql }) => (sql.startsWith('alter login') ? [sql] : []));
  const [, quoted] = [parameters.username1, parameters.username2.replaceAll(']', ']]')];
  expect(changes.some((sql) => sql.startsWith(`alter login [${quoted}] with password = N'`))).toBe(true);
});

it('is not deleted with its credentials, while the login of its connection may not see whether they exist', async () => {
  const one = await RotationAtWork.made(system, KIND.type, KIND.fields);
  const { generatedCredentials } = await one.generated();
  const works = () => generatedCredentials.map(({ username, password }) => target.logsIn(username!, password!));
  target.add('keeper', 'keeps logins');
  const refused = await one.delete('?revokeGeneratedCredentials=true&deleteSecrets=true');
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('cannot see them all')]);
  expect([(await one.get()).status, works()]).toEqual([200, [true]]);
  target.add('keeper', 'keeps logins', { mayAlterAny: true });
  expect((await one.delete('?revokeGeneratedCredentials=true&deleteSecrets=true')).status).toBe(200);
  expect(works()).toEqual([false]);
});
