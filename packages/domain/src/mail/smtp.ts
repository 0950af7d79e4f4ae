import { Duplex } from 'node:stream';
import { DomainError, parseCidrs, unavailable, type Mail, type SendMail } from '../kernel/index.ts';
import { createOutbound, HANDSHAKE } from '../outbound/index.ts';

/** How a mail server is reached. */
export interface SmtpOptions {
  readonly host: string;
  /** Port 465 uses implicit TLS; every other port upgrades to TLS if possible. */
  readonly port: number;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly from: { readonly name: string; readonly address: string };
  /** Never changes to TLS. */
  readonly ignoreTls: boolean;
  /** Sends nothing without TLS. */
  readonly requireTls: boolean;
  /** Whether the server's certificate must be trusted. */
  readonly rejectUnauthorized: boolean;
  /** PEM of the only trusted roots; default: those of the system. */
  readonly ca?: string | undefined;
  /** Deadline for one message, in milliseconds; default 120,000. */
  readonly timeoutMs?: number;
}

/**
 * Deadline for each step until the server accepts the message; milliseconds. After that the server may use the whole
 * time: a server that is abandoned during a virus scan may deliver the message, and again after the retry.
 */
const STEP_MS = 20_000;
/**
 * Bytes that a server may send for one message, with the handshake of TLS. The library keeps each line, also an empty one, and
 * takes one of them in a turn of the event loop.
 */
const MAX_RECEIVED = 32 * 1024;
/** The mail server is of the operator, wherever it is. */
const EVERYWHERE = parseCidrs('0.0.0.0/0,::/0');

/** Response codes of a permanent rejection. */
export const MAIL_REFUSED = 'mail.refused';

/**
 * Sends messages by SMTP, each on its own connection. The library is loaded with the first one.
 *
 * Errors contain neither the message nor its recipient: `mail.refused` for a permanent rejection, 503 `mail.failed` for
 * a transient one.
 */
export function createMailer(options: SmtpOptions): SendMail {
  const { host, port, username, password, from, ignoreTls, requireTls, rejectUnauthorized, ca } = options;
  const timeoutMs = options.timeoutMs ?? 120_000;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const step = Math.min(STEP_MS, timeoutMs);
  const isImplicit = port === 465;
  const { connect } = createOutbound({ allow: EVERYWHERE });
  const reach = async () => {
    const target = { host, port, timeoutMs: step, lifetimeMs: timeoutMs, maxBytes: MAX_RECEIVED };
    return { connection: limited((await connect(target)).stream) as never };
  };
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host,
      port,
      secure: isImplicit,
      ignoreTLS: ignoreTls,
      requireTLS: requireTls && !ignoreTls && !isImplicit,
      getSocket: (_options, done) => void reach().then((reached) => done(null, reached), done),
      tls: { ...HANDSHAKE, rejectUnauthorized, ...(ca !== undefined && { ca }) },
      ...(username !== undefined && { auth: { user: username, pass: password ?? '' } }),
      connectionTimeout: step,
      greetingTimeout: step,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let opened: ReturnType<typeof open> | undefined;
  return async ({ id, to, subject, text, html }: Mail) => {
    const transport = await (opened ??= open());
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        ...(id !== undefined && { messageId: `<${id}@${domain}>` }),
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      throw mailFault(error);
    }
  };
}

/**
 * A stream for the library, which changes it to TLS by itself. It would take the socket out of a connection, past its limits; what
 * is no socket it reads. Idle time is limited by the lifetime of the connection.
 */
function limited(stream: Duplex): Duplex {
  const duplex = Duplex.from({ readable: stream, writable: stream });
  return Object.assign(duplex, { setTimeout: () => duplex });
}

/** Log in first (RFC 4954), and all that is a matter of security or policy (RFC 3463, X.7.X), such as relaying. */
const AGAINST_SENDER = /^(?:530|5\d\d[ -]5\.7\.)/;

/** The reportable part of a failure: codes. The text of a server may repeat anything that it received. */
function mailFault(error: unknown): DomainError {
  const { code, responseCode, response, command } = error as Record<string, unknown>;
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  const facts = [
    typeof code === 'string' && /^[A-Za-z_.]{1,40}$/.test(code) ? code : 'without a code',
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(typeof command === 'string' ? [`at ${/^[A-Z]*/.exec(command)?.[0] || 'CONN'}`] : []),
  ].join(', ');
  // A rejection of the sender can be fixed by the operator: the message is retried.
  const isFinal =
    status !== undefined &&
    500 <= status &&
    status < 600 &&
    (command === 'RCPT TO' || command === 'DATA') &&
    !AGAINST_SENDER.test(String(response));
  return isFinal
    ? new DomainError('bad_request', MAIL_REFUSED, `The mail server rejected the message (${facts})`)
    : unavailable('mail.failed', `The mail server deferred the message (${facts})`);
}
