import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { SmtpOptions } from '../mail/index.ts';

/** A message as it arrived. */
export interface ReceivedMail {
  /** The envelope recipients. */
  readonly to: readonly string[];
  /** Header lines by name in lower case, unfolded; every line of a name. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly isSecure: boolean;
}

export interface MailServer {
  readonly port: number;
  /** In the order of their arrival. */
  readonly received: ReceivedMail[];
  /** The configuration of a mailer for it. */
  readonly smtp: SmtpOptions;
  close(): Promise<void>;
}

/** A mail server on this machine; `options` are those of the library; port 0 means any free port. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure || options.key ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, isSecure: session.secure, ...parse(Buffer.concat(chunks).toString('utf8')) });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined); // Clients that go away.
  await new Promise<void>((ready, fail) => {
    server.server.once('error', fail);
    server.listen(port, '127.0.0.1', ready);
  });
  const { port: bound } = server.server.address() as AddressInfo;
  return {
    port: bound,
    received,
    smtp: {
      host: '127.0.0.1',
      port: bound,
      from: { name: 'Coffer', address: 'coffer@example.com' },
      ignoreTls: false,
      requireTls: false,
      rejectUnauthorized: true,
      timeoutMs: 5_000,
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

function parse(message: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text' | 'html'> {
  const { headers, body } = split(message);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type']?.[0] ?? '')?.[1] ?? '';
  const parts = body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')));
  const bodyOf = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.[0]?.startsWith(type));
    return part
      ? decode(part.body, part.headers['content-transfer-encoding']?.[0] ?? '7bit').replaceAll('\r\n', '\n')
      : '';
  };
  const subject = (headers['subject']?.[0] ?? '')
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_, form: string, word: string) =>
      form === 'B' ? decode(word, 'base64') : decode(word.replaceAll('_', ' '), 'quoted-printable'),
    );
  return { headers, subject, text: bodyOf('text/plain'), html: bodyOf('text/html') };
}

function split(entity: string): { headers: Record<string, string[]>; body: string } {
  const end = entity.indexOf('\r\n\r\n');
  const headers: Record<string, string[]> = {};
  for (const line of entity
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    if (name) (headers[name.toLowerCase()] ??= []).push(value ?? '');
  }
  return { headers, body: entity.slice(end + 4) };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
