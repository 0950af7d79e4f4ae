// @long: runs programs
import { SshStandIn, sshLogsIn } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../harness/groups.ts';
import { canMakeAccounts, LocalAccounts } from '../../harness/local-accounts.ts';
import { behindGate, type OwnSystem } from '../../harness/rotated-system.ts';
import { describeRotation, RotationAtWork } from '../../harness/rotation.ts';
import { Sshd } from '../../harness/sshd.ts';

const KIND = { type: 'unix-linux-local-account', fields: ['username', 'password'], slots: 1 } as const;
const ROOT = { username: 'root', password: 'the password of root' };
let number = 0;

describe('a stand-in for SSH', () => {
  let target: SshStandIn;
  let system: OwnSystem;
  const addAccount = (): string => {
    const username = `rotated${++number}`;
    target.accounts.set(username, { password: 'before' });
    return username;
  };
  beforeAll(async () => {
    target = await SshStandIn.start();
    target.accounts.set('root', { password: ROOT.password });
    target.accounts.set('keeper', { password: 'keeps', sudo: 'asks' });
    target.accounts.set('free', { password: 'is free', sudo: 'free' });
    system = await behindGate(target.port, ({ host, port }) => ({
      app: 'ssh',
      credentials: { method: 'password', host, port, ...ROOT },
      accounts: async () => ({ parameters: { username: addAccount() } }),
      rejected: async () => ({ parameters: { username: 'nobody' }, message: "user 'nobody' does not exist" }),
      works: ({ username, password }) => sshLogsIn(target.port, username!, password!),
      invalidate: async ({ username }) => {
        target.accounts.get(username!)!.password = 'changed';
      },
    }));
  });
  afterAll(async () => {
    await system.close();
    await target.stop();
  });

  describeRotation('Unix/Linux Local Account', { ...KIND, system: () => system });

  const by = (credentials: object) =>
    RotationAtWork.unmade(
      { ...system, credentials: { ...system.credentials!, ...credentials } },
      KIND.type,
      KIND.fields,
    );

  it.each(['keeper', 'free'])('is set with sudo by %s', async (username) => {
    const one = await by({ username, password: target.accounts.get(username)!.password });
    await ok(one.create({ parameters: { username: addAccount(), useSudo: true } }));
    expect(await system.works(await one.active())).toBe(true);
    const refused = await by({ username, password: target.accounts.get(username)!.password });
    const answer = await refused.create({ parameters: { username: addAccount() } });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('Permission denied')]);
  });

  it('sets its own password, once more after a lost answer, and by the connection where it no longer knows it', async () => {
    const one = await by({});
    const parameters = { username: addAccount(), rotationMethod: 'login-as-target' };
    expect((await one.create({ parameters, temporaryParameters: {} })).status).toBe(400);
    await ok(one.create({ parameters, temporaryParameters: { password: 'before' } }));
    target.accident = (command, channel) => {
      if (command !== 'passwd') return false;
      target.accident = undefined;
      channel.on('data', (chunk: Buffer) => {
        target.accounts.get(parameters.username)!.password = chunk.toString().split('\n')[1]!;
        channel.close();
      });
      return true;
    };
    expect((await one.rotate()).status).toBe(400);
    await ok(one.rotate());
    expect(await system.works(await one.active())).toBe(true);
    target.accounts.get(parameters.username)!.password = 'changed';
    expect((await one.rotate()).status).toBe(400);
    expect(await ok(one.reconcile())).toMatchObject({ reconciled: true });
    expect(await system.works(await one.active())).toBe(true);
  });

  it('is none of the connection, and has a name that is no option and no second line', async () => {
    const one = await by({});
    expect((await one.create({ parameters: { username: 'root' } })).status).toBe(400);
    for (const username of ['-x', 'a:b', 'a\nroot:x', 'a b', '$(id)', "a'b", 'ä', ''])
      expect((await one.create({ parameters: { username } })).status).toBe(422);
    expect(new Set(target.commands.map(({ command }) => command))).toEqual(
      new Set([
        '/usr/sbin/chpasswd',
        'passwd',
        'env LC_ALL=C sudo -n /usr/sbin/chpasswd',
        "sudo -k -S -p '' /usr/sbin/chpasswd",
      ]),
    );
  });
});

describe.skipIf(!canMakeAccounts)('a real sshd with accounts of this machine', () => {
  const accounts = new LocalAccounts();
  let sshd: Sshd;
  let system: OwnSystem;
  beforeAll(async () => {
    sshd = await Sshd.start('PermitRootLogin yes', undefined, { withPasswords: true });
    const root = accounts.add({ isRoot: true });
    system = await behindGate(sshd.port, ({ host, port }) => ({
      app: 'ssh',
      credentials: { method: 'password', host, port, ...root },
      accounts: async () => ({ parameters: { username: accounts.add().username } }),
      rejected: async () => ({ parameters: { username: 'coffer-nobody' }, message: 'coffer-nobody' }),
      works: ({ username, password }) => sshLogsIn(sshd.port, username!, password!),
      invalidate: async ({ username }) => accounts.setPassword(username!, 'changed by hand'),
    }));
  });
  afterAll(async () => {
    await system.close();
    await sshd.stop();
    accounts.remove();
  });

  describeRotation('Unix/Linux Local Account', { ...KIND, system: () => system });

  it('sets its own password with passwd, of every ASCII symbol', async () => {
    const { username, password } = accounts.add();
    const one = await RotationAtWork.unmade(system, KIND.type, KIND.fields);
    const passwordRequirements = {
      length: 100,
      required: { lowercase: 1, uppercase: 1, digits: 1, symbols: 60 },
      allowedSymbols: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`|}~',
    };
    const parameters = { username, rotationMethod: 'login-as-target', passwordRequirements };
    await ok(one.create({ parameters, temporaryParameters: { password } }));
    await ok(one.rotate());
    expect(await system.works(await one.active())).toBe(true);
    await ok(one.delete('?revokeGeneratedCredentials=true'));
    expect(await system.works(await one.active())).toBe(false);
  });
});
