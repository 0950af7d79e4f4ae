import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hasSshd } from './sshd.ts';

/** Whether accounts of this machine can be made for a test: it takes root, and a real sshd to log in to. */
export const canMakeAccounts = hasSshd && process.getuid?.() === 0 && existsSync('/usr/sbin/useradd');

/** Accounts of this machine with random passwords, without a home. They end with the test. */
export class LocalAccounts {
  readonly #names: string[] = [];
  readonly #mark = `coffer-${process.pid.toString(36)}`;

  /** `isRoot`: with the rights of root. */
  add({ isRoot = false } = {}): { username: string; password: string } {
    const username = `${this.#mark}-${this.#names.length}`;
    const password = randomBytes(24).toString('base64url');
    execFileSync('/usr/sbin/useradd', [
      ...['--no-create-home', '--shell', '/bin/sh'],
      ...(isRoot ? ['--non-unique', '--uid', '0', '--gid', '0'] : []),
      username,
    ]);
    this.#names.push(username);
    this.setPassword(username, password);
    return { username, password };
  }

  setPassword(username: string, password: string): void {
    execFileSync('/usr/sbin/chpasswd', { input: `${username}:${password}\n` });
  }

  remove(): void {
    // Userdel counts sessions by the ID, which one of them shares with root.
    for (const name of this.#names.splice(0)) execFileSync('/usr/sbin/userdel', ['--force', name], { stdio: 'ignore' });
  }
}
