import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianProgram } from './debian-program.ts';

const openssl = debianProgram('/usr/bin/openssl', 'openssl');
const certtool = debianProgram('/usr/bin/certtool', 'gnutls-bin');

/** The programs that verify certificates: a missing one, if any. */
export const judges = openssl.isMissing ? openssl : certtool;

export interface Outcome {
  readonly ok: boolean;
  /** Its output, stdout and stderr. */
  readonly said: string;
}

export interface Workplace {
  /** Runs `openssl` or `certtool` here; file names in the arguments are relative to this folder. */
  readonly run: (tool: 'openssl' | 'certtool', ...args: readonly string[]) => Promise<Outcome>;
  readonly put: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  readonly path: string;
}

/** A temporary folder for the files of the tools. */
export async function atWork<T>(work: (place: Workplace) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'coffer-x509-'));
  try {
    return await work({
      path,
      put: async (files) => {
        for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
      },
      run: (tool, ...args) =>
        new Promise((resolve) => {
          execFile(`/usr/bin/${tool}`, args, { cwd: path, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
            resolve({ ok: !error, said: stderr + stdout + (error && !stderr ? error.message : '') });
          });
        }),
    });
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
