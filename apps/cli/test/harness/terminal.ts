import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { expect } from 'vitest';
import { bundle } from './bundle.ts';
import type { CommandLine } from './command-line.ts';

/** Somebody at a terminal. `script` of util-linux makes one. */
export class Terminal {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;
  shown = '';
  #read = 0;

  private constructor(command: string, cwd: string, env: Readonly<Record<string, string>>) {
    this.#child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], { cwd, env });
    this.ended = new Promise((resolve) => this.#child.once('exit', resolve));
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (this.shown += part));
  }

  /** Starts the command line. */
  static async run(args: string, { home }: CommandLine, env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
    const own = { PATH: process.env['PATH']!, HOME: home, TERM: 'xterm', SHELL: '/bin/sh' };
    return new Terminal(`exec '${process.execPath}' '${await bundle()}' ${args}`, home, { ...own, ...env });
  }

  /** Waits for a text after the one before it. */
  async sees(text: string): Promise<void> {
    // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
    await expect.poll(() => this.shown.indexOf(text, this.#read)).toBeGreaterThanOrEqual(0);
    this.#read = this.shown.indexOf(text, this.#read) + text.length;
  }

  types(text: string): void {
    this.#child.stdin.write(text);
  }
}
