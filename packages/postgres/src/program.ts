import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface Ids {
  uid: number;
  gid: number;
}

/** Whom PostgreSQL runs as: it refuses to run as root. */
export interface Identity {
  /** whom the cluster's files must belong to; undefined: to us, as they do anyway */
  readonly owner?: Ids;
  /** what spawn switches to */
  readonly ids: Partial<Ids>;
  /** wrapper command before the program, if spawn alone is not sufficient */
  readonly prefix: readonly string[];
}

export interface Outcome {
  /** 0 is success; null when the program was killed or could not be started */
  code: number | null;
  stdout: string;
  stderr: string;
  /** why the program could not be started: ENOENT, EACCES, … */
  error?: NodeJS.ErrnoException;
}

/**
 * The environment of every program we start: nothing of ours. Our own variables hold the root key, and a database
 * session may read the environment of its server.
 */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR } = process.env;
  return { PATH: PATH ?? '/usr/bin:/bin', ...(TMPDIR && { TMPDIR }), LC_ALL: 'C', TZ: 'UTC' };
}

/** Runs a program under the given identity and waits for it. Never rejects: see the outcome. */
export async function run(identity: Identity, program: string, args: string[], input = ''): Promise<Outcome> {
  const [command = program, ...rest] = [...identity.prefix, program, ...args];
  let child: ChildProcess;
  try {
    child = spawn(command, rest, { ...identity.ids, cwd: '/', env: plainEnvironment(), stdio: 'pipe' });
  } catch (error) {
    return { code: null, stdout: '', stderr: '', error: error as NodeJS.ErrnoException };
  }
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('stdio was not piped');
  // A program that ends before reading its input reports that by its exit code.
  stdin.on('error', () => undefined);
  stdin.end(input);
  try {
    const [[code], out, err] = await Promise.all([once(child, 'close'), text(stdout), text(stderr)]);
    return { code: code as number | null, stdout: out, stderr: err };
  } catch (error) {
    return { code: null, stdout: '', stderr: '', error: error as NodeJS.ErrnoException };
  }
}
