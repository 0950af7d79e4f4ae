import { REDIS_MANAGER, redisServer, startRedis, type RedisTarget } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { behindGate, type OwnSystem } from '../../harness/rotated-system.ts';
import { describeRotation, RotationAtWork } from '../../harness/rotation.ts';

const KIND = { type: 'redis-credentials', fields: ['username', 'password'] } as const;

describe.skipIf(redisServer.isMissing)(`a Redis${redisServer.orSkipped}`, () => {
  let target: RedisTarget;
  let system: OwnSystem;
  beforeAll(async () => {
    target = await startRedis();
    system = await behindGate(target.port, ({ host, port }) => ({
      app: 'redis',
      credentials: { method: 'username-and-password', host, port, ...REDIS_MANAGER, sslEnabled: false },
      accounts: async () => ({ parameters: {} }),
      rejected: async () => ({ parameters: { permissionScope: '+no-such-command' }, message: 'Unknown command' }),
      works: ({ username, password }) => target.works({ username: username!, password: password! }),
      invalidate: ({ username }) => target.ask('ACL', 'SETUSER', username!, 'resetpass'),
    }));
  });
  afterAll(async () => {
    await system.close();
    await target.stop();
  });

  describeRotation('Redis Credentials', { ...KIND, slots: 2, makesLogins: true, system: () => system });

  it('makes users that may do what the scope says, and leaves none behind', async () => {
    const users = async () =>
      ((await target.ask('ACL', 'USERS')) as string[]).filter((name) => name.startsWith('coffer_'));
    const before = await users();
    const parameters = { permissionScope: '~app:* -@all +get' };
    const one = await RotationAtWork.made(system, KIND.type, KIND.fields, { parameters });
    for (let i = 0; i < 3; i++) await one.rotate();
    const { username } = await one.active();
    expect(await users()).toHaveLength(before.length + 2);
    expect(JSON.stringify(await target.ask('ACL', 'GETUSER', username!))).toContain('-@all +get');
    for (const permissionScope of ['>password', 'nopass', '+get\r\nnopass', '(+get)'])
      expect((await one.update({ parameters: { permissionScope } })).status).toBe(422);
  });
});
