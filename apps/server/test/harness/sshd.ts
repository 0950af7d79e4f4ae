import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const SSHD = '/usr/sbin/sshd';
const KEYGEN = 'ssh-keygen';
/** Where sshd puts its processes without rights; made by the service of the system, if that runs. */
const PRIVILEGE_SEPARATION = '/run/sshd';

/** Whether the machine has the programs of OpenSSH. */
export const hasSshd = existsSync(SSHD);

/** The only user that a server without the rights of root can log in, and one that every machine has. */
export const LOGIN_USER = userInfo().username;

export interface LoginAttempt {
  readonly code: number | null;
  /** What the command printed, and the messages of `ssh`. */
  readonly output: string;
  /** What sshd wrote meanwhile. */
  readonly log: string;
}

export interface ClientKey {
  /** The private key in the form of OpenSSH. */
  readonly privateKey: string;
  /** The line of the certificate. */
  readonly signedKey: string;
}

/** A directory that ends with a test. */
export class SshFiles {
  readonly path = mkdtempSync(join(tmpdir(), 'coffer-sshd-'));

  write(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** `knownHosts` says whose host certificates are accepted, and for what; `revokedHosts` is a revocation list of these. */
export interface LoginOptions {
  readonly hostname: string;
  readonly knownHosts: string;
  readonly user?: string;
  readonly revokedHosts?: Buffer;
}

/**
 * A real sshd on a loopback port, with a host key of its own and the configuration of the guide: `/etc/ssh` in it is the
 * directory of this server.
 */
export class Sshd {
  readonly #files: SshFiles;
  readonly #process: ChildProcess;
  readonly port: number;
  #log = '';

  private constructor(files: SshFiles, process: ChildProcess, port: number) {
    this.#files = files;
    this.#process = process;
    this.port = port;
    process.stderr!.setEncoding('utf8').on('data', (chunk: string) => (this.#log += chunk));
  }

  /** Makes the host key, and lets `configure` write the other files into the directory. */
  static async start(
    configuration: string,
    configure: (directory: string) => Promise<unknown> = () => Promise.resolve(),
    { withPasswords = false } = {},
  ): Promise<Sshd> {
    const files = new SshFiles();
    const hostKey = join(files.path, 'ssh_host_ed25519_key');
    spawnSync(KEYGEN, ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
    await configure(files.path);
    if (process.getuid?.() === 0) mkdirSync(PRIVILEGE_SEPARATION, { recursive: true, mode: 0o755 });
    const port = await freePort();
    const config = files.write(
      'sshd_config',
      [
        ...['ListenAddress 127.0.0.1', `Port ${port}`, `HostKey ${hostKey}`, 'PidFile none', 'LogLevel VERBOSE'],
        // Its directory lies in one that everybody may write to.
        ...['StrictModes no', 'UsePAM no', 'KbdInteractiveAuthentication no'],
        `PasswordAuthentication ${withPasswords ? 'yes' : 'no'}`,
        configuration.replaceAll('/etc/ssh/', `${files.path}/`),
      ].join('\n'),
    );
    const child = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
    const server = new Sshd(files, child, port);
    try {
      await server.#listening();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  async #listening(): Promise<void> {
    while (!this.#log.includes('Server listening')) {
      if (this.#process.exitCode !== null) throw new Error(`sshd did not start: ${this.#log}`);
      await sleep(5);
    }
  }

  /** Replaces a file below `/etc/ssh`; sshd reads it at the next login. */
  write(name: string, content: string | Uint8Array): void {
    this.#files.write(name, content);
  }

  /** Logs in with a certificate and runs a command. */
  async logIn(
    key: ClientKey,
    { hostname, knownHosts, user = LOGIN_USER, revokedHosts }: LoginOptions,
  ): Promise<LoginAttempt> {
    const files = new SshFiles();
    try {
      const before = this.#log.length;
      const options = {
        BatchMode: 'yes',
        CertificateFile: files.write('key-cert.pub', `${key.signedKey}\n`),
        GlobalKnownHostsFile: '/dev/null',
        HostKeyAlias: hostname,
        IdentitiesOnly: 'yes',
        IdentityAgent: 'none',
        KexAlgorithms: 'curve25519-sha256',
        StrictHostKeyChecking: 'yes',
        ...(revokedHosts && { RevokedHostKeys: files.write('revoked_hosts.krl', revokedHosts) }),
        UserKnownHostsFile: files.write('known_hosts', `${knownHosts}\n`),
      };
      const client = spawn(
        'ssh',
        [
          ...['-F', 'none', '-i', files.write('key', key.privateKey), '-p', String(this.port), '-l', user],
          ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
          ...['127.0.0.1', 'echo logged in as $(id -un)'],
        ],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      const [out, errors, [code]] = await Promise.all([
        text(client.stdout),
        text(client.stderr),
        once(client, 'close'),
      ]);
      await this.#settled(before);
      return { code, output: `${out}${errors}`, log: this.#log.slice(before) };
    } finally {
      files.remove();
    }
  }

  /** The log of a connection ends with the line that closes it. */
  async #settled(before: number): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      if (/Connection closed|Disconnected from|Connection reset/.test(this.#log.slice(before))) return;
      await sleep(10);
    }
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit');
    this.#files.remove();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
