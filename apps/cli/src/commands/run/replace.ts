import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { constants as os } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { spawn } from 'node:child_process';
import { CommandError, EXIT } from '../../exit.ts';
import type { Io } from '../../io.ts';

type Argv = readonly [string, ...string[]];

/** Exit codes of shells for a program that does not exist, or is not executable (POSIX.1-2024, 2.8.2). */
const [NOT_FOUND, NOT_EXECUTABLE] = [127, 126];

/**
 * Puts a program in the place of this process, and returns only where that is impossible: then it runs as a child, and its
 * exit code is returned.
 */
export async function replaceProcess(argv: Argv, env: Record<string, string>, io: Io): Promise<number> {
  const [program, ...args] = argv;
  const file = find(program, env['PATH'], io.cwd);
  if (process.execve && canReplace(file, env)) {
    // Node ignores these, and a program would go on ignoring them. The end of a listener brings their defaults back.
    for (const signal of ['SIGPIPE', 'SIGXFSZ'] as const) {
      const listener = () => undefined;
      process.on(signal, listener);
      process.off(signal, listener);
    }
    // execve is experimental in Node, which would warn on standard error.
    process.removeAllListeners('warning');
    process.execve(file, [program, ...args], env);
  }
  return superviseChild([file, ...args], env);
}

/** Node ends with a fatal error where execve fails, so what can fail runs as a child: other formats, large environments. */
function canReplace(file: string, env: Record<string, string>): boolean {
  const bytes = Object.entries(env).reduce(
    (sum, [name, value]) => sum + name.length + Buffer.byteLength(value) + 10,
    0,
  );
  return bytes < 2 ** 19 && isProgram(file);
}

/** Whether the kernel knows the format of a file: ELF, Mach-O, or a script that names its interpreter. */
function isProgram(file: string): boolean {
  const start = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, start, 0, 4, 0);
  } finally {
    closeSync(descriptor);
  }
  return start.toString('latin1', 0, 2) === '#!' || MAGIC.includes(start.toString('hex'));
}

const MAGIC = ['7f454c46', 'cffaedfe', 'cafebabe'];

/** The file of a program. @throws CommandError as a shell ends without one. */
export function find(program: string, path = '/usr/local/bin:/usr/bin:/bin', cwd = process.cwd()): string {
  const candidates = program.includes('/')
    ? [isAbsolute(program) ? program : resolve(cwd, program)]
    : path.split(delimiter).map((directory) => join(directory || '.', program));
  const files = candidates.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  const executable = files.find(isExecutable);
  if (executable) return executable;
  const found = files[0];
  throw found
    ? new CommandError(`${found} is not executable`, NOT_EXECUTABLE)
    : new CommandError(`The program ${program} is not found`, NOT_FOUND);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Signals that are meant for the program. */
const FORWARDED = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGCONT', 'SIGWINCH'] as const;

/** Runs a program as a child, forwards signals to it, and returns its exit code, or 128 + the signal that ended it. */
export async function superviseChild([file, ...args]: Argv, env: Record<string, string>): Promise<number> {
  const child = spawn(file, args, { env, stdio: 'inherit' });
  const handlers = FORWARDED.map((signal) => {
    const forward = () => {
      // A terminal sends these to the whole process group, the program included.
      const isFromTerminal = (signal === 'SIGINT' || signal === 'SIGQUIT') && process.stdin.isTTY;
      if (!isFromTerminal) child.kill(signal);
    };
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  try {
    return await new Promise<number>((ended, failed) => {
      child.once('error', (error: NodeJS.ErrnoException) =>
        failed(new CommandError(`${file} cannot be run (${error.code})`, NOT_EXECUTABLE)),
      );
      child.once('exit', (code, signal) => ended(code ?? 128 + (signal ? os.signals[signal] : EXIT.failure)));
    });
  } finally {
    for (const remove of handlers) remove();
  }
}
