import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { failure } from '../exit.ts';
import { readText, stage } from '../files.ts';

export interface FileRights {
  /** Mode; by default that of the file, 0600 for a new one. */
  readonly permission?: number | undefined;
  /** Names or IDs; by default those of the file. */
  readonly user?: string | undefined;
  readonly group?: string | undefined;
}

/**
 * A file that an agent writes. Its temporary file always has the same name, so that the next write removes what a killed process has
 * left there.
 */
export class DeliveredFile {
  readonly path: string;
  readonly #rights: FileRights;

  constructor(path: string, rights: FileRights = {}) {
    this.path = path;
    this.#rights = rights;
  }

  get #temporary(): string {
    return join(dirname(this.path), `.${basename(this.path)}.coffer-agent.tmp`);
  }

  get isThere(): boolean {
    return existsSync(this.path);
  }

  /** Removes what a killed process has left. */
  clean = (): void => {
    try {
      rmSync(this.#temporary, { force: true });
    } catch {
      // The directory cannot be written: the next write says so.
    }
  };

  has(text: string): boolean {
    try {
      return readFileSync(this.path).equals(Buffer.from(text));
    } catch {
      return false;
    }
  }

  /** Writes the whole file or nothing. @throws CommandError where the file system refuses. */
  write = (text: string): void => this.stage(text)();

  /** Writes the temporary file; what is returned renames it. @throws CommandError where the file system refuses. */
  stage(text: string): () => void {
    this.clean();
    const before = statSync(this.path, { throwIfNoEntry: false });
    const { permission, user, group } = this.#rights;
    const mode = permission ?? (before ? before.mode & 0o777 : 0o600);
    const wanted = {
      user: user === undefined ? before?.uid : idOf('/etc/passwd', user),
      group: group === undefined ? before?.gid : idOf('/etc/group', group),
    };
    const own = { user: process.getuid?.() ?? -1, group: process.getgid?.() ?? -1 };
    const owner = { user: wanted.user ?? own.user, group: wanted.group ?? own.group };
    const isOwn = owner.user === own.user && owner.group === own.group;
    return stage(this.path, text, { mode, temporary: this.#temporary, ...(isOwn ? {} : { owner }) });
  }
}

/** Writes all files, or none where one of them cannot be written. @throws CommandError where the file system refuses. */
export function writeTogether(files: readonly (readonly [DeliveredFile, string])[]): void {
  try {
    for (const rename of files.map(([file, text]) => file.stage(text))) rename();
  } finally {
    for (const [file] of files) file.clean();
  }
}

/** The ID of a user or group. @throws CommandError if there is none of this name. */
function idOf(file: string, name: string): number {
  if (/^\d+$/.test(name)) return Number(name);
  const line = readText(file)
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  if (line) return Number(line.split(':')[2]);
  throw failure(`There is no ${name} in ${file}`);
}
