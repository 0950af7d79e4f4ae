import { text } from 'node:stream/consumers';
import { printableJson, printableMessage, printableResult } from './format/printable.ts';

export type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';
const LEVELS: readonly Level[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** Where a command reads and writes. Results go to standard output, messages to standard error. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether somebody can answer a question. */
  readonly isInteractive: boolean;
  /** Writes a part of the result. */
  write(text: string): void;
  /** Writes a message, on a line of its own. */
  say(level: Level, message: string): void;
  /** Reads all of standard input. */
  readInput(): Promise<string>;
}

export interface IoOptions {
  readonly level: Level;
  readonly format: 'console' | 'json';
  readonly destination: 'stderr' | 'stdout';
  readonly silent: boolean;
}

/** The streams of this process. */
export function processIo({ level, format, destination, silent }: IoOptions): Io {
  const least = LEVELS.indexOf(silent ? 'error' : level);
  const stream = destination === 'stdout' ? process.stdout : process.stderr;
  const isColored = stream.isTTY && !process.env['NO_COLOR'];
  return {
    env: process.env,
    cwd: process.cwd(),
    isInteractive: process.stdin.isTTY && process.stderr.isTTY,
    write: (part) => void process.stdout.write(process.stdout.isTTY ? printableResult(part) : part),
    say(at, message) {
      if (LEVELS.indexOf(at) < least) return;
      stream.write(
        format === 'json' ? `${printableJson({ level: at, message })}\n` : `${lineOf(at, message, isColored)}\n`,
      );
    },
    readInput: () => text(process.stdin),
  };
}

const COLORS: Partial<Record<Level, string>> = { warn: '33', error: '31', fatal: '31' };

function lineOf(level: Level, given: string, isColored: boolean): string {
  const message = printableMessage(given);
  const label = level === 'info' ? '' : `${level === 'fatal' ? 'error' : level}: `;
  const color = isColored ? COLORS[level] : undefined;
  return color && label ? `\u001B[${color}m${label}\u001B[0m${message}` : label + message;
}
