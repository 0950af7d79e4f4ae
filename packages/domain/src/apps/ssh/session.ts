import type { Client, ClientChannel, ConnectConfig } from 'ssh2';
import { notSpoken, rejectedBy, remoteError } from '../../family/index.ts';
import type { OutboundConnect, OutboundConnection } from '../../kernel/index.ts';
import { boundMessages } from './bounded-messages.ts';
import { hostKeyOf } from './key.ts';

/** Where an SSH server is, and as whom it is used. */
export interface SshServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password?: string | undefined;
  /** In the form of OpenSSH; see `readUserKey`. */
  readonly privateKey?: string | undefined;
  /** The only key that the server may present, as a line; absent: whatever it presents. */
  readonly hostKey?: string | undefined;
}

/** The connection of one login. */
export interface SshSession {
  /** The key that the server has presented, as a line. */
  readonly hostKey: string;
  /**
   * Runs a command with this input to its end.
   *
   * @param command A constant: nothing that anybody has given may be part of it, since a shell reads it.
   * @throws DomainError `remote.rejected` with what the command wrote to its standard error, if it fails.
   */
  run(command: string, input: string): Promise<void>;
  close(): void;
}

/** For a host key of a type that is not supported. */
const UNREADABLE = '';
/** Of one connection: milliseconds, and bytes that the server sends. */
const BOUNDS = { lifetimeMs: 60_000, maxBytes: 1024 * 1024 };
/** Characters of what a command wrote, in messages. */
const MAX_TEXT = 500;

/**
 * What both sides may agree on: without SHA-1, without groups that the server chooses, and without compression (RFC 9142).
 * The cost of a handshake is bounded by that.
 */
const ALGORITHMS = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group14-sha256',
  ],
  cipher: ['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'aes256-ctr', 'aes128-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} satisfies ConnectConfig['algorithms'];
/** Algorithms of host keys by their types. */
const HOST_KEYS = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
} as const;

/** Logs in. @throws DomainError `remote.rejected` for credentials that the server does not accept; `outbound.*` */
export async function openSsh(server: SshServer, connect: OutboundConnect): Promise<SshSession> {
  const { host, port } = server;
  // With the first use: few servers reach anything by SSH.
  const { default: ssh2 } = await import('ssh2');
  const connection = await connect({ host, port, ...BOUNDS });
  const client = new ssh2.Client();
  try {
    const hostKey = await logIn(client, server, connection);
    return {
      hostKey,
      run: (command, input) => run(client, command, input, { host, connection }),
      close: () => void connection.stream.destroy(),
    };
  } catch (error) {
    connection.stream.destroy();
    throw error;
  }
}

interface SshFault extends Error {
  readonly level?: string;
}

function logIn(client: Client, server: SshServer, connection: OutboundConnection): Promise<string> {
  const { host, username, password, privateKey, hostKey: expected } = server;
  let presented: string | undefined;
  const isExpected = (key: string) => key !== UNREADABLE && (expected === undefined || key === expected);
  const failureOf = (fault: SshFault): Error => {
    if (presented !== undefined && !isExpected(presented)) return anotherKey(host);
    if (fault.level === 'client-authentication') return rejectedBy(host, 'the login is not accepted');
    return connection.failure ?? notSpoken(host, 'SSH');
  };
  return new Promise((resolve, reject) => {
    client.on('ready', () => resolve(presented!));
    // Stays attached: an unhandled error event would end the process.
    client.on('error', (fault: SshFault) => reject(failureOf(fault)));
    client.on('close', () => reject(failureOf(new Error('closed'))));
    if (password !== undefined)
      client.on('keyboard-interactive', (_name, _text, _language, prompts, answer) => {
        // Only the question for a password.
        answer(prompts.length === 1 && !prompts[0]!.echo ? [password] : []);
      });
    client.connect({
      sock: connection.stream,
      username,
      ...(privateKey === undefined ? { password, tryKeyboard: true } : { privateKey }),
      hostVerifier: (key: Buffer) => isExpected((presented = hostKeyOf(key) ?? UNREADABLE)),
      readyTimeout: 0,
      algorithms: { ...ALGORITHMS, serverHostKey: hostKeysFor(expected) },
    });
    boundMessages(client);
  });
}

/** A server may have keys of several types: it is asked for the one that is expected. */
function hostKeysFor(expected: string | undefined) {
  const type = expected?.split(' ')[0] as keyof typeof HOST_KEYS | undefined;
  return type ? [...HOST_KEYS[type]] : Object.values(HOST_KEYS).flat();
}

/** Nothing was sent to it, so that it is not said to have refused anything. */
const anotherKey = (host: string) =>
  remoteError(
    'malformed',
    `${host} presents another host key than that of the connection, or a weak one. If the server has a new one, save it as hostKey`,
  );

async function run(
  client: Client,
  command: string,
  input: string,
  { host, connection }: { host: string; connection: OutboundConnection },
): Promise<void> {
  const lost = () => connection.failure ?? notSpoken(host, 'SSH');
  const { code, words } = await new Promise<{ code: number | null; words: string }>((resolve, reject) => {
    client.once('close', () => reject(lost()));
    client.exec(command, (error, channel) => {
      if (error) return reject(rejectedBy(host, error.message));
      resultOf(channel, resolve);
      channel.on('error', () => reject(lost()));
      channel.end(input);
    });
  });
  if (code === null) throw lost();
  if (code !== 0) throw rejectedBy(host, words || `a command failed with the exit code ${code}`);
}

/** The exit code, null where there was none, and the beginning of what was written to the standard error. */
function resultOf(channel: ClientChannel, done: (result: { code: number | null; words: string }) => void): void {
  let words = '';
  let code: number | null = null;
  channel.resume();
  channel.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (words.length < MAX_TEXT) words = `${words}${chunk}`.slice(0, MAX_TEXT);
  });
  channel.on('exit', (exit: number | null) => (code = exit));
  channel.on('close', () => done({ code, words: words.trim() }));
}
