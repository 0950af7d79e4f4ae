import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { makeAuthority } from '../outbound/testing/certificates.ts';
import { startMailServer, type MailServer } from '../testing/mail-server.ts';
import { compose } from './message-text.ts';
import { createMailer } from './smtp.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});
const start = async (...options: Parameters<typeof startMailServer>): Promise<MailServer> => {
  const server = await startMailServer(...options);
  closers.push(() => server.close());
  return server;
};

const mail = compose('ann@example.com', {
  subject: 'Grüße',
  paragraphs: ['Ein Satz, der lang genug ist, um in der Nachricht umbrochen zu werden, mit Umlauten: äöü €.'],
  action: { label: 'Open', url: 'https://coffer.example.com/x?token=abc&to=ann%40example.com' },
});

describe('createMailer', () => {
  it('sends the composed message to its recipient', async () => {
    const server = await start();
    await createMailer(server.smtp)(mail);
    expect(server.received).toHaveLength(1);
    const [{ to, headers, text, html }] = server.received as [MailServer['received'][number]];
    expect(to).toEqual(['ann@example.com']);
    expect(headers).toMatchObject({
      from: ['Coffer <coffer@example.com>'],
      to: ['ann@example.com'],
      subject: [expect.stringMatching(/^=\?UTF-8\?/)],
      'auto-submitted': ['auto-generated'],
    });
    expect(text).toContain('mit Umlauten: äöü €.');
    expect(text).toContain('Open: https://coffer.example.com/x?token=abc&to=ann%40example.com');
    expect(html).toContain('href="https://coffer.example.com/x?token=abc&amp;to=ann%40example.com"');
  });

  it('logs in', async () => {
    const logins: unknown[] = [];
    const server = await start({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        logins.push([username, password]);
        if (password === 'right') done(null, { user: 'x' });
        else done(new Error('Invalid username or password'));
      },
    });
    await createMailer({ ...server.smtp, username: 'me', password: 'right' })(mail);
    const wrong = createMailer({ ...server.smtp, username: 'me', password: 'canary' })(mail);
    await expect(wrong).rejects.toMatchObject({
      code: 'mail.failed',
      message: expect.stringMatching(/EAUTH, status 535/),
    });
    await expect(wrong).rejects.not.toHaveProperty('cause', expect.anything());
    expect(logins).toHaveLength(2);
    expect(server.received).toHaveLength(1);
  });

  it('changes to TLS where the server can, and trusts no certificate that it should not', async () => {
    const authority = makeAuthority('mail authority');
    const { cert, key } = authority.issue('127.0.0.1');
    const server = await start({ key, cert });
    await createMailer({ ...server.smtp, ca: authority.cert, requireTls: true })(mail);
    await createMailer({ ...server.smtp, rejectUnauthorized: false })(mail);
    expect(server.received.map(({ isSecure }) => isSecure)).toEqual([true, true]);
    await expect(createMailer(server.smtp)(mail)).rejects.toMatchObject({ code: 'mail.failed' });
    const other = makeAuthority('another authority');
    await expect(createMailer({ ...server.smtp, ca: other.cert })(mail)).rejects.toMatchObject({ code: 'mail.failed' });
    await createMailer({ ...server.smtp, ignoreTls: true })(mail);
    expect(server.received.map(({ isSecure }) => isSecure)).toEqual([true, true, false]);
  });

  it('sends nothing without TLS if it is required', async () => {
    const server = await start();
    await expect(createMailer({ ...server.smtp, requireTls: true })(mail)).rejects.toMatchObject({
      code: 'mail.failed',
    });
    expect(server.received).toEqual([]);
  });

  it('distinguishes permanent from temporary errors of the server, and repeats none of its text', async () => {
    const refusing = (responseCode: number) =>
      start({
        onRcptTo: (_address, _session, done) =>
          done(Object.assign(new Error('canary ann@example.com'), { responseCode })),
      });
    for (const [status, code] of [
      [550, 'mail.refused'],
      [451, 'mail.failed'],
    ] as const) {
      const { smtp } = await refusing(status);
      const error = await createMailer(smtp)(mail).catch((thrown: unknown) => thrown as Error);
      expect(error).toMatchObject({ code, message: expect.stringContaining(`status ${status}`) });
      expect(JSON.stringify([(error as Error).message, (error as Error).cause])).not.toMatch(/canary|ann@/);
    }
  });

  it('retries a message if the server rejects the sender, or its response is invalid', async () => {
    const sender = await start({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error('Log in'), { responseCode: 530 })),
    });
    const nonsense = await start({
      onData: (stream, _session, done) =>
        stream.resume().on('end', () => done(Object.assign(new Error('What'), { responseCode: 999 }))),
    });
    for (const { smtp } of [sender, nonsense])
      await expect(createMailer(smtp)(mail)).rejects.toMatchObject({ code: 'mail.failed' });
  });

  it('retries a message if the server requires a login, or forbids the sender to send', async () => {
    for (const [responseCode, words] of [
      [530, '5.7.0 Authentication required'],
      [554, '5.7.1 <ann@example.com>: Relay access denied'],
      [550, '5.7.54 SMTP; Unable to relay recipient in non-accepted domain'],
    ] as const) {
      const { smtp } = await start({
        hideENHANCEDSTATUSCODES: true,
        onRcptTo: (_address, _session, done) => done(Object.assign(new Error(words), { responseCode })),
      });
      await expect(createMailer(smtp)(mail)).rejects.toMatchObject({
        code: 'mail.failed',
        message: expect.stringContaining(`status ${responseCode}`),
      });
    }
  });

  it.each([false, true])('ends a connection on which the server says too much (within TLS: %s)', async (isSecure) => {
    const authority = makeAuthority('mail authority');
    const lines = ['220 hello\r\n', ...(isSecure ? ['250-hello\r\n250 STARTTLS\r\n', '220 go on\r\n'] : [])];
    const flood = (socket: Socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write('\n'.repeat(65_536)));
      };
      socket.on('error', () => undefined).on('drain', more);
      more();
    };
    const port = await listen((say, socket) => {
      const next = () => {
        const line = lines.shift();
        if (line !== undefined) say(line);
        if (lines.length > 0) return;
        socket.off('data', next);
        if (!isSecure) return flood(socket);
        const over = new TLSSocket(socket, { isServer: true, ...authority.issue('127.0.0.1') });
        over.once('secure', () => flood(over));
      };
      socket.on('data', next);
      next();
    });
    const { smtp } = await start();
    const ca = authority.cert;
    const sent = createMailer({ ...smtp, ca, port, requireTls: isSecure, timeoutMs: 5_000 })(mail);
    await expect(sent).rejects.toMatchObject({ code: 'mail.failed', message: expect.stringContaining('ESOCKET') });
  });

  it('gives up on a server that is unreachable, silent, or endless', async () => {
    const server = await start();
    await server.close();
    await expect(createMailer(server.smtp)(mail)).rejects.toMatchObject({ code: 'mail.failed' });
    const silent = await listen(() => undefined);
    await expect(createMailer({ ...server.smtp, port: silent, timeoutMs: 200 })(mail)).rejects.toMatchObject({
      code: 'mail.failed',
    });
    // Slow responses: no single step takes too long, but all together do.
    const dripping = await listen((say) => {
      const timer = setInterval(() => say('220-wait\r\n'), 20);
      return () => clearInterval(timer);
    });
    await expect(createMailer({ ...server.smtp, port: dripping, timeoutMs: 300 })(mail)).rejects.toMatchObject({
      code: 'mail.failed',
    });
  });
});

/** A server that talks as it likes. */
async function listen(talk: (say: (text: string) => void, socket: Socket) => (() => void) | void): Promise<number> {
  const server: Server = createServer((socket) => {
    const stop = talk((text) => socket.write(text), socket);
    socket.on('error', () => undefined).on('close', () => stop?.());
    closers.push(async () => socket.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closers.push(() => new Promise((closed) => server.close(closed)));
  return (server.address() as { port: number }).port;
}
