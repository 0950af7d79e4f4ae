import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure } from '../../exit.ts';
import type { Io } from '../../io.ts';
import { withoutCredentials } from '../../own-credentials.ts';
import type { KeyWithCertificate } from './answer.ts';

/** Adds a key with its certificate to the SSH agent, until the certificate ends. @throws CommandError without an agent. */
export function addToAgent(io: Pick<Io, 'env'>, { privateKey, signedKey }: KeyWithCertificate): void {
  if (!io.env['SSH_AUTH_SOCK'])
    throw failure('There is no SSH agent', 'Start one with: eval "$(ssh-agent)"; or pass --outFilePath');
  // ssh-add looks for the certificate beside the key. The directory has mode 0700.
  const directory = mkdtempSync(join(tmpdir(), 'coffer-ssh-'));
  try {
    const path = join(directory, 'key');
    writeFileSync(path, privateKey, { mode: 0o600 });
    writeFileSync(`${path}-cert.pub`, `${signedKey}\n`, { mode: 0o600 });
    const lifetime = secondsLeft(`${path}-cert.pub`, io);
    const { status, stderr, error } = spawnSync('ssh-add', [...(lifetime ? ['-t', String(lifetime)] : []), path], {
      encoding: 'utf8',
      env: withoutCredentials(io.env),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (error) throw failure('ssh-add is not found: install the client of OpenSSH');
    if (status !== 0) throw failure(`The SSH agent refused the key: ${stderr.trim()}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Seconds until a certificate ends, at least 1; nothing where ssh-keygen does not say. */
function secondsLeft(path: string, io: Pick<Io, 'env'>): number | undefined {
  const { stdout } = spawnSync('ssh-keygen', ['-L', '-f', path], {
    encoding: 'utf8',
    env: { ...withoutCredentials(io.env), TZ: 'UTC' },
  });
  const [, end] = /Valid: from \S+ to (\S+)/.exec(stdout) ?? [];
  return end ? Math.max(1, Math.floor((Date.parse(`${end}Z`) - Date.now()) / 1000)) : undefined;
}
