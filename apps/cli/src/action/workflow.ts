import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { failure } from '../exit.ts';
import type { Environment } from '../parse.ts';

/**
 * A command to the runner, which reads them from standard output.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export const command = (name: string, data: string): string =>
  `::${name}::${data.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}\n`;

/**
 * Has the runner replace a value in its log. It looks at lines, so each line of a longer value is one; lines without a letter or digit, such
 * as a brace, would take all braces out of the log.
 */
export function mask(value: string): void {
  const lines = value.split(/\r\n|\r|\n/).filter((line) => line.trim());
  const worth = lines.length > 1 ? lines.filter((line) => /[\p{L}\p{N}]/u.test(line)) : lines;
  for (const line of worth) process.stdout.write(command('add-mask', line));
}

/** Writes a name with its value to one of the files by which a step tells the runner something. */
export function put(env: Environment, file: 'GITHUB_ENV' | 'GITHUB_OUTPUT', name: string, value: string): void {
  const path = env[file];
  if (!path) throw failure(`${file} is not set: this runs as a step of GitHub Actions only`);
  // What nobody can know beforehand ends the value: it could say where it ends, and set other names.
  const end = `end-${randomUUID()}`;
  appendFileSync(path, `${name}<<${end}\n${value}\n${end}\n`);
}
