import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianProgram } from './debian-program.ts';

const openssl = debianProgram('/usr/bin/openssl', 'openssl');
const certtool = debianProgram('/usr/bin/certtool', 'gnutls-bin');

/** The programs by which others judge certificates: all of them are needed, so this is one that is missing, if any is. */
export const judges = openssl.isMissing ? openssl : certtool;

export interface Outcome {
  readonly ok: boolean;
  /** What it wrote, to both of its outputs. */
  readonly said: string;
}

export interface Workplace {
  /** Runs `openssl` or `certtool` here; names of files in the arguments are those that were put here. */
  readonly run: (tool: 'openssl' | 'certtool', ...args: readonly string[]) => Promise<Outcome>;
  readonly put: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  readonly path: string;
}

/** A folder of its own for the files that the tools want; it is gone afterwards. */
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
