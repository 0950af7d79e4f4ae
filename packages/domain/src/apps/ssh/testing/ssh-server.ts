import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type AuthContext, type Connection, type PublicKeyAuthContext, type ServerChannel } from 'ssh2';
import { blobOfSpki, lineOf, opensshPrivateKey } from '@coffer/ssh';

export interface SshAccount {
  password: string;
  /** The line of a public key that it may log in with. */
  readonly publicKey?: string;
  /** Whether it may use sudo, and whether sudo asks for the password. */
  readonly sudo?: 'free' | 'asks';
}

interface Outcome {
  readonly code: number;
  readonly errors?: string;
}
const DONE: Outcome = { code: 0 };
const failed = (errors: string, code = 1): Outcome => ({ code, errors });

/** What a connection of ssh2 has beyond its types. */
interface RawConnection {
  readonly _protocol: {
    readonly _handlers: { GLOBAL_REQUEST: (protocol: unknown, name: string, ...rest: unknown[]) => void };
    readonly _packetRW: {
      readonly write: { readonly allocStart: number; alloc(bytes: number): Buffer; finalize(packet: Buffer): Buffer };
    };
    readonly _cipher: { encrypt(packet: Buffer): void };
  };
}

function sendRaw({ _protocol: { _packetRW, _cipher } }: RawConnection, message: Buffer): void {
  const { write } = _packetRW;
  const packet = write.alloc(message.length);
  message.copy(packet, write.allocStart);
  _cipher.encrypt(write.finalize(packet));
}

/**
 * Stands in for an SSH server with local accounts, on a port of 127.0.0.1. It speaks the protocol by the server of ssh2, and
 * knows the commands that set passwords, as they are: chpasswd(8), passwd(1), sudo(8).
 */
export class SshStandIn {
  readonly accounts = new Map<string, SshAccount>();
  /** What was run, and by whom. */
  readonly commands: { readonly username: string; readonly command: string }[] = [];
  /** Whether it asks for passwords only by keyboard-interactive (RFC 4256). */
  isInteractive = false;
  /** Of a command: what happens instead. */
  accident: ((command: string, channel: ServerChannel) => boolean) | undefined;
  /** When somebody logs in: what it sends beside its answer, or instead of that if this returns true. */
  atLogin: ((context: AuthContext, send: (message: Buffer) => void) => boolean) | undefined;
  /** The names of the global requests of clients. */
  readonly requests: string[] = [];
  readonly #server: InstanceType<typeof ssh2.Server>;
  readonly #connections = new Set<Connection>();
  readonly hostKey: string;

