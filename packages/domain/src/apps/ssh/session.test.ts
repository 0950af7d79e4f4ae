import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCidrs } from '../../kernel/index.ts';
import { createOutbound } from '../../outbound/index.ts';
import { openSsh, type SshSession } from './session.ts';
import { SshStandIn } from './testing/ssh-server.ts';

const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
let server: SshStandIn;
beforeAll(async () => {
  server = await SshStandIn.start();
  server.accounts.set('root', { password: 'of root' });
});
afterAll(async () => {
  await server.stop();
  await outbound.close();
});

async function withSession<T>(work: (session: SshSession) => Promise<T>, lifetimeMs = 60_000): Promise<T> {
  const login = { host: '127.0.0.1', port: server.port, username: 'root', password: 'of root' };
  const session = await openSsh(login, (target) => outbound.connect({ ...target, lifetimeMs }));
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

describe('a command by SSH', () => {
  it('is rejected with what it wrote to its standard error, up to a limit', async () => {
    server.accident = (_command, channel) => {
      channel.stderr.write('x'.repeat(10_000));
      return false;
    };
    const run = withSession((session) => session.run('unknown', ''));
    await expect(run).rejects.toMatchObject({
      code: 'remote.rejected',
      message: expect.stringMatching(/^.{500,600}$/s),
    });
    server.accident = undefined;
  });

  it('ends with its connection, if it does not end by itself', async () => {
    server.accident = () => true;
    await expect(withSession((session) => session.run('sleep', ''), 500)).rejects.toMatchObject({
      code: 'outbound.timeout',
    });
    server.accident = undefined;
  });

  it('ends with its connection, if it writes without end', async () => {
    server.accident = (_command, channel) => {
      const write = async () => {
        while (!channel.destroyed && channel.writable) {
          channel.write('x'.repeat(64 * 1024));
          await sleep(1);
        }
      };
      write().catch(() => undefined);
      return true;
    };
    await expect(withSession((session) => session.run('yes', ''))).rejects.toMatchObject({
      code: 'outbound.too_large',
    });
    server.accident = undefined;
  });

  it('has failed where the server ended it without an exit code', async () => {
    server.accident = (_command, channel) => {
      channel.close();
      return true;
    };
    await expect(withSession((session) => session.run('x', ''))).rejects.toMatchObject({ code: 'remote.malformed' });
    server.accident = undefined;
  });
});

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const text = (value: string | Buffer): Buffer => Buffer.concat([uint32(Buffer.byteLength(value)), Buffer.from(value)]);

describe('a server', () => {
  const [WITHOUT_REPLY, WITH_REPLY] = [0, 1];
  const ownKey = () => Buffer.from(server.hostKey.split(' ')[1]!, 'base64');
  const offers: readonly (readonly [what: string, wantsReply: number, keys: () => readonly Buffer[]])[] = [
    ['keys', WITHOUT_REPLY, () => [ownKey(), ownKey()]],
    ['keys, and wants a reply', WITH_REPLY, () => [ownKey()]],
    ['what is no key', WITHOUT_REPLY, () => [Buffer.from('none')]],
  ];
  it.each(offers)('that offers further host keys is not asked to prove them: %s', async (_what, wantsReply, keys) => {
    server.requests.length = 0;
    server.atLogin = (context, send) => {
      if (context.method !== 'password') return false;
      context.accept();
      const offered = [text('hostkeys-00@openssh.com'), Buffer.of(wantsReply), ...keys().map(text)];
      send(Buffer.concat([Buffer.of(80), ...offered]));
      return true;
    };
    server.accounts.set('other', { password: 'of other' });
    await withSession((session) => session.run('/usr/sbin/chpasswd', 'other:another'));
    server.atLogin = undefined;
    expect(server.requests).toEqual([]);
    expect(server.accounts.get('other')).toMatchObject({ password: 'another' });
  });

  it('that announces more prompts than it sends has no memory allocated for them', async () => {
    server.isInteractive = true;
    server.atLogin = (context, send) => {
      if (context.method !== 'keyboard-interactive') return false;
      send(Buffer.concat([Buffer.of(60), text(''), text(''), text(''), uint32(2 ** 25)]));
      return true;
    };
    const before = getHeapStatistics().used_heap_size;
    await expect(withSession((session) => session.run('true', ''))).rejects.toMatchObject({ code: 'remote.malformed' });
    expect(getHeapStatistics().used_heap_size - before).toBeLessThan(2 ** 25);
    server.atLogin = undefined;
    // Real questions are answered.
    await withSession((session) => session.run('/usr/sbin/chpasswd', 'other:asked'));
    server.isInteractive = false;
    expect(server.accounts.get('other')).toMatchObject({ password: 'asked' });
  });
});
