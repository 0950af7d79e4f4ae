import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianProgram } from '@coffer/x509/testing';

/** The program that judges keys, certificates and revocation lists. */
export const sshKeygen = debianProgram('/usr/bin/ssh-keygen', 'openssh-client');

export interface SshWorkplace {
  readonly path: string;
  readonly put: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  /** Runs `ssh-keygen` here. `said`: its output, stdout and stderr. */
  readonly keygen: (...args: readonly string[]) => Promise<{ ok: boolean; said: string }>;
}

/** A temporary folder for the files of `ssh-keygen`, which only their owner reads. */
export async function atSshWork<T>(work: (place: SshWorkplace) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'coffer-ssh-'));
  try {
    return await work({
      path,
      put: async (files) => {
        for (const [name, content] of Object.entries(files))
          await writeFile(join(path, name), content, { mode: 0o600 });
      },
      keygen: (...args) =>
        new Promise((resolve) => {
          const options = { cwd: path, env: { ...process.env, TZ: 'UTC' } };
          const child = execFile('/usr/bin/ssh-keygen', args, options, (error, stdout, stderr) => {
            resolve({ ok: !error, said: stdout + stderr });
          });
          child.stdin?.end();
        }),
    });
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