  private constructor() {
    // One of 200 that ssh2 makes is malformed.
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const key = opensshPrivateKey(privateKey.export({ type: 'pkcs8', format: 'der' }), spki);
    this.hostKey = lineOf(blobOfSpki(spki));
    // Clients prove host keys of what claims to be OpenSSH.
    this.#server = new ssh2.Server({ hostKeys: [key], ident: 'OpenSSH_9.6' }, (client) => {
      this.#connections.add(client);
      const raw = client as unknown as RawConnection;
      const {
        _protocol: { _handlers: handlers },
      } = raw;
      const { GLOBAL_REQUEST: handle } = handlers;
      handlers.GLOBAL_REQUEST = (protocol, name, ...rest) => {
        this.requests.push(name);
        handle(protocol, name, ...rest);
      };
      let username = '';
      client.on('error', () => undefined);
      client.on('close', () => this.#connections.delete(client));
      client.on('authentication', (context) => {
        username = context.username;
        if (!this.atLogin?.(context, (message) => sendRaw(raw, message))) this.#authenticate(context);
      });
      client.on('session', (accept) => {
        accept().on('exec', (run, _refuse, { command }) => {
          this.commands.push({ username, command });
          this.#exec(run(), username, command);
        });
      });
    });
  }

  static async start(): Promise<SshStandIn> {
    const standIn = new SshStandIn();
    standIn.#server.listen(0, '127.0.0.1');
    await once(standIn.#server as never, 'listening');
    return standIn;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.end();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  #authenticate(context: AuthContext): void {
    const account = this.accounts.get(context.username);
    const methods = this.isInteractive
      ? ['keyboard-interactive' as const]
      : ['password' as const, 'publickey' as const];
    if (context.method === 'keyboard-interactive' && this.isInteractive) {
      context.prompt([{ prompt: 'Password: ', echo: false }], ([given]) =>
        given === account?.password ? context.accept() : context.reject(),
      );
    } else if (context.method === 'password' && !this.isInteractive && account?.password === context.password) {
      context.accept();
    } else if (context.method === 'publickey' && account?.publicKey === lineOf(context.key.data)) {
      const isSigned = !context.signature || isSignedBy(account.publicKey, context.blob!, context);
      if (isSigned) context.accept();
      else context.reject(methods);
    } else context.reject(methods);
  }

  #exec(channel: ServerChannel, username: string, command: string): void {
    if (this.accident?.(command, channel)) return;
    const chunks: Buffer[] = [];
    channel.on('data', (chunk: Buffer) => chunks.push(chunk));
    channel.on('end', () => {
      const { code, errors } = this.#run(username, command, Buffer.concat(chunks).toString());
      if (errors) channel.stderr.write(`${errors}\n`);
      channel.exit(code);
      channel.end();
    });
  }

  #run(username: string, command: string, input: string): Outcome {
    const account = this.accounts.get(username)!;
    const [, options, asRoot] = /^(?:env LC_ALL=C )?sudo (-n|-k -S -p '') (\/usr\/sbin\/chpasswd)$/.exec(command) ?? [];
    if (asRoot) {
      if (!account.sudo) return failed(`sudo: ${username} is not in the sudoers file.`);
      if (options === '-n')
        return account.sudo === 'free' ? this.#chpasswd(input) : failed('sudo: a password is required');
      const [own, ...lines] = input.split('\n');
      // Without a question nothing is read.
      if (account.sudo === 'free') return this.#chpasswd(input);
      return own === account.password ? this.#chpasswd(lines.join('\n')) : failed('sudo: 1 incorrect password attempt');
    }
    if (command === '/usr/sbin/chpasswd')
      return username === 'root' ? this.#chpasswd(input) : failed('chpasswd: Permission denied.');
    if (command === 'passwd') return this.#passwd(account, input);
    return failed(`sh: 1: ${command}: not found`, 127);
  }

  /** All lines, or none of them. */
  #chpasswd(input: string): Outcome {
    const lines = input.replace(/\n$/, '').split('\n');
    const changes = lines.map((line) => /^([^:]+):(.+)$/.exec(line));
    for (const [at, change] of changes.entries()) {
      if (!change) return failed(`chpasswd: line ${at + 1}: missing new password`);
      if (!this.accounts.has(change[1]!)) return failed(`chpasswd: line ${at + 1}: user '${change[1]}' does not exist`);
    }
    for (const change of changes) this.accounts.get(change![1]!)!.password = change![2]!;
    return DONE;
  }

  #passwd(account: SshAccount, input: string): Outcome {
    const [present, password, again] = input.split('\n');
    if (present !== account.password)
      return failed('Current password: passwd: Authentication token manipulation error', 10);
    if (!password || password !== again) return failed('Sorry, passwords do not match.', 10);
    account.password = password;
    return DONE;
  }
}

function isSignedBy(line: string, blob: Buffer, { signature, hashAlgo }: PublicKeyAuthContext): boolean {
  const key = ssh2.utils.parseKey(line);
  // It may be an error.
  const verified: unknown = key instanceof Error ? key : key.verify(blob, signature!, hashAlgo);
  return verified === true;
}

/** Whether a server accepts a password, asked by another client than Coffer's. */
export async function sshLogsIn(port: number, username: string, password: string): Promise<boolean> {
  const client = new ssh2.Client();
  try {
    return await new Promise<boolean>((resolve) => {
      client.on('ready', () => resolve(true));
      client.on('error', () => resolve(false));
      client.connect({ host: '127.0.0.1', port, username, password, authHandler: ['password'] });
    });
  } finally {
    client.destroy();
  }
}
