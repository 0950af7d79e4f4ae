import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundle } from './bundle.ts';

const GUIDES = join(import.meta.dirname, '../../../../docs/ci');

/** The text of a guide, and its blocks in a language. */
export function guide(name: string): { whole: string; blocks: (language: string) => string[] } {
  const whole = readFileSync(join(GUIDES, `${name}.md`), 'utf8');
  return {
    whole,
    blocks: (language) =>
      Array.from(whole.matchAll(/^```(\w+)\n(.*?)^```/gms)).flatMap(([, is, block = '']) =>
        is === language ? [block] : [],
      ),
  };
}

/** The checkout of a job, in which `npx coffer` and `coffer` are the bundle. */
export interface Job {
  at(...names: string[]): string;
  write(name: string, content: string, mode?: number): void;
  read(name: string): string;
  /** Runs lines as the runner of a CI does: by a shell that ends at the first failure. */
  run(
    lines: string,
    env?: Readonly<Record<string, string>>,
  ): Promise<{ code: number | null; stdout: string; stderr: string }>;
  remove(): void;
}

export async function job(): Promise<Job> {
  const directory = mkdtempSync(join(tmpdir(), 'coffer-job-'));
  const at = (...names: string[]): string => join(directory, ...names);
  const write = (name: string, content: string, mode = 0o644): void => {
    mkdirSync(join(at(name), '..'), { recursive: true });
    writeFileSync(at(name), content);
    chmodSync(at(name), mode);
  };
  write('node_modules/.bin/coffer', `#!/bin/sh\nexec '${process.execPath}' '${await bundle()}' "$@"\n`, 0o755);
  write('package.json', '{}');
  const PATH = [at('stand-ins'), at('node_modules/.bin'), join(process.execPath, '..'), process.env['PATH']].join(':');
  return {
    at,
    write,
    read: (name) => readFileSync(at(name), 'utf8'),
    async run(lines, env = {}) {
      // With a socket as its input, as which Node makes pipes, bash takes itself for the end of ssh, and reads other files.
      const child = spawn('bash', ['-eo', 'pipefail', '-c', lines], {
        cwd: directory,
        env: { PATH, HOME: directory, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, stdout, stderr };
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
