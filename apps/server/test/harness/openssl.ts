import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ToolRun {
  readonly code: number | null;
  /** Its output, stdout and stderr. */
  readonly text: string;
  /** Its output in a file. */
  file(name: string): Buffer;
}

/** Runs OpenSSL, or another program that judges certificates, in a directory with these files. */
export function openssl(
  args: readonly string[],
  files: Readonly<Record<string, string | Uint8Array>> = {},
  program = 'openssl',
): ToolRun {
  const directory = mkdtempSync(join(tmpdir(), 'coffer-openssl-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: directory, encoding: 'utf8' });
    if (error) throw error;
    const written = new Map<string, Buffer>();
    for (const name of args.filter((one) => /\.(pem|der|csr|key|p12)$/.test(one)))
      written.set(name, readOr(join(directory, name)));
    return {
      code: status,
      text: `${stdout}${stderr}`,
      file: (name) => written.get(name) ?? Buffer.alloc(0),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** OpenSSL's strict verification of a certificate. */
export const verify = (leaf: string, root: string, options: readonly string[] = [], between = ''): ToolRun =>
  openssl(
    [
      ...['verify', '-x509_strict', '-check_ss_sig', '-CAfile', 'root.pem'],
      ...(between ? ['-untrusted', 'between.pem'] : []),
      ...options,
      'leaf.pem',
    ],
    { 'root.pem': root, 'between.pem': between, 'leaf.pem': leaf },
  );

function readOr(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
