import { setTimeout as sleep } from 'node:timers/promises';
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
